/** A few at a time, shrunk one by one. A picture that fails affects no other. */
import { AppError } from '#domain/errors/app-error.ts';
import { workQueue } from '../../platform/one-at-a-time.ts';
import { openSharp } from '../../platform/open-sharp.ts';
import type { GuardedFetch } from '../../platform/outbound/guarded-fetch.ts';
import type { Logger } from '../../platform/telemetry/log.ts';
import type { NewsPictureStore } from './news-picture-store.ts';

export interface PictureDeps {
  store: NewsPictureStore;
  fetch: GuardedFetch;
  log: Logger;
}

const CONCURRENCY = 4;
/** Few enough that a round of dead addresses stays within its time. */
const A_ROUND = 24;
const ACCEPTED = 'image/webp,image/png,image/jpeg,image/gif';

/** @throws the signal's reason on abort, and database errors */
export async function collectPictures({ store, fetch, log }: PictureDeps, signal: AbortSignal): Promise<void> {
  const waiting = await store.missing(A_ROUND);
  // Decoding needs memory for each pixel, and one of the few threads that files and passwords share.
  const decoding = workQueue({ maxWaiting: CONCURRENCY });
  await Promise.all(Array.from({ length: CONCURRENCY }, lane));
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
      log.debug({ err: error }, 'a news picture could not be fetched');
      return null;
    }
  }
}

const MAX_WIDTH_PX = 320;
const MAX_HEIGHT_PX = 180;
/** Far above pictures in feeds. A file of a kilobyte can require this many pixels, at eight bytes each. */
export const MAX_PIXELS = 8_000_000;
const TIME_LIMIT_S = 5;
const QUALITY = 78;
/** No AVIF: its decoder holds several copies of the picture. */
const TYPES: ReadonlySet<string> = new Set(['image/jpeg', 'image/png', 'image/webp', 'image/gif']);

/**
 * @returns WebP of at most 320 x 180 px, without metadata. @throws AppError `venue/unavailable` (invalid, too large)
 */
async function shrinkPicture(bytes: Uint8Array): Promise<Buffer> {
  const { fileTypeFromBuffer } = await import('file-type');
  const type = (await fileTypeFromBuffer(bytes).catch(() => undefined))?.mime;
  if (type === undefined || !TYPES.has(type)) throw unusable('no picture');
  const sharp = await openSharp();
  try {
    return await sharp(bytes, { limitInputPixels: MAX_PIXELS, failOn: 'error', pages: 1 })
      .timeout({ seconds: TIME_LIMIT_S })
      .autoOrient()
      .resize({ width: MAX_WIDTH_PX, height: MAX_HEIGHT_PX, fit: 'inside', withoutEnlargement: true })
      .webp({ quality: QUALITY })
      .toBuffer();
  } catch (error) {
    throw unusable('damaged picture', error);
  }
}

function unusable(reason: string, cause?: unknown): AppError {
  return new AppError('venue/unavailable', { details: { reason }, cause });
}
