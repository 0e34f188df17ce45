import { HORIZON_BARS } from '#domain/forecast/window.ts';
import { MINUTE_S } from '#domain/market/candle.ts';
import { barSecondsOf, TIMEFRAMES, type Timeframe } from '#domain/market/timeframes.ts';
import type { JudgedRecord } from '#domain/record/figures/track-blocks.ts';
import { type RevealBounds, revealAfterS } from '#domain/record/ledger/reveal.ts';
import { asOwner, type Database } from '../../platform/database/database.ts';
import { readJudged } from './judged-records.ts';

const DAY_MS = 86_400_000;
const PAGE = 250;

/**
 * Issue times rise with the numbers, so a binary search finds the day's first record without an extra index.
 * @param dayMs its first millisecond. @returns null when the day has no records of any timeframe
 */
export async function recordsOfDay(
  database: Database,
  dayMs: number,
  timeframe: Timeframe,
): Promise<AsyncGenerator<JudgedRecord[]> | null> {
  const queries = asOwner(database);
  const [from, to] = [await firstFrom(database, dayMs), await firstFrom(database, dayMs + DAY_MS)];
  if (from >= to) return null;
  return (async function* pages() {
    for (let after = from - 1; ; ) {
      const page = await readJudged(
        queries,
        {
          where: 'r.seq > $1::bigint and r.seq < $2::bigint and r.timeframe = $3::text and r.window_min = 0',
          limit: `${PAGE}`,
        },
        [after, to, timeframe],
      );
      if (page.length > 0) yield page;
      after = page.at(-1)?.body.seq ?? after;
      if (page.length < PAGE) return;
    }
  })();
}

/** Number of the first record issued at `ms` or later; one past the last when there is none. */
export async function firstFrom(database: Database, ms: number): Promise<number> {
  const [row] = await asOwner(database).query<{ seq: number }>(
    `with recursive head as (select coalesce(max(seq), 0) as seq from private.track_records),
     halves (low, high) as (
       select 1::bigint, seq + 1 from head
       union all
       select case when r.issued_ms < $1::bigint then r.seq + 1 else h.low end,
              case when r.issued_ms < $1::bigint then h.high else r.seq end
         from halves h join private.track_records r on r.seq = (h.low + h.high) / 2
        where h.low < h.high)
     select low as seq from halves where low >= high limit 1`,
    [ms],
  );
  return row?.seq ?? 1;
}

/** SQL of isRevealed for the row `r`. @param endS  SQL of the bounds */
export function revealedSql(endS: string, issuedEndMs: string): string {
  return `${END_S} <= ${endS}::bigint or r.issued_ms + 1000 * (${END_S} - r.slot_s) <= ${issuedEndMs}::bigint`;
}

/** SQL of revealTimeS. Written out: private.track_end_s says the same, but a call for each row costs a hundred times as much. */
const END_S = `(case when r.window_min = 0
  then r.slot_s + ${HORIZON_BARS} * case r.timeframe ${TIMEFRAMES.map((timeframe) => `when '${timeframe}' then ${barSecondsOf(timeframe)}`).join(' ')} end
  else (r.slot_s / (${MINUTE_S} * r.window_min) + 1) * ${MINUTE_S} * r.window_min end)`;

/** Number of a record before which all of these timeframes are revealed, so that no query for sealed ones scans a year. */
export function firstSealable(
  database: Database,
  { issuedEndMs }: Pick<RevealBounds, 'issuedEndMs'>,
  timeframes: readonly Timeframe[] = TIMEFRAMES,
): Promise<number> {
  return firstFrom(database, issuedEndMs - Math.max(...timeframes.map(revealAfterS)) * 1000 + 1);
}
