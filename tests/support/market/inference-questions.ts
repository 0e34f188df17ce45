/** Test inputs of the inference process: one symbol in a calm market and in one where some fixture networks fail. */
import type { Candle } from '#domain/market/candle.ts';
import { generatedCandles } from '../../../server/forecast/models/generated-candles.ts';
import { WAIT_MS } from '../run/wait-limit.ts';

export const BTC = { sym: 'BTCUSDT.P', assetClass: 'crypto', tickSize: 0.1 } as const;
/** Longer than any computation that ends. */
export const PATIENT_MS = WAIT_MS;

export function market(volatility: number, count = 450): Candle[] {
  return generatedCandles({ seed: 'process', count, firstOpen: 60_000, tickSize: 0.1, volatility });
}

export const CALM = market(8e-4);
export const WILD = market(0.04);

export function failure(reason: string): { code: string; details: { reason: string } } {
  return { code: 'forecast/failed', details: { reason } };
}
