/**
 * Fetches the missing pictures of the newest articles a few at a time, and shrinks them one by one. A picture that
 * fails affects no other.
 */

import { workQueue } from '../../platform/one-at-a-time.ts';
import type { GuardedFetch } from '../../platform/outbound/guarded-fetch.ts';
import type { Logger } from '../../platform/telemetry/log.ts';
import type { NewsPictureStore } from './news-picture-store.ts';
import { shrinkPicture } from './shrink-picture.ts';

export interface PictureDeps {
  store: NewsPictureStore;
  fetch: GuardedFetch;
  log: Logger;
}

const AT_ONCE = 4;
/** Few enough that a round of dead addresses stays within its time. */
const A_ROUND = 24;
const ACCEPTED = 'image/webp,image/png,image/jpeg,image/gif';

/** @throws the signal's reason on abort, and database errors */
export async function collectPictures({ store, fetch, log }: PictureDeps, signal: AbortSignal): Promise<void> {
  const waiting = await store.missing(A_ROUND);
  // Decoding needs memory for each pixel, and one of the few threads that files and passwords share.
  const decoding = workQueue({ maxWaiting: AT_ONCE });
  await Promise.all(Array.from({ length: AT_ONCE }, lane));
  await store.prune();

  async function lane(): Promise<void> {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      const { articleId, url } = next;
      const webp = await fetchPicture(url);
      if (webp === null) await store.failed(articleId);
      else await store.put(articleId, webp);
    }
  }

  async function fetchPicture(url: string): Promise<Buffer | null> {
    try {
      const { status, body } = await fetch(url, { headers: { accept: ACCEPTED }, signal });
      return status === 200 ? await decoding.run(() => shrinkPicture(body)) : null;
    } catch (error) {
      signal.throwIfAborted();
      log.debug({ err: error }, 'a news picture could not be had');
      return null;
    }
  }
}
