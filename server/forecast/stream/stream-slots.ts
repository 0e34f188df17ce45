/** How many streams each user may have open. A few tabs are fine; hundreds are a script. */
import { randomUUID } from 'node:crypto';
import { AppError } from '#domain/errors/app-error.ts';
import { asOwner, type Database } from '../../platform/database/database.ts';

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
      let isRequested = false;
      return {
        async confirm() {
          isRequested = true;
          const isMine = await store.take(userId, holder, { places: maxPerUser, lastsS: LASTS_S });
          if (!isMine) throw refusal(maxPerUser);
        },
        giveBack: once(async () => {
          // Without a database the slot expires.
          if (isRequested) await store.free(userId, holder).catch(() => undefined);
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

interface StreamSlotStore {
  /** @returns false when all slots are taken */
  take(userId: string, holder: string, options: { places: number; lastsS: number }): Promise<boolean>;
  free(userId: string, holder: string): Promise<void>;
  /** Removes slots of killed processes. @returns how many rows were removed */
  removeOld(): Promise<number>;
}

export function streamSlotStore(database: Database): StreamSlotStore {
  const queries = asOwner(database);
  return {
    async take(userId, holder, { places, lastsS }) {
      const [row] = await queries.query<{ is_mine: boolean }>(
        'select private.take_stream_place($1, $2, $3, $4) as is_mine',
        [userId, holder, places, lastsS],
      );
      return row?.is_mine === true;
    },
    async removeOld() {
      const [row] = await queries.query<{ removed: number }>(
        `with gone as (delete from private.open_streams where ends_at <= now() returning 1)
         select count(*)::int as removed from gone`,
      );
      return row?.removed ?? 0;
    },
    async free(userId, holder) {
      await queries.query(
        'delete from private.open_streams where user_id = $1::text::uuid and holder = $2::text::uuid',
        [userId, holder],
      );
    },
  };
}
