/** Which of a channel's uploads are shown: the newest ten that are no short ones. Specification 1, section 2. */

export const MAX_VIDEOS = 10;
/** So many are looked at, that ten remain. */
export const LOOKED_AT = 25;
/** A video shorter than this is a short one. */
const SHORT_S = 60;

const DURATION = /^P(?:(\d{1,6})W)?(?:(\d{1,6})D)?(?:T(?:(\d{1,6})H)?(?:(\d{1,6})M)?(?:(\d{1,6})(?:\.\d+)?S)?)?$/;
const UNITS_S = [604_800, 86_400, 3600, 60, 1];

/** `PT4M13S` is 253. Null for what is no duration, and for the nothing (`P0D`) that live broadcasts have. */
export function durationSeconds(text: string): number | null {
  const parts = DURATION.exec(text)?.slice(1);
  if (parts === undefined) return null;
  const seconds = parts.reduce((sum, part, i) => sum + Number(part ?? 0) * (UNITS_S[i] ?? 0), 0);
  return seconds === 0 ? null : seconds;
}

/** A live broadcast is as long as it lasts, and none that is known to be short. */
export function isShort({ title, duration }: { title: string; duration: string }): boolean {
  const seconds = durationSeconds(duration);
  return (seconds !== null && seconds < SHORT_S) || /shorts/i.test(title);
}
