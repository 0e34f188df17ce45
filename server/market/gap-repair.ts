/**
 * Minutes that are missing inside a series: asked for again from the venue a few times, then looked for in the store.
 * What nobody has stays missing, is counted and told of once; nothing is ever made up.
 */
import type { Candle } from '#domain/market/candle.ts';
import { MINUTE_S } from '#domain/market/candle.ts';
import type { MarketSymbol } from '#domain/market/symbols.ts';
import type { Logger } from '../platform/log.ts';
import type { CandleSeries } from './candle-series.ts';
import type { CandleStore } from './candle-store.ts';
import type { Venue } from './venue.ts';

export interface GapRepairOptions {
  venue: Venue;
  symbol: MarketSymbol;
  store: Pick<CandleStore, 'add' | 'read'> | null;
  log: Logger;
  /** The most that a call may ask for. */
  maxCandles: number;
}

export interface GapRepair {
  /**
   * One call at most, and none while nothing is missing that is worth one.
   * @throws AppError `venue/unavailable`: nothing was tried then
   */
  attempt(series: CandleSeries, signal: AbortSignal): Promise<void>;
}

/** Where every minute is traded a missing one is a fault. Elsewhere it is normal, and one look back is enough. */
const MAX_TRIES = { always: 3, withHours: 1 };

export function gapRepair({ venue, symbol, store, log, maxCandles }: GapRepairOptions): GapRepair {
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
    keep(series, await venue.candles(symbol, count, signal));
    const left = wanted.filter((timeS) => !series.has(timeS));
    for (const timeS of left) tries.set(timeS, (tries.get(timeS) ?? 0) + 1);
    const exhausted = left.filter((timeS) => tries.get(timeS) === maxTries);
    if (exhausted.length > 0) await lookUp(series, exhausted);
  }

  function keep(series: CandleSeries, candles: readonly Candle[]): void {
    const filled = series.fill(candles);
    if (filled.length === 0) return;
    store?.add(venue.id, symbol.sym, filled);
    log.info({ venue: venue.id, sym: symbol.sym, filled: filled.length }, 'gap in the candles repaired');
  }

  async function lookUp(series: CandleSeries, timesS: readonly number[]): Promise<void> {
    const [fromS = 0] = timesS;
    const toS = (timesS.at(-1) ?? 0) + MINUTE_S;
    if (store !== null) {
      const range = { fromS, toS, count: (toS - fromS) / MINUTE_S };
      series.fill(await store.read(venue.id, symbol.sym, range).catch(asNone));
    }
    const lost = timesS.filter((timeS) => !series.has(timeS)).length;
    const isFault = lost > 0 && symbol.hours === 'always';
    if (isFault) log.warn({ venue: venue.id, sym: symbol.sym, fromS, lost }, 'minutes are missing that nobody has');
  }

  function asNone(error: unknown): Candle[] {
    log.warn({ err: error, sym: symbol.sym }, 'stored candles could not be read');
    return [];
  }

  return { attempt };
}
