/**
 * Bars of minutes to weeks, years back. The newest days are built from minute candles, so that their last close equals
 * the candles'. Older ones follow the simulator's slow path from day to day, without its minutes.
 */
import { type Candle, MINUTE_S } from '#domain/market/candle.ts';
import type { ListedSymbol } from '../market-sources.ts';
import { candleSeenAt, runningMinuteS } from '../market-time.ts';
import { gaussianAt, smoothGaussianAt, streamOf, uniformAt } from './noise.ts';
import { simulatedLevels } from './simulation.ts';
import { profileOf } from './simulation-profile.ts';

const HOUR_S = 3600;
const DAY_S = 86_400;
/** Days before today that are built from minutes. */
const MINUTE_DAYS = 4;
/** Cached bars, which are final: fourteen years of days, and months of hours. */
const MAX_CACHED = 10_000;
/** Decimals of volumes that are not sums of candles. */
const VOLUME_DECIMALS = 8;

export interface LongRange {
  /**
   * @param seconds  length of a bar: whole minutes below an hour, whole hours below a day, else whole days
   * @returns the newest `count` bars, oldest first, on the epoch's grid; the last is unfinished
   */
  bars(seconds: number, count: number, nowMs: number): Candle[];
}

export function longRange(listed: ListedSymbol, seed: string): LongRange {
  const { symbol, source } = listed;
  const profile = profileOf(symbol);
  const levelOf = simulatedLevels(symbol, seed);
  const named = (name: string): number => streamOf(seed, symbol.sym, 'long range', name);
  const streams = { stray: named('stray'), high: named('high'), low: named('low'), volume: named('volume') };
  const cache = new Map<string, Candle>();
  // A recording has its own prices, so the slow path is shifted to the recording's start.
  const firstOpen = source.kind === 'replayed' ? (source.candleAt(source.firstS)?.open ?? null) : null;
  const shift = firstOpen === null ? 0 : Math.log(firstOpen) - logAt(source.firstS);

  /** Log price at a second: the day's level plus a deviation, which is zero at a day's start. */
  function logAt(timeS: number): number {
    const day = Math.floor(timeS / DAY_S);
    const f = timeS / DAY_S - day;
    const level = levelOf(day);
    if (f === 0) return level;
    const stray = symbol.sample.sdBp * 1e-4 * Math.sqrt(DAY_S / MINUTE_S) * 0.4 * Math.sin(Math.PI * f);
    return level + f * (levelOf(day + 1) - level) + stray * smoothGaussianAt(streams.stray, timeS / HOUR_S, 3);
  }

  const toPrice = (log: number): number => {
    const ticks = Math.max(1, Math.round(Math.exp(log + shift) / symbol.tickSize));
    return Number((ticks * symbol.tickSize).toFixed(symbol.decimals));
  };

  function slowBar(startS: number, seconds: number): Candle {
    const index = startS / HOUR_S;
    const size = symbol.sample.sdBp * 1e-4 * Math.sqrt(seconds / MINUTE_S);
    const [from, to] = [logAt(startS), logAt(startS + seconds)];
    const [open, close] = [toPrice(from), toPrice(to)];
    const top = toPrice(Math.max(from, to) - Math.log(uniformAt(streams.high, index)) * 0.3 * size);
    const bottom = toPrice(Math.min(from, to) + Math.log(uniformAt(streams.low, index)) * 0.3 * size);
    const volume = profile.volume * (seconds / MINUTE_S) * Math.exp(0.35 * gaussianAt(streams.volume, index));
    return {
      time: startS,
      open,
      high: Math.max(top, open, close),
      low: Math.min(bottom, open, close),
      close,
      volume: Number(volume.toFixed(3)),
    };
  }

  function cached(key: string, isFinished: boolean, make: () => Candle | null): Candle | null {
    const known = cache.get(key);
    if (known !== undefined) return known;
    const candle = make();
    if (cache.size >= MAX_CACHED) cache.clear();
    if (isFinished && candle !== null) cache.set(key, candle);
    return candle;
  }

  function minuteBar(startS: number, endS: number, nowMs: number): Candle | null {
    const runningS = runningMinuteS(nowMs);
    const parts: (Candle | null)[] = [];
    for (let timeS = startS; timeS < endS && timeS <= runningS; timeS += MINUTE_S)
      parts.push(timeS === runningS ? candleSeenAt(listed, timeS, nowMs) : source.candleAt(timeS));
    return joined(startS, parts);
  }

  function hourBar(startS: number, nowMs: number): Candle | null {
    const endS = startS + HOUR_S;
    return cached(`h${startS}`, endS * 1000 <= nowMs, () =>
      endS > minutesFromS(nowMs) ? minuteBar(startS, endS, nowMs) : slowBar(startS, HOUR_S),
    );
  }

  function dayBar(startS: number, nowMs: number): Candle | null {
    const endS = startS + DAY_S;
    return cached(`d${startS}`, endS * 1000 <= nowMs, () =>
      endS > minutesFromS(nowMs) ? joined(startS, parts(startS, endS, HOUR_S, nowMs, hourBar)) : slowBar(startS, DAY_S),
    );
  }

  function minutesFromS(nowMs: number): number {
    const todayS = Math.floor(nowMs / 1000 / DAY_S) * DAY_S;
    return Math.max(source.firstS, todayS - MINUTE_DAYS * DAY_S);
  }

  function barAt(startS: number, seconds: number, nowMs: number): Candle | null {
    const endS = startS + seconds;
    if (seconds >= DAY_S) return joined(startS, parts(startS, endS, DAY_S, nowMs, dayBar));
    if (seconds >= HOUR_S) return joined(startS, parts(startS, endS, HOUR_S, nowMs, hourBar));
    return endS > source.firstS ? minuteBar(startS, endS, nowMs) : null;
  }

  return {
    bars(seconds, count, nowMs) {
      const lastS = Math.floor(nowMs / 1000 / seconds) * seconds;
      const starts = Array.from({ length: count }, (_, i) => lastS - (count - 1 - i) * seconds);
      return starts.map((startS) => barAt(startS, seconds, nowMs)).filter((bar) => bar !== null);
    },
  };
}

function parts(
  startS: number,
  endS: number,
  stepS: number,
  nowMs: number,
  barAt: (startS: number, nowMs: number) => Candle | null,
): (Candle | null)[] {
  const found: (Candle | null)[] = [];
  for (let timeS = startS; timeS < endS && timeS * 1000 <= nowMs; timeS += stepS) found.push(barAt(timeS, nowMs));
  return found;
}

function joined(startS: number, bars: readonly (Candle | null)[]): Candle | null {
  const traded = bars.filter((bar) => bar !== null);
  const [first] = traded;
  const last = traded.at(-1);
  if (first === undefined || last === undefined) return null;
  const volume = traded.reduce((sum, bar) => sum + (bar.volume ?? 0), 0);
  return {
    time: startS,
    open: first.open,
    high: traded.reduce((high, bar) => Math.max(high, bar.high), first.high),
    low: traded.reduce((low, bar) => Math.min(low, bar.low), first.low),
    close: last.close,
    volume: Number(volume.toFixed(VOLUME_DECIMALS)),
  };
}
