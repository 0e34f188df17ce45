/** How many streams each user has open. A few tabs are welcome; hundreds are somebody's script. */
import { randomUUID } from 'node:crypto';
import { AppError } from '#domain/errors/app-error.ts';
import type { StreamSlotStore } from './stream-slot-store.ts';

export const MAX_OPEN_STREAMS = 3;
/** A stream lasts five seconds; one that a killed process left behind keeps its place no longer than this. */
const LASTS_S = 30;

export interface StreamPlace {
  /** Takes it over all processes as well, which asks the database. @throws AppError `request/too-many` */
  confirm(): Promise<void>;
  /** Calling it again does nothing, and it never fails. */
  giveBack(): Promise<void>;
}

export interface StreamSlots {
  /** Of this process, at once. @throws AppError `request/too-many` */
  take(userId: string): StreamPlace;
}

/** Of this process. */
export function streamSlots(maxPerUser = MAX_OPEN_STREAMS): StreamSlots {
  const open = new Map<string, number>();
  return {
    take(userId) {
      const count = open.get(userId) ?? 0;
      if (count >= maxPerUser) throw refusal(maxPerUser);
      open.set(userId, count + 1);
      const giveBack = once(async () => {
        const left = (open.get(userId) ?? 1) - 1;
        if (left === 0) open.delete(userId);
        else open.set(userId, left);
      });
      return { confirm: async () => undefined, giveBack };
    },
  };
}

/** Of all server processes together. Whoever has as many at this one already is refused without asking the database. */
export function sharedStreamSlots(store: StreamSlotStore, maxPerUser = MAX_OPEN_STREAMS): StreamSlots {
  const ofProcess = streamSlots(maxPerUser);
  return {
    take(userId) {
      const own = ofProcess.take(userId);
      const holder = randomUUID();
      let isAsked = false;
      return {
        async confirm() {
          isAsked = true;
          const isMine = await store.take(userId, holder, { places: maxPerUser, lastsS: LASTS_S });
          if (!isMine) throw refusal(maxPerUser);
        },
        giveBack: once(async () => {
          // With the database away it ends by itself.
          if (isAsked) await store.free(userId, holder).catch(() => undefined);
          await own.giveBack();
        }),
      };
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
