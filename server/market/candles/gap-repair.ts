/** Missing minutes are requested from the venue a few times, then read from the store. No candle is ever invented. */
import type { Candle } from '#domain/market/candle.ts';
import type { MarketSymbol } from '#domain/market/symbols.ts';
import { barSecondsOf, type Timeframe } from '#domain/market/timeframes.ts';
import type { Logger } from '../../platform/telemetry/log.ts';
import type { Venue } from '../venues/venue.ts';
import type { CandleSeries } from './candle-series.ts';
import type { CandleMemory } from './candle-store.ts';

export interface GapRepairOptions {
  venue: Venue;
  symbol: MarketSymbol;
  timeframe: Timeframe;
  store: CandleMemory | null;
  log: Logger;
  /** The most candles one call may request. */
  maxCandles: number;
}

export interface GapRepair {
  /**
   * Makes at most one call, only for a minute worth one. @throws AppError `venue/unavailable`: nothing was tried then
   */
  attempt(series: CandleSeries, signal: AbortSignal): Promise<void>;
}

/** Where every minute trades, a missing one is a fault. Elsewhere it is normal, and one retry is enough. */
const MAX_TRIES = { always: 3, withHours: 1 };
/** Stored bars on each side of a gap that must match those in memory before the gap is filled from the store. */
const NEIGHBOURS = 5;

export function gapRepair({ venue, symbol, timeframe, store, log, maxCandles }: GapRepairOptions): GapRepair {
  const barS = barSecondsOf(timeframe);
  const neighboursS = NEIGHBOURS * barS;
  const maxTries = symbol.hours === 'always' ? MAX_TRIES.always : MAX_TRIES.withHours;
  let tries = new Map<number, number>();

  async function attempt(series: CandleSeries, signal: AbortSignal): Promise<void> {
    const missing = series.missing();
    tries = new Map(missing.map((timeS) => [timeS, tries.get(timeS) ?? 0]));
    const wanted = missing.filter((timeS) => (tries.get(timeS) ?? 0) < maxTries);
    const [oldestS] = wanted;
    if (oldestS === undefined) return;
    const missingSince = missing.filter((timeS) => timeS >= oldestS).length;
    const count = Math.min(maxCandles, series.countFrom(oldestS) + missingSince + 1);
    fillAndStore(series, await venue.candles(symbol, count, signal, timeframe));
    const left = wanted.filter((timeS) => !series.has(timeS));
    for (const timeS of left) tries.set(timeS, (tries.get(timeS) ?? 0) + 1);
    const exhausted = left.filter((timeS) => tries.get(timeS) === maxTries);
    if (exhausted.length > 0) await fillFromStore(series, exhausted);
  }

  function fillAndStore(series: CandleSeries, candles: readonly Candle[]): void {
    const filled = series.fill(candles);
    if (filled.length === 0) return;
    store?.add(venue.id, symbol.sym, filled, timeframe);
    log.info({ venue: venue.id, sym: symbol.sym, filled: filled.length }, 'gap in the candles repaired');
  }

  async function fillFromStore(series: CandleSeries, timesS: readonly number[]): Promise<void> {
    const fromS = (timesS[0] ?? 0) - neighboursS;
    const toS = (timesS.at(-1) ?? 0) + barS + neighboursS;
    const range = { fromS, toS, count: (toS - fromS) / barS, timeframe };
    const stored = (await store?.read(venue.id, symbol.sym, range).catch(asNone)) ?? [];
    series.fill(runsOf(timesS, barS).flatMap((run) => believed(series, run, stored, neighboursS)));
    const lost = timesS.filter((timeS) => !series.has(timeS));
    const [lostFromS] = lost;
    if (lostFromS === undefined || symbol.hours !== 'always') return;
    log.warn(
      { venue: venue.id, sym: symbol.sym, fromS: lostFromS, lost: lost.length },
      'minutes are missing from every source',
    );
  }

  function asNone(error: unknown): Candle[] {
    log.warn({ err: error, sym: symbol.sym }, 'stored candles could not be read');
    return [];
  }

  return { attempt };
}

function runsOf(timesS: readonly number[], barS: number): number[][] {
  const runs: number[][] = [];
  for (const timeS of timesS) {
    const run = runs.at(-1);
    if (run?.at(-1) === timeS - barS) run.push(timeS);
    else runs.push([timeS]);
  }
  return runs;
}

/** Stored candles around the run, if they match the venue's candles for the neighbouring bars. */
function believed(
  series: CandleSeries,
  run: readonly number[],
  stored: readonly Candle[],
  neighboursS: number,
): Candle[] {
  const firstS = run[0] ?? 0;
  const lastS = run.at(-1) ?? 0;
  const near = stored.filter(({ time }) => time >= firstS - neighboursS && time <= lastS + neighboursS);
  return series.compare(near) === 'same' ? near : [];
}
