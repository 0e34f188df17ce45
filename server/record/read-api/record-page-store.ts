/** Pages of the record for the read API: as text, which nobody needs to take apart on its way out. */
import * as z from 'zod/mini';
import type { ModelName } from '#domain/forecast/models.ts';
import type { MarketKind } from '#domain/market/symbols.ts';
import type { RecordRole } from '#domain/record/ledger.ts';
import type { JudgedRecord } from '#domain/record/track-blocks.ts';
import { asOwner, type Database, OWNER } from '../../platform/database.ts';
import { firstFrom } from '../figures/day-store.ts';
import { judgedRecords } from '../figures/judged-records.ts';
import type { Span } from './api-query.ts';

export interface RecordFilter {
  market: MarketKind;
  sym: string | null;
  model: ModelName | null;
  role: RecordRole | null;
}

/** Numbers of records: `first` up to, not including, `end`. */
export interface SeqSpan {
  first: number;
  end: number;
}

/** Nobody waits longer for a page, and nobody else waits for it. */
const LIMIT_MS = 5000;
const CSV_PAGE = 250;

const FILTERED = `r.seq >= $1::bigint and r.seq < $2::bigint and r.market_kind = $3::text
  and ($4::text is null or r.sym = $4::text) and ($5::text is null or r.model = $5::text)
  and ($6::text is null or r.role = $6::text) order by r.seq limit $7::int`;

/** Of the records issued within a span of our time. */
export async function seqSpanOf(database: Database, { fromMs, toMs }: Span): Promise<SeqSpan> {
  return { first: await firstFrom(database, fromMs), end: await firstFrom(database, toMs) };
}

const pageRow = z.object({ seq: z.number(), text: z.string() });

/** Records as JSON text each, in order of seq: recordsAnswer says what is in one. @throws AppError `database/busy` */
export async function recordTexts(
  database: Database,
  { first, end }: SeqSpan,
  filter: RecordFilter,
  limit: number,
): Promise<{ seq: number; text: string }[]> {
  const rows = await database.transaction(
    OWNER,
    (tx) =>
      tx.query(
        `select r.seq, concat('{"hash":"', encode(r.hash, 'hex'), '","record":', r.body,
           ',"state":', to_json(coalesce(s.state, 'waiting')), ',"voidReason":', coalesce(to_json(s.void_reason)::text, 'null'),
           ',"score":', coalesce(s.score::text, 'null'), '}') as text
         from private.track_records r left join private.track_scores s on s.seq = r.seq where ${FILTERED}`,
        [...paramsOf(first, end, filter), limit],
      ),
    { statementLimitMs: LIMIT_MS },
  );
  return z.array(pageRow).parse(rows);
}

/** The same records with what came of them, page by page. */
export async function* recordPages(
  database: Database,
  { first, end }: SeqSpan,
  filter: RecordFilter,
): AsyncGenerator<JudgedRecord[]> {
  for (let next = first; ; ) {
    const page = await judgedRecords(asOwner(database), FILTERED, [...paramsOf(next, end, filter), CSV_PAGE]);
    if (page.length > 0) yield page;
    next = (page.at(-1)?.body.seq ?? next) + 1;
    if (page.length < CSV_PAGE) return;
  }
}

function paramsOf(first: number, end: number, { market, sym, model, role }: RecordFilter): unknown[] {
  return [first, end, market, sym, model, role];
}
