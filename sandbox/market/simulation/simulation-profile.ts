/**
 * The simulator's targets for each symbol. Standard deviations and shares of unchanged closes were measured on
 * one-minute candles of each market (dollar index and oil: assumed). Recorded candles entered only as such aggregates.
 * The price and its standard deviation are in the table of symbols.
 */
import type { MarketSymbol } from '#domain/market/symbols.ts';

export interface SimulationProfile {
  /** Standard deviation of the slow part of log volatility: calm and wild hours. */
  slowVol: number;
  /** Standard deviation of the momentary part of log volatility: single wild minutes. */
  fastVol: number;
  /** Share of minutes that close where they opened, in addition to those caused by rounding. */
  unchangedShare: number;
  /** Volume of a typical minute, base asset (a count of price changes where the feed has no volume). */
  volume: number;
  volumeDecimals: number;
  /** Change of log volume per unit of log range. */
  volumeSlope: number;
  rhythm: 'crypto' | 'equity' | 'futures';
}

export interface BookLevels {
  /** Ticks between two levels: about 0.3 basis points of the price. */
  slotTicks: number;
  /** Typical size of a level, base asset: some ten thousand dollars. */
  size: number;
  sizeDecimals: number;
}

/** A crypto perpetual that was not measured: a rhythm and a volume like those of the four that were. */
const CRYPTO = {
  slowVol: 0.7,
  fastVol: 0.42,
  unchangedShare: 0.03,
  volumeDecimals: 0,
  volumeSlope: 0.8,
  rhythm: 'crypto',
} as const;
const MINUTE_DOLLARS = 1e6;

const EQUITY = { slowVol: 0.7, fastVol: 0.42, volumeDecimals: 0, volumeSlope: 0.45, rhythm: 'equity' } as const;

const MEASURED: Readonly<Record<string, SimulationProfile>> = {
  'BTCUSDT.P': {
    slowVol: 0.72,
    fastVol: 0.4,
    unchangedShare: 0.055,
    volume: 79,
    volumeDecimals: 3,
    volumeSlope: 0.5,
    rhythm: 'crypto',
  },
  'ETHUSDT.P': {
    slowVol: 0.76,
    fastVol: 0.3,
    unchangedShare: 0.05,
    volume: 975,
    volumeDecimals: 3,
    volumeSlope: 0.73,
    rhythm: 'crypto',
  },
  'SOLUSDT.P': {
    slowVol: 0.66,
    fastVol: 0.46,
    unchangedShare: 0.025,
    volume: 11_700,
    volumeDecimals: 0,
    volumeSlope: 0.8,
    rhythm: 'crypto',
  },
  'DOGEUSDT.P': {
    slowVol: 0.7,
    fastVol: 0.42,
    unchangedShare: 0.03,
    volume: 2_200_000,
    volumeDecimals: 0,
    volumeSlope: 1.1,
    rhythm: 'crypto',
  },
  MSFT: { ...EQUITY, unchangedShare: 0.015, volume: 44 },
  AAPL: { ...EQUITY, unchangedShare: 0.02, volume: 81 },
  TSLA: { ...EQUITY, slowVol: 0.64, fastVol: 0.36, unchangedShare: 0.01, volume: 103 },
  'GC1!': {
    slowVol: 0.55,
    fastVol: 0.36,
    unchangedShare: 0.003,
    volume: 324,
    volumeDecimals: 0,
    volumeSlope: 0.5,
    rhythm: 'futures',
  },
  'DX1!': {
    slowVol: 0.6,
    fastVol: 0.38,
    unchangedShare: 0,
    volume: 18,
    volumeDecimals: 0,
    volumeSlope: 0.6,
    rhythm: 'futures',
  },
  'CL1!': {
    slowVol: 0.62,
    fastVol: 0.38,
    unchangedShare: 0.01,
    volume: 160,
    volumeDecimals: 0,
    volumeSlope: 0.7,
    rhythm: 'futures',
  },
};

const BOOK_LEVELS: Readonly<Record<string, BookLevels>> = {
  'BTCUSDT.P': { slotTicks: 20, size: 0.15, sizeDecimals: 8 },
  'ETHUSDT.P': { slotTicks: 10, size: 3.5, sizeDecimals: 8 },
  'SOLUSDT.P': { slotTicks: 5, size: 60, sizeDecimals: 3 },
  'DOGEUSDT.P': { slotTicks: 1, size: 25_000, sizeDecimals: 1 },
};

/** @throws Error for a symbol that was not measured and is not a coin */
export function profileOf({ sym, assetClass, sample }: MarketSymbol): SimulationProfile {
  const measured = MEASURED[sym];
  if (measured !== undefined) return measured;
  if (assetClass !== 'crypto') throw new Error(`The sandbox market has no profile for ${sym}.`);
  return { ...CRYPTO, volume: Math.ceil(MINUTE_DOLLARS / sample.price) };
}

export function bookLevelsOf({ sym, tickSize, sample }: MarketSymbol): BookLevels {
  const slotTicks = Math.max(1, Math.round((0.3e-4 * sample.price) / tickSize));
  return BOOK_LEVELS[sym] ?? { slotTicks, size: Number((1e4 / sample.price).toPrecision(2)), sizeDecimals: 3 };
}
