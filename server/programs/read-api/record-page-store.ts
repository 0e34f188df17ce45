import { setImmediate as othersTurn } from 'node:timers/promises';
import * as z from 'zod/mini';
import type { ModelName } from '#domain/forecast/models.ts';
import type { MarketKind } from '#domain/market/symbols.ts';
import type { Timeframe } from '#domain/market/timeframes.ts';
import type { RecordedWindow } from '#domain/record/chances/chance-moments.ts';
import type { JudgedRecord } from '#domain/record/figures/track-blocks.ts';
import { readAnyRecord } from '#domain/record/ledger/any-record.ts';
import type { RecordRole } from '#domain/record/ledger/ledger.ts';
import { sealedRecord } from '#domain/record/ledger/record-files.ts';
import { isRevealed } from '#domain/record/ledger/reveal.ts';
import { asOwner, type Database, OWNER } from '../../platform/database/database.ts';
import { firstFrom } from '../../record/figures/day-store.ts';
import { readJudged } from '../../record/figures/judged-records.ts';
import type { Reveal } from '../../record/reveal.ts';
import type { Span } from '../readings/span.ts';

export interface RecordFilter {
  market: MarketKind;
  timeframe: Timeframe;
  sym: string | null;
  model: ModelName | null;
  role: RecordRole | null;
  /** Chances of windows of so many minutes; absent: forecasts. */
  window?: RecordedWindow;
}

/** Numbers of records: `first` up to, but not including, `end`. */
export interface SeqSpan {
  first: number;
  end: number;
}

/** Longest wait for a page, so that it does not block others. */
const LIMIT_MS = 5000;
const CSV_PAGE = 100;

const FILTERED = `r.seq >= $1::bigint and r.seq < $2::bigint and r.market_kind = $3::text
  and ($4::text is null or r.sym = $4::text) and ($5::text is null or r.model = $5::text)
  and ($6::text is null or r.role = $6::text) and r.timeframe = $7::text and r.window_min = $8::smallint`;
const LIMIT = '$9::int';

/** The records issued within a span of our time. */
export async function seqSpanOf(database: Database, { fromMs, toMs }: Span): Promise<SeqSpan> {
  return { first: await firstFrom(database, fromMs), end: await firstFrom(database, toMs) };
}

const pageRow = z.object({
  seq: z.number(),
  hash: z.string(),
  text: z.string(),
  state: z.string(),
  reason: z.nullable(z.string()),
  score: z.string(),
});
/** Parsing one takes a fifth of a millisecond: other requests run after this many. */
const BATCH = 50;

/** Records as JSON texts, in order of seq, in the format of recordsAnswer. @throws AppError `database/busy` */
export async function recordTexts(
  database: Database,
  { first, end }: SeqSpan,
  { filter, limit, reveal }: { filter: RecordFilter; limit: number; reveal: Reveal },
): Promise<{ seq: number; text: string }[]> {
  const rows = await database.transaction(
    OWNER,
    (tx) =>
      tx.query(
        `select r.seq, encode(r.hash, 'hex') as hash, r.body as text, coalesce(s.state, 'waiting') as state,
           s.void_reason as reason, coalesce(s.score::text, 'null') as score
         from (select r.seq, r.hash, r.body from private.track_records r where ${FILTERED} order by r.seq limit ${LIMIT}) r
         left join private.track_scores s on s.seq = r.seq order by r.seq`,
        [...paramsOf(first, end, filter), limit],
      ),
    { statementLimitMs: LIMIT_MS },
  );
  const texts: { seq: number; text: string }[] = [];
  for (const [at, row] of rows.entries()) {
    if (at % BATCH === BATCH - 1) await othersTurn();
    texts.push(recordJson(pageRow.parse(row), reveal));
  }
  return texts;
}

function recordJson(row: z.infer<typeof pageRow>, reveal: Reveal): { seq: number; text: string } {
  const { seq, hash, text, state, reason, score } = row;
  const record = readAnyRecord(text);
  if (record === null) throw new Error('The database contains an invalid record.');
  if (!isRevealed(record, reveal(record.market))) {
    const nothing = { text: null, record: null, state: 'sealed', voidReason: null, score: null };
    return { seq, text: JSON.stringify({ hash, ...nothing, sealed: sealedRecord(record, hash) }) };
  }
  const head = JSON.stringify({ hash, text, record, state, voidReason: reason }).slice(0, -1);
  return { seq, text: `${head},"score":${score}}` };
}

/** Forecasts with their outcomes, page by page. */
export async function* recordPages(
  database: Database,
  { first, end }: SeqSpan,
  filter: RecordFilter,
): AsyncGenerator<JudgedRecord[]> {
  for (let next = first; ; ) {
    const page = await readJudged(asOwner(database), { where: FILTERED, limit: LIMIT }, [
      ...paramsOf(next, end, filter),
      CSV_PAGE,
    ]);
    if (page.length > 0) yield page;
    next = (page.at(-1)?.body.seq ?? next) + 1;
    if (page.length < CSV_PAGE) return;
  }
}

function paramsOf(
  first: number,
  end: number,
  { market, timeframe, sym, model, role, window = 0 }: Omit<RecordFilter, 'window'> & { window?: number },
): unknown[] {
  return [first, end, market, sym, model, role, timeframe, window];
}
