/** Which of a channel's uploads are shown: the newest ten without Shorts. */

export const MAX_VIDEOS = 10;
/** Uploads fetched, so that ten remain after filtering. */
export const MAX_SEARCHED_VIDEOS = 25;
/** A video shorter than this is a Short (R-PAGES-6). */
const SHORT_S = 60;

const DURATION = /^P(?:(\d{1,6})W)?(?:(\d{1,6})D)?(?:T(?:(\d{1,6})H)?(?:(\d{1,6})M)?(?:(\d{1,6})(?:\.\d+)?S)?)?$/;
const UNITS_S = [604_800, 86_400, 3600, 60, 1];

/** `PT4M13S` is 253. Null for an invalid duration and for the zero (`P0D`) of live broadcasts. */
export function durationSeconds(text: string): number | null {
  const parts = DURATION.exec(text)?.slice(1);
  if (parts === undefined) return null;
  const seconds = parts.reduce((sum, part, i) => sum + Number(part ?? 0) * (UNITS_S[i] ?? 0), 0);
  return seconds === 0 ? null : seconds;
}

/** A live broadcast has no known length, so it is not a Short unless its title says so. */
export function isShort({ title, duration }: { title: string; duration: string }): boolean {
  const seconds = durationSeconds(duration);
  return (seconds !== null && seconds < SHORT_S) || /shorts/i.test(title);
}
