/** Events posted by the provider: each is recorded once, processed by one worker at a time, and ignored on replay. */
import * as z from 'zod/mini';
import { type Database, SERVICE } from '../../platform/database/database.ts';

const idRow = z.object({ id: z.string() });

export interface ReceivedEvent {
  id: string;
  type: string;
  isLive: boolean;
  /** Epoch seconds, by the provider. */
  createdS: number;
  /** The id of the subscription, customer or other object that changed. */
  objectId: string | null;
}

export interface PaymentEventStore {
  /** Records a new event. @returns whether to process it now; `taken`: another worker has it */
  take(event: ReceivedEvent): Promise<'mine' | 'taken' | 'done'>;
  done(eventId: string): Promise<void>;
  /** @returns the number of failures so far */
  failed(eventId: string, code: string): Promise<number>;
  /** Ids of events due for a retry, those with the fewest attempts first. */
  open(limit: number): Promise<string[]>;
  /** The ids that were never received. */
  unknown(eventIds: readonly string[]): Promise<string[]>;
  /** The creation time of the newest received event, in epoch seconds; null without one. */
  newestS(): Promise<number | null>;
  forgetOld(): Promise<void>;
}

/** After this time, another process takes over the events of one that died. */
const LEASE_S = 60;
/** After this many failures, retries stop; an alarm was raised long before. */
const MAX_ATTEMPTS = 60;

export function eventStore(database: Database): PaymentEventStore {
  const ids = async (text: string, params: readonly unknown[]) =>
    z
      .array(idRow)
      .parse(await database.query(SERVICE, text, params))
      .map(({ id }) => id);

  return {
    async take({ id, type, isLive, createdS, objectId }) {
      await database.query(
        SERVICE,
        `insert into public.stripe_events (event_id, type, livemode, created, object_id)
         values ($1, left($2, 100), $3, $4, left($5, 255)) on conflict (event_id) do nothing`,
        [id, type, isLive, createdS, objectId],
      );
      const mine = await ids(
        `update public.stripe_events set claimed_until = now() + make_interval(secs => $2)
          where event_id = $1 and processed_at is null and (claimed_until is null or claimed_until < now())
          returning event_id as id`,
        [id, LEASE_S],
      );
      if (mine.length > 0) return 'mine';
      const open = await ids(
        'select event_id as id from public.stripe_events where event_id = $1 and processed_at is null',
        [id],
      );
      return open.length > 0 ? 'taken' : 'done';
    },
    async done(eventId) {
      await database.query(
        SERVICE,
        `update public.stripe_events set processed_at = now(), claimed_until = null, last_error = null
          where event_id = $1 and processed_at is null`,
        [eventId],
      );
    },
    async failed(eventId, code) {
      const rows = await database.query<{ attempts: number }>(
        SERVICE,
        `update public.stripe_events set attempts = attempts + 1, last_error = left($2, 200), claimed_until = null
          where event_id = $1 and processed_at is null returning attempts`,
        [eventId, code],
      );
      return rows[0]?.attempts ?? 0;
    },
    open: (limit) =>
      ids(
        `select event_id as id from public.stripe_events
          where processed_at is null and attempts < $1 and received_at < now() - interval '20 seconds'
            and (claimed_until is null or claimed_until < now())
          order by attempts, received_at limit $2`,
        [MAX_ATTEMPTS, limit],
      ),
    unknown: (eventIds) =>
      ids(
        `select given.id from unnest($1::text[]) as given (id)
          where not exists (select 1 from public.stripe_events e where e.event_id = given.id)`,
        [eventIds],
      ),
    async newestS() {
      const rows = await database.query<{ newest_s: number | null }>(
        SERVICE,
        'select max(created)::float8 as newest_s from public.stripe_events',
      );
      return rows[0]?.newest_s ?? null;
    },
    async forgetOld() {
      await database.query(
        SERVICE,
        `delete from public.stripe_events where event_id in (
           select event_id from public.stripe_events where received_at < now() - interval '60 days'
           order by received_at limit 5000)`,
      );
    },
  };
}
