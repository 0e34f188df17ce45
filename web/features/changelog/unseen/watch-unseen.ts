/** Checks for posts that the user has not seen: once, then when the user returns after a while. */
import { reportError } from '../../../platform/error-log.ts';
import { isUnseen, SEEN_EVENT, seenHereBy } from './seen.ts';
import { fetchNewest, fetchSeen } from './seen-api.ts';

const ASK_AGAIN_MS = 600_000;

/** @param tell  called with each result. @returns a function that stops watching */
export function watchUnseen(userId: string, tell: (hasUnseen: boolean) => void): () => void {
  const over = new AbortController();
  const { signal } = over;
  let askedMs = 0;
  const ask = async (): Promise<void> => {
    askedMs = Date.now();
    try {
      const [newest, seen] = await Promise.all([fetchNewest(signal), fetchSeen(userId, signal)]);
      // Posts this page has shown during the request are not on the server yet.
      if (!signal.aborted) tell(isUnseen(newest, seen) && isUnseen(newest, seenHereBy(userId)));
    } catch (error) {
      // A missing dot matters little, and a return after ten minutes checks again.
      if (!signal.aborted) reportError(error, { where: 'unseen posts' });
    }
  };
  const askAgain = () => {
    if (document.visibilityState === 'visible' && Date.now() - askedMs >= ASK_AGAIN_MS) void ask();
  };
  window.addEventListener(SEEN_EVENT, () => tell(false), { signal });
  window.addEventListener('focus', askAgain, { signal });
  document.addEventListener('visibilitychange', askAgain, { signal });
  void ask();
  return () => over.abort();
}
