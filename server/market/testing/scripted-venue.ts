/** A fake candle venue. It returns the candles closed by its clock, except the minutes that the test removes. */
import type { AppError } from '#domain/errors/app-error.ts';
import type { Candle } from '#domain/market/candle.ts';
import { type MarketSymbol, SYMBOLS } from '#domain/market/symbols.ts';
import { barSecondsOf, DEFAULT_TIMEFRAME } from '#domain/market/timeframes.ts';
import { updateQueue } from '../venues/transport/candle-stream.ts';
import type { CandleUpdate, Venue } from '../venues/venue.ts';

export interface ScriptedVenue {
  venue: Venue;
  /** Counts of the calls so far. */
  calls: number[];
  failure: AppError | null;
  /** Minutes missing from its answers, epoch seconds. */
  missing: Set<number>;
  /** Its newest candles are missing for this long. */
  lagS: number;
  /** Answers wait for this promise. */
  delay: Promise<void>;
  /** Close of its first candle: distinguishes its candles from another venue's. */
  close: number;
  isFollowed: boolean;
  emit(candle: Candle, isClosed?: boolean): Promise<void>;
  candleAt(timeS: number): Candle;
}

export function scriptedVenue(
  id: string,
  clock: { nowS: number },
  options: { symbols?: readonly MarketSymbol[]; delayS?: number; close?: number } = {},
): ScriptedVenue {
  const { symbols = SYMBOLS, delayS = 0 } = options;
  const queue = updateQueue<CandleUpdate>();
  const script: ScriptedVenue = {
    calls: [],
    failure: null,
    missing: new Set(),
    lagS: 0,
    delay: Promise.resolve(),
    close: options.close ?? 101,
    isFollowed: false,
    candleAt: (time) => ({
      time,
      open: script.close,
      high: script.close + Math.min(1, script.close / 100),
      low: script.close - Math.min(1, script.close / 100),
      close: script.close,
      volume: 1,
    }),
    async emit(candle, isClosed = true) {
      for (const symbol of symbols) queue.push({ symbol, candle, isClosed });
      await new Promise((resolve) => setTimeout(resolve, 5));
    },
    venue: {
      id,
      attribution: `${id} prices`,
      delayS,
      malformed: 0,
      supports: (symbol) => symbols.some((s) => s.sym === symbol.sym),
      nowMs: () => (clock.nowS - delayS) * 1000,
      async candles(_symbol, count, signal, timeframe = DEFAULT_TIMEFRAME) {
        const barS = barSecondsOf(timeframe);
        script.calls.push(count);
        await Promise.race([script.delay, aborted(signal)]);
        if (script.failure !== null) throw script.failure;
        const lastS = Math.floor((clock.nowS - delayS - script.lagS) / barS) * barS - barS;
        const times = Array.from({ length: count }, (_, i) => lastS - (count - 1 - i) * barS);
        return times.filter((timeS) => !script.missing.has(timeS)).map(script.candleAt);
      },
      updates(_symbols, signal) {
        script.isFollowed = true;
        return queue.drain(signal);
      },
    },
  };
  return script;
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
}
