/** How many streams each user may have open. A few tabs are fine; hundreds are a script. */
import { randomUUID } from 'node:crypto';
import { AppError } from '#domain/errors/app-error.ts';
import { asOwner, type Database, OWNER } from '../../platform/database/database.ts';
import { groupedCalls } from '../../platform/database/grouped-calls.ts';

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

interface Held {
  userId: string;
  holder: string;
}

interface Taken extends Held {
  places: number;
  lastsS: number;
}

const PREPARED = { isPrepared: true };
/** Users in one order, so that two processes never wait for each other's locks. */
const TAKE_SQL = `
select w.nth, private.take_stream_place(w.user_id, w.holder, w.places, w.lasts_s) as is_mine from (
  select * from unnest($1::uuid[], $2::uuid[], $3::int[], $4::float8[]) with ordinality
    as w (user_id, holder, places, lasts_s, nth) order by w.user_id, w.nth) as w`;
const FREE_SQL = `
delete from private.open_streams s using unnest($1::uuid[], $2::uuid[]) as h (user_id, holder)
 where s.user_id = h.user_id and s.holder = h.holder`;

export function streamSlotStore(database: Database): StreamSlotStore {
  const queries = asOwner(database);
  const takeOne = groupedCalls<Taken, boolean>(async (wanted) => {
    const columns = [wanted.map((one) => one.userId), wanted.map((one) => one.holder)];
    const limits = [wanted.map((one) => one.places), wanted.map((one) => one.lastsS)];
    const rows = await database.query<{ nth: number; is_mine: boolean }>(
      OWNER,
      TAKE_SQL,
      [...columns, ...limits],
      PREPARED,
    );
    const isMine = new Map(rows.map((row) => [row.nth, row.is_mine]));
    return wanted.map((_, at) => isMine.get(at + 1) === true);
  });
  const freeOne = groupedCalls<Held, void>(async (held) => {
    await database.query(OWNER, FREE_SQL, [held.map((one) => one.userId), held.map((one) => one.holder)], PREPARED);
    return held.map(() => undefined);
  });
  return {
    take: (userId, holder, { places, lastsS }) => takeOne({ userId, holder, places, lastsS }),
    async removeOld() {
      const [row] = await queries.query<{ removed: number }>(
        `with gone as (delete from private.open_streams where ends_at <= now() returning 1)
         select count(*)::int as removed from gone`,
      );
      return row?.removed ?? 0;
    },
    free: (userId, holder) => freeOne({ userId, holder }),
  };
}
