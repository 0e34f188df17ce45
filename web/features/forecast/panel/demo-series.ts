/**
 * Sample candles from a seeded generator, the same moves for every visitor. Volatility clusters and returns have fat tails, as
 * on a real chart; no recorded price is in them.
 */
import type { ForecastBand } from '#domain/forecast/quantiles.ts';
import { HISTORY_BARS, HORIZON_BARS, PREDICTION_BARS } from '#domain/forecast/window.ts';
import { type Candle, MINUTE_S } from '#domain/market/candle.ts';
import type { MarketSymbol } from '#domain/market/symbols.ts';

export interface DemoSeries {
  /** 200 candles: 150 shown immediately, 50 revealed. */
  candles: Candle[];
  /** Opening second of the 150th candle. */
  joinS: number;
  band: ForecastBand;
}

/** 2026-01-06T14:29:00Z: the last candle before the forecast, without a market. */
const JOIN_S = 1_767_709_740;

/** @param market  the market's last candle, where the samples meet it; null without a market */
export function demoSeries(symbol: MarketSymbol, market: Candle | null = null): DemoSeries {
  const joinS = market?.time ?? JOIN_S;
  const drawn = drawSeries(symbol, symbol.sample.price, joinS);
  const last = drawn[HISTORY_BARS - 1]?.close ?? symbol.sample.price;
  // Drawn again from a first price that leads to the market's own.
  const candles = market === null ? drawn : drawSeries(symbol, (symbol.sample.price * market.close) / last, joinS);
  return { candles, joinS, band: demoBand(candles.slice(0, HISTORY_BARS)) };
}

function drawSeries(symbol: MarketSymbol, price: number, joinS: number): Candle[] {
  const sigma = symbol.sample.sdBp / 10_000;
  const random = seeded(symbol.label);
  const candles: Candle[] = [];
  let last = price;
  let variance = sigma ** 2;
  for (let bar = 0; bar < PREDICTION_BARS; bar += 1) {
    const move = Math.sqrt(variance) * fatTailed(random);
    // As in GARCH, variance depends on the last move and the last variance, so calm and storm come in stretches.
    variance = 0.05 * sigma ** 2 + 0.12 * move ** 2 + 0.83 * variance;
    const candle = candleFrom(last, move, Math.sqrt(variance), symbol, random);
    candles.push({ ...candle, time: joinS + (bar - HISTORY_BARS + 1) * MINUTE_S });
    last = candle.close;
  }
  return candles;
}

function candleFrom(open: number, move: number, sigma: number, symbol: MarketSymbol, random: () => number) {
  const round = (value: number) =>
    Number((Math.round(value / symbol.tickSize) * symbol.tickSize).toFixed(symbol.decimals));
  const close = round(open * Math.exp(move));
  const wick = () => 1 + sigma * 0.6 * -Math.log(1 - random());
  const high = Math.max(open, close, round(Math.max(open, close) * wick()));
  const low = Math.min(open, close, round(Math.min(open, close) / wick()));
  return { open, high, low, close, volume: Math.round(20 + 400 * random() * (1 + Math.abs(move) / sigma)) };
}

/** Width from the last hour's moves, growing with the square root of time. */
function demoBand(history: readonly Candle[]): ForecastBand {
  const hour = history.slice(-60);
  const meanSquare = hour.reduce((sum, c) => sum + Math.log(c.close / c.open) ** 2, 0) / Math.max(1, hour.length);
  const lastClose = history.at(-1)?.close ?? 1;
  const edge = (z: number) =>
    Array.from({ length: HORIZON_BARS }, (_, i) => lastClose * Math.exp(z * Math.sqrt(meanSquare * (i + 1))));
  return { lower80: edge(-Z_80), upper80: edge(Z_80), lower95: edge(-Z_95), upper95: edge(Z_95) };
}

/** Normal quantiles of 0.9 and 0.975: the upper edges of the two bands. */
const Z_80 = 1.2816;
const Z_95 = 1.96;

/** Sum of uniforms, sometimes stretched by a large factor: mean 0, variance near 1, tails fatter than normal. */
function fatTailed(random: () => number): number {
  const bell = random() + random() + random() + random() - 2;
  const stretch = random() < 0.04 ? 2.6 : 0.93;
  return bell * Math.sqrt(3) * stretch;
}

/** A small generator (mulberry32) seeded by a name: numbers in [0, 1). */
function seeded(name: string): () => number {
  let state = [...name].reduce((hash, letter) => Math.imul(hash ^ letter.charCodeAt(0), 16_777_619), 2_166_136_261);
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
