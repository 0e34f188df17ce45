/** The state of the public record in one query, whose rows are bounded and found by indexes. */
import * as z from 'zod/mini';
import { operationsFactsSchema } from '#domain/operations/operations-state.ts';
import { asOwner, type Database } from '../../platform/database/database.ts';

/** More than a day holds: twelve forecasts every five minutes, as many shadow ones, and stocks during their hours. */
const MOST_RECORDS = 12_000;

const storedSchema = z.omit(operationsFactsSchema.shape.record, { isIssuing: true });
type StoredFacts = z.infer<typeof storedSchema>;

/** @param nowMs  by the product's clock, which dates the records */
export async function readRecordFacts(database: Database, nowMs: number): Promise<StoredFacts> {
  const [row] = await asOwner(database).query<{ told: unknown }>(QUESTION, [nowMs]);
  return storedSchema.parse(row?.told);
}

const QUESTION = `
with newest as materialized (
  select seq, issued_ms from private.track_records order by seq desc limit ${MOST_RECORDS}),
day as (
  select s.state from newest n left join private.track_scores s on s.seq = n.seq
   where n.issued_ms > $1::bigint - 86400000)
select json_build_object(
  'issued', (select count(*) from day),
  'known', (select count(*) from day where state = 'known'),
  'void', (select count(*) from day where state = 'void'),
  'missed', (select count(*) from (
    select 1 from private.track_misses where slot_s > $1::bigint / 1000 - 86400
       and market_kind in ('live', 'replayed', 'simulated') limit ${MOST_RECORDS}) missed),
  'newestAtMs', (select max(issued_ms) from newest),
  'sealedHourS', (select max(hour_s) from private.track_hours),
  'signedDay', (select max(day)::text from private.track_days)
) as told`;
