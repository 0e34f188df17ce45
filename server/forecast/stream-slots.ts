/** How many streams each user has open. A few tabs are welcome; hundreds are somebody's script. */
import { randomUUID } from 'node:crypto';
import { AppError } from '#domain/errors/app-error.ts';
import type { StreamSlotStore } from './stream-slot-store.ts';

export const MAX_OPEN_STREAMS = 3;
/** A stream lasts five seconds; one that a killed process left behind keeps its place no longer than this. */
const LASTS_S = 30;

export interface StreamSlots {
  /** @returns gives the place back; calling it again does nothing, and it never fails. @throws AppError `request/too-many` */
  take(userId: string): Promise<() => Promise<void>>;
}

/** Of this process. */
export function streamSlots(maxPerUser = MAX_OPEN_STREAMS): StreamSlots {
  const open = new Map<string, number>();
  return {
    async take(userId) {
      const count = open.get(userId) ?? 0;
      if (count >= maxPerUser) throw refusal(maxPerUser);
      open.set(userId, count + 1);
      return once(async () => {
        const left = (open.get(userId) ?? 1) - 1;
        if (left === 0) open.delete(userId);
        else open.set(userId, left);
      });
    },
  };
}

/** Of all server processes together. */
export function sharedStreamSlots(store: StreamSlotStore, maxPerUser = MAX_OPEN_STREAMS): StreamSlots {
  return {
    async take(userId) {
      const holder = randomUUID();
      const isMine = await store.take(userId, holder, { places: maxPerUser, lastsS: LASTS_S });
      if (!isMine) throw refusal(maxPerUser);
      // With the database away it ends by itself.
      return once(() => store.free(userId, holder).catch(() => undefined));
    },
  };
}

function refusal(openStreams: number): AppError {
  return new AppError('request/too-many', { details: { openStreams, retryAfterS: 5 } });
}

function once(work: () => Promise<void>): () => Promise<void> {
  let done: Promise<void> | null = null;
  return () => {
    done ??= work();
    return done;
  };
}
