/** Scores one symbol's records of one timeframe: first by recent candles, the undecided ones by stored candles. */
import type { Candle } from '#domain/market/candle.ts';
import { decimalText } from '#domain/market/codecs/decimal-text.ts';
import type { MarketKind, MarketSymbol } from '#domain/market/symbols.ts';
import { barSecondsOf, type Timeframe } from '#domain/market/timeframes.ts';
import { windowMinutes, windowStartS } from '#domain/record/chances/chance-moments.ts';
import { scoreChance } from '#domain/record/chances/chance-score.ts';
import { isChance, readAnyRecord } from '#domain/record/ledger/any-record.ts';
import type { ChanceBody } from '#domain/record/ledger/chance-text.ts';
import type { RecordBody } from '#domain/record/ledger/ledger.ts';
import { revealTimeS } from '#domain/record/ledger/reveal.ts';
import type { BaselineTable } from '#domain/record/scoring/baseline-table.ts';
import { scoreRecord } from '#domain/record/scoring/score-record.ts';
import {
  type JudgedForecast,
  judgeChance,
  judgeRecord,
  type RecordMarket,
  type RecordPatience,
  type RecordSeries,
  type RecordVerdict,
  recordTimes,
} from '#domain/record/scoring/void-rules.ts';
import { isTradedAt } from '../../market/candles/candle-history.ts';
import type { CandlePast, PastSeries } from '../../market/candles/past-candles.ts';
import type { Logger } from '../../platform/telemetry/log.ts';
import { REPAIR_S, RETURN_S, type RecentOf, retryInS, spansOf } from '../candle-sources.ts';
import type { RecordResolution, WaitingRecord } from './score-store.ts';

export interface JudgeSources {
  recent: RecentOf;
  past: Pick<CandlePast, 'stored'>;
  /** Null: unknown to this server. */
  tableOf(version: string): BaselineTable | null;
  /** Epoch seconds of the market's time. */
  nowS: number;
  log: Logger;
}

const PATIENCE: RecordPatience = { repairS: REPAIR_S, returnS: RETURN_S };

/** @param rows  all of one timeframe @param kind  as this server shows now @throws AppError `database/unavailable`, `database/busy` (stored candles) */
export async function judgeSymbol(
  rows: readonly WaitingRecord[],
  { symbol, timeframe }: JudgedSeries,
  kind: MarketKind,
  sources: JudgeSources,
): Promise<RecordResolution[]> {
  const serving = await sources.recent(symbol, timeframe);
  const recent = serving?.marketKind === kind ? [serving] : [];
  const [{ venueId, candles } = { venueId: null, candles: [] }] = recent;
  const fromS = candles[0]?.time;
  const atHand = venueId === null || fromS === undefined ? null : { venueId, fromS };
  const marketOf = (body: JudgedBody, series: readonly RecordSeries[], isAll: boolean): RecordMarket => ({
    series,
    isAll,
    serving: atHand,
    mayReturn: kind === 'live',
    ageS: sources.nowS - revealTimeS(body),
  });
  const resolutions: RecordResolution[] = [];
  const open: JudgedBody[] = [];
  for (const row of rows) {
    const record = readAnyRecord(row.body);
    const body = record === null || isChance(record) ? record : { ...record, venueId: row.venueId };
    if (body === null) {
      // Written by a newer server while both run for a few minutes.
      sources.log.warn({ seq: row.seq }, 'a record of the public record could not be read');
      resolutions.push(later(row.seq, sources.nowS, sources.nowS));
    } else if (!timesOf(body).every((timeS) => isTradedAt(symbol, kind, timeS))) {
      resolutions.push({ seq: body.seq, state: 'void', reason: 'market-closed' });
    } else {
      const resolution = resolve(body, marketOf(body, recent, false), sources);
      if (resolution.state === 'later') open.push(body);
      else resolutions.push(resolution);
    }
  }
  for (const span of spansOf(open, ({ slot }) => slot)) {
    const fromS = Math.min(...span.map((body) => startOf(body, timeframe)));
    const toS = Math.max(...span.map(revealTimeS));
    const stored = await sources.past.stored(symbol, fromS, toS, timeframe);
    const series = byVenue([...stored.filter(({ marketKind }) => marketKind === kind), ...recent]);
    for (const body of span) resolutions.push(resolve(body, marketOf(body, series, true), sources));
  }
  return resolutions;
}

export interface JudgedSeries {
  symbol: MarketSymbol;
  timeframe: Timeframe;
}

type JudgedBody = (RecordBody & JudgedForecast) | ChanceBody;

function timesOf(body: JudgedBody): number[] {
  return isChance(body) ? windowMinutes(body.slot, body.window) : recordTimes(body);
}

/** Opening second of the first candle that judging reads. */
function startOf(body: JudgedBody, timeframe: Timeframe): number {
  const joinS = body.slot - barSecondsOf(timeframe);
  return isChance(body) ? Math.min(joinS, windowStartS(body.slot, body.window)) : joinS;
}

/** Postpones a waiting record. @param endS  when its last bar closed */
function later(seq: number, endS: number, nowS: number): RecordResolution {
  return { seq, state: 'later', nextTryS: nowS + retryInS(nowS - endS) };
}

function resolve(body: JudgedBody, market: RecordMarket, sources: JudgeSources): RecordResolution {
  return isChance(body) ? resolveChance(body, market, sources) : resolveForecast(body, market, sources);
}

function resolveChance(body: ChanceBody, market: RecordMarket, { nowS }: JudgeSources): RecordResolution {
  const { seq } = body;
  const verdict: RecordVerdict = judgeChance(body, market, PATIENCE);
  if (verdict.state === 'void') return { seq, ...verdict };
  const end = verdict.state === 'known' ? verdict.outcome.at(-1)?.close : undefined;
  if (end === undefined) return later(seq, revealTimeS(body), nowS);
  return { seq, state: 'known', score: scoreChance(body, decimalText(end)) };
}

function resolveForecast(
  body: RecordBody & JudgedForecast,
  market: RecordMarket,
  { tableOf, nowS, log }: JudgeSources,
): RecordResolution {
  const { seq } = body;
  const verdict = judgeRecord(body, market, PATIENCE);
  if (verdict.state === 'void') return { seq, ...verdict };
  const table = verdict.state === 'known' ? tableOf(body.baseline) : null;
  if (verdict.state === 'later' || table === null) return later(seq, revealTimeS(body), nowS);
  try {
    return { seq, state: 'known', score: scoreRecord(body, verdict.outcome, table) };
  } catch (error) {
    // A record that always fails must not block the others of its symbol.
    log.error({ err: error, seq }, 'a record could not be scored');
    return later(seq, revealTimeS(body), nowS);
  }
}

/** One series per venue: of two candles of one time the later one given wins, which is the recent one. */
function byVenue(series: readonly PastSeries[]): RecordSeries[] {
  return [...Map.groupBy(series, ({ venueId }) => venueId)].map(([venueId, own]) => {
    const [first] = own;
    if (own.length === 1 && first !== undefined) return { venueId, candles: first.candles };
    const byTime = new Map<number, Candle>(
      own.flatMap(({ candles }) => candles.map((candle) => [candle.time, candle])),
    );
    return { venueId, candles: [...byTime.values()].toSorted((a, b) => a.time - b.time) };
  });
}
