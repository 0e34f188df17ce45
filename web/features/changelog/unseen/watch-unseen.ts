/** Checks for posts that the user has not seen: once, then when the user returns after a while. */
import { reportError } from '../../../platform/error-log.ts';
import { isUnseen, SEEN_EVENT, seenHereBy } from './seen.ts';
import { fetchNewest, fetchSeen } from './seen-api.ts';

const RECHECK_MS = 600_000;

/** @param onResult  called with each result. @returns a function that stops watching */
export function watchUnseen(userId: string, onResult: (hasUnseen: boolean) => void): () => void {
  const over = new AbortController();
  const { signal } = over;
  let checkedMs = 0;
  const check = async (): Promise<void> => {
    checkedMs = Date.now();
    try {
      const [newest, seen] = await Promise.all([fetchNewest(signal), fetchSeen(userId, signal)]);
      // Posts this page has shown during the request are not on the server yet.
      if (!signal.aborted) onResult(isUnseen(newest, seen) && isUnseen(newest, seenHereBy(userId)));
    } catch (error) {
      // A missing dot matters little, and a return after ten minutes checks again.
      if (!signal.aborted) reportError(error, { where: 'unseen posts' });
    }
  };
  const recheck = () => {
    if (document.visibilityState === 'visible' && Date.now() - checkedMs >= RECHECK_MS) void check();
  };
  window.addEventListener(SEEN_EVENT, () => onResult(false), { signal });
  window.addEventListener('focus', recheck, { signal });
  document.addEventListener('visibilitychange', recheck, { signal });
  void check();
  return () => over.abort();
}
