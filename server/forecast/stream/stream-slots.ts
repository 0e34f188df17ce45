/** How many streams each user may have open. A few tabs are fine; hundreds are a script. */
import { randomUUID } from 'node:crypto';
import { AppError } from '#domain/errors/app-error.ts';
import type { StreamSlotStore } from './stream-slot-store.ts';

export const MAX_OPEN_STREAMS = 3;
/** A stream takes five seconds; one left by a killed process holds its slot no longer than this. */
const LASTS_S = 30;

export interface StreamPlace {
  /** Also takes the slot across all processes, with a database call. @throws AppError `request/too-many` */
  confirm(): Promise<void>;
  /** Idempotent, and never fails. */
  giveBack(): Promise<void>;
}

export interface StreamSlots {
  /** Takes a slot of this process, synchronously. @throws AppError `request/too-many` */
  take(userId: string): StreamPlace;
}

/** Slots of this process only. */
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

/** Slots across all server processes. A user at the limit on this one is refused without a database call. */
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
          // Without a database the slot expires.
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
