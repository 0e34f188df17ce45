/** Notices that keys of open streams were revoked or expired, or that their accounts were banned or gained a factor. */
import { AppError, type ErrorCode } from '#domain/errors/app-error.ts';
import type { Core } from '../../core.ts';
import { asOwner } from '../../platform/database/database.ts';
import { refusalOf } from './api-key-reader.ts';
import { findApiKeys } from './api-key-store.ts';

export interface WatchedKey {
  /** Why the key no longer works; null while it does. */
  endedBy(): AppError | null;
  stop(): void;
}

export interface KeyWatch {
  watch(keyId: string): WatchedKey;
  close(): void;
}

const EVERY_MS = 2000;

/** One statement for all keys of this process, and none while no stream is open. */
export function keyWatch(
  { database, clock, log }: Pick<Core, 'database' | 'clock' | 'log'>,
  { everyMs = EVERY_MS }: { everyMs?: number } = {},
): KeyWatch {
  const queries = asOwner(database);
  const watched = new Map<string, { count: number; ended: ErrorCode | null }>();
  let timer: NodeJS.Timeout | undefined;
  let isClosed = false;

  async function check(): Promise<void> {
    try {
      const ids = [...watched.keys()];
      const found = await findApiKeys(queries, ids, new Date(clock.nowMs()).toISOString());
      const byId = new Map(found.map((key) => [key.id, key]));
      // Streams that opened meanwhile are not among them: the next round checks their keys.
      for (const id of ids) {
        const [key, entry] = [byId.get(id), watched.get(id)];
        if (entry === undefined) continue;
        entry.ended = key === undefined ? 'api/bad-key' : refusalOf(key);
      }
    } catch (error) {
      // The next round checks again; no event can be read without the database either.
      log.warn({ err: error }, 'keys of open streams could not be checked');
    }
    timer = undefined;
    if (watched.size > 0) schedule();
  }

  function schedule(): void {
    if (!isClosed) timer ??= setTimeout(() => void check(), everyMs);
  }

  return {
    watch(keyId) {
      const entry = watched.get(keyId) ?? { count: 0, ended: null };
      watched.set(keyId, { ...entry, count: entry.count + 1 });
      schedule();
      return {
        endedBy() {
          const code = watched.get(keyId)?.ended ?? null;
          return code === null ? null : new AppError(code);
        },
        stop() {
          const now = watched.get(keyId);
          if (now === undefined) return;
          if (now.count === 1) watched.delete(keyId);
          else watched.set(keyId, { ...now, count: now.count - 1 });
        },
      };
    },
    close() {
      isClosed = true;
      clearTimeout(timer);
    },
  };
}
