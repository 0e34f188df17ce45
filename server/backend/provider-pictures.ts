/**
 * Copied into the avatars bucket, where pages may show them. Each is claimed before it is fetched, so any number of
 * processes may run; without one, the account shows its initial.
 */
import { isAppError } from '#domain/errors/app-error.ts';
import type { Core } from '../core.ts';
import { OWNER } from '../platform/database/database.ts';
import type { GuardedFetch } from '../platform/outbound/guarded-fetch.ts';
import { wakeLoop } from '../platform/queues/wake-loop.ts';
import { PICTURE_CHANNEL, providerPictureStore, type WaitingPicture } from './auth/providers/provider-picture-store.ts';
import type { ObjectFiles } from './storage/files/object-files.ts';
import type { PictureConverter } from './storage/images.ts';
import { removeObjects } from './storage/object-store.ts';
import { StorageRefusal } from './storage/storage-refusal.ts';
import { removeFile, storeForUser } from './storage/upload.ts';

export interface ProviderPictureDeps extends Pick<Core, 'database' | 'log'> {
  files: ObjectFiles;
  pictures: PictureConverter;
  fetch: GuardedFetch;
  /** Origin of the site; null: pictures are saved with only their path. */
  publicUrl: string | null;
  /** Polls at least this often, in case a notification is lost. Default: one minute. */
  pollMs?: number;
}

const POLL_MS = 60_000;
/** About a day in total. */
const MAX_TRIES = 5;
const ACCEPTED = 'image/webp,image/png,image/jpeg,image/gif';
const BUCKET = 'avatars';

export interface ProviderPictures {
  close(): Promise<void>;
}

export async function startProviderPictures(deps: ProviderPictureDeps): Promise<ProviderPictures> {
  const stopping = new AbortController();
  const { wake, stop } = wakeLoop(() =>
    copyWaiting(deps, stopping.signal).catch((error: unknown) => {
      // The database may be restarting: the next poll finds the same rows.
      if (!stopping.signal.aborted) deps.log.warn({ err: error }, 'provider pictures could not be copied');
    }),
  );

  const unlisten = await deps.database.listen(PICTURE_CHANNEL, wake);
  const timer = setInterval(wake, deps.pollMs ?? POLL_MS);
  timer.unref();
  wake();
  return {
    async close() {
      stopping.abort();
      const ended = stop();
      clearInterval(timer);
      await unlisten();
      await ended;
    },
  };
}

/** One after another, until none is due. @throws the signal's reason on abort, and the database's errors */
export async function copyWaiting(deps: ProviderPictureDeps, signal: AbortSignal): Promise<void> {
  const store = providerPictureStore(deps.database);
  for (let next = await store.claim(); next !== null; next = await store.claim()) {
    const outcome = await copyPicture(deps, next, signal);
    if (outcome === 'done' || next.tries >= MAX_TRIES) await store.drop(next.userId);
    signal.throwIfAborted();
  }
}

async function copyPicture(
  deps: ProviderPictureDeps,
  { userId, url, tries }: WaitingPicture,
  signal: AbortSignal,
): Promise<'done' | 'again'> {
  const name = `${userId}/${Date.now()}`;
  try {
    const { status, body } = await deps.fetch(url, { headers: { accept: ACCEPTED }, signal });
    if (status !== 200) return status >= 500 || status === 429 ? 'again' : 'done';
    await storeForUser(body, userId, { bucket: BUCKET, name }, deps);
  } catch (error) {
    signal.throwIfAborted();
    deps.log.debug({ err: error, tries }, 'a provider picture could not be fetched');
    return isForEver(error) ? 'done' : 'again';
  }
  const address = `${deps.publicUrl ?? ''}/storage/v1/object/public/${BUCKET}/${name}`;
  if (!(await providerPictureStore(deps.database).showIfNone(userId, address))) await remove(deps, name);
  return 'done';
}

/** True for failures that a retry can't fix: not a picture, or an address that must not be called. */
function isForEver(error: unknown): boolean {
  if (error instanceof StorageRefusal) return error.status < 500;
  return isAppError(error) && REFUSED_FOR_EVER.has(error.details.reason);
}

const REFUSED_FOR_EVER: ReadonlySet<unknown> = new Set(['bad address', 'not https', 'private address', 'too large']);

async function remove(deps: ProviderPictureDeps, name: string): Promise<void> {
  for (const { version } of await removeObjects(deps.database, OWNER, BUCKET, [name]))
    if (version !== null) await removeFile(version, deps);
}
