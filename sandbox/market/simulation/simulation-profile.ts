/**
 * The simulator's targets for each symbol. Standard deviations and shares of unchanged closes were measured on
 * one-minute candles of each market (dollar index and oil: assumed). Recorded candles entered only as such aggregates.
 */
import type { MarketSymbol } from '#domain/market/symbols.ts';

export interface SimulationProfile {
  /** Long-run centre of the price, quote currency. */
  basePrice: number;
  /** Standard deviation of one-minute log returns within trading hours, basis points. */
  sdBp: number;
  /** Standard deviation of the slow part of log volatility: calm and wild hours. */
  slowVol: number;
  /** Standard deviation of the momentary part of log volatility: single wild minutes. */
  fastVol: number;
  /** Share of minutes that close where they opened, in addition to those caused by rounding. */
  unchangedShare: number;
  /** Volume of a typical minute, base asset (a count of price changes where the feed has no volume). */
  volume: number;
  /** Decimals of the volume. */
  volumeDecimals: number;
  /** Change of log volume per unit of log range. */
  volumeSlope: number;
  rhythm: 'crypto' | 'equity' | 'futures';
}

const EQUITY = { slowVol: 0.7, fastVol: 0.42, volumeDecimals: 0, volumeSlope: 0.45, rhythm: 'equity' } as const;

const PROFILES: Readonly<Record<string, SimulationProfile>> = {
  'BTCUSDT.P': {
    basePrice: 100_000,
    sdBp: 4.2,
    slowVol: 0.72,
    fastVol: 0.4,
    unchangedShare: 0.055,
    volume: 79,
    volumeDecimals: 3,
    volumeSlope: 0.5,
    rhythm: 'crypto',
  },
  'ETHUSDT.P': {
    basePrice: 3500,
    sdBp: 7.3,
    slowVol: 0.76,
    fastVol: 0.3,
    unchangedShare: 0.05,
    volume: 975,
    volumeDecimals: 3,
    volumeSlope: 0.73,
    rhythm: 'crypto',
  },
  'SOLUSDT.P': {
    basePrice: 180,
    sdBp: 10,
    slowVol: 0.66,
    fastVol: 0.46,
    unchangedShare: 0.025,
    volume: 11_700,
    volumeDecimals: 0,
    volumeSlope: 0.8,
    rhythm: 'crypto',
  },
  'DOGEUSDT.P': {
    basePrice: 0.22,
    sdBp: 9.7,
    slowVol: 0.7,
    fastVol: 0.42,
    unchangedShare: 0.03,
    volume: 2_200_000,
    volumeDecimals: 0,
    volumeSlope: 1.1,
    rhythm: 'crypto',
  },
  MSFT: { ...EQUITY, basePrice: 480, sdBp: 9.3, unchangedShare: 0.015, volume: 44 },
  AAPL: { ...EQUITY, basePrice: 265, sdBp: 12.8, unchangedShare: 0.02, volume: 81 },
  TSLA: { ...EQUITY, basePrice: 400, sdBp: 20.9, slowVol: 0.64, fastVol: 0.36, unchangedShare: 0.01, volume: 103 },
  'GC1!': {
    basePrice: 4100,
    sdBp: 4.4,
    slowVol: 0.55,
    fastVol: 0.36,
    unchangedShare: 0.003,
    volume: 324,
    volumeDecimals: 0,
    volumeSlope: 0.5,
    rhythm: 'futures',
  },
  'DX1!': {
    basePrice: 100,
    sdBp: 1.2,
    slowVol: 0.6,
    fastVol: 0.38,
    unchangedShare: 0,
    volume: 18,
    volumeDecimals: 0,
    volumeSlope: 0.6,
    rhythm: 'futures',
  },
  'CL1!': {
    basePrice: 62,
    sdBp: 6,
    slowVol: 0.62,
    fastVol: 0.38,
    unchangedShare: 0.01,
    volume: 160,
    volumeDecimals: 0,
    volumeSlope: 0.7,
    rhythm: 'futures',
  },
};

/** @throws Error for a symbol outside the product's table */
export function profileOf(symbol: Pick<MarketSymbol, 'sym'>): SimulationProfile {
  const profile = PROFILES[symbol.sym];
  if (profile === undefined) throw new Error(`The sandbox market has no profile for ${symbol.sym}.`);
  return profile;
}
