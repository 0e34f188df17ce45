/** Whether there are posts that the user has not seen: asked once, then whenever the page is come back to after a while. */
import { reportError } from '../../../platform/error-log.ts';
import { isUnseen, SEEN_EVENT, seenHereBy } from './seen.ts';
import { fetchNewest, fetchSeen } from './seen-api.ts';

const ASK_AGAIN_MS = 600_000;

/** @param tell  hears of each answer. @returns the undo */
export function watchUnseen(userId: string, tell: (hasUnseen: boolean) => void): () => void {
  const over = new AbortController();
  const { signal } = over;
  let askedMs = 0;
  const ask = async (): Promise<void> => {
    askedMs = Date.now();
    try {
      const [newest, seen] = await Promise.all([fetchNewest(signal), fetchSeen(userId, signal)]);
      // What this page has shown while it was asked is known here first.
      if (!signal.aborted) tell(isUnseen(newest, seen) && isUnseen(newest, seenHereBy(userId)));
    } catch (error) {
      // Nobody misses a dot for ten minutes: it is asked again.
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
