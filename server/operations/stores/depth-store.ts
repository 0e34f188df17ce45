/** Queue depths that the operator's view does not show: notifications, outcomes, scores, seals; and votes. Bounded. */
import * as z from 'zod/mini';
import { asOwner, type Database } from '../../platform/database/database.ts';

const depthsSchema = z.object({
  push: z.number(),
  outcomes: z.number(),
  scores: z.number(),
  seals: z.number(),
  pushOldestS: z.nullable(z.number()),
  votesUp: z.number(),
  votesDown: z.number(),
});
export type Depths = z.infer<typeof depthsSchema>;

/** Maximum number of rows counted. */
const MOST_COUNTED = 1000;
/** The same for votes, which are counted by an index alone. */
const MOST_VOTES = 100_000;

/** @param nowMs  by the product's clock, which dates all of these */
export async function readDepths(database: Database, nowMs: number): Promise<Depths> {
  const [row] = await asOwner(database).query<{ told: unknown }>(QUESTION, [new Date(nowMs).toISOString(), nowMs]);
  return depthsSchema.parse(row?.told);
}

const counted = (rows: string) => `(select count(*) from (${rows} limit ${MOST_COUNTED}) counted)`;
const votes = (direction: 'up' | 'down') =>
  `(select count(*) from (select 1 from private.votes where currency = 'btc' and direction = '${direction}'
      and created_at > $1::text::timestamptz - interval '24 hours' limit ${MOST_VOTES}) counted)`;

const QUESTION = `select json_build_object(
  'push', ${counted("select 1 from private.outgoing_pushes where state = 'waiting'")},
  'pushOldestS', (select extract(epoch from $1::text::timestamptz - min(next_try_at))::float8 from private.outgoing_pushes
     where state = 'waiting' and next_try_at <= $1::text::timestamptz),
  'outcomes', ${counted("select 1 from public.prediction_outcomes where state = 'waiting' and next_try_at <= $1::text::timestamptz")},
  'scores', ${counted('select 1 from private.track_waiting where next_try_s <= $2::float8 / 1000')},
  'seals', ${counted(`select 1 from private.track_records where issued_ms < ($2::bigint / 3600000) * 3600000
     and seq > coalesce((select first_seq + count - 1 from private.track_hours order by hour_s desc limit 1), -1)`)},
  'votesUp', ${votes('up')},
  'votesDown', ${votes('down')}) as told`;
