/**
 * In the exact format of real recordings: `SYMBOL-1m.csv.gz` with the header `time,open,high,low,close,volume`. The
 * same seed writes the same files.
 */
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { type Candle, MINUTE_S } from '#domain/market/candle.ts';
import { decimalText } from '#domain/market/codecs/decimal-text.ts';
import { type MarketSymbol, SYMBOLS } from '#domain/market/symbols.ts';
import { RECORDING_NAMES } from '../../../sandbox/market/market-sources.ts';
import { simulatedSource } from '../../../sandbox/market/simulation/simulation.ts';

export interface MarketDataOptions {
  /** `sym` codes to write; default: all that can be recorded. */
  syms?: readonly string[];
  seed?: string;
  /** First recorded minute, epoch seconds; default: 3 March 2025, a Monday. */
  fromS?: number;
  /** Days in each file; perpetuals need at least 1, exchanges with trading hours at least 21. */
  days?: number;
}

export interface MarketDataFile {
  sym: string;
  path: string;
  candles: readonly Candle[];
}

/** Writes the files into `dir`, which is created if missing, and returns their content. */
export async function writeMarketData(dir: string, options: MarketDataOptions = {}): Promise<MarketDataFile[]> {
  const { syms = Object.keys(RECORDING_NAMES), seed = 'recorded' } = options;
  const { fromS = Date.parse('2025-03-03T00:00:00Z') / 1000, days = 21 } = options;
  await mkdir(dir, { recursive: true });
  return Promise.all(
    syms.map(async (sym) => {
      const symbol = SYMBOLS.find((s) => s.sym === sym);
      const name = RECORDING_NAMES[sym];
      if (symbol === undefined || name === undefined) throw new Error(`${sym} has no recording`);
      const candles = record(symbol, seed, fromS, days * 1440);
      const path = join(dir, `${name}-1m.csv.gz`);
      await writeFile(path, gzipSync(toCsv(candles)));
      return { sym, path, candles };
    }),
  );
}

function record(symbol: MarketSymbol, seed: string, fromS: number, minutes: number): Candle[] {
  const source = simulatedSource(symbol, seed);
  const candles = Array.from({ length: minutes }, (_, i) => source.candleAt(fromS + i * MINUTE_S));
  return candles.filter((candle) => candle !== null);
}

function toCsv(candles: readonly Candle[]): string {
  const rows = candles.map((c) =>
    [c.time, ...[c.open, c.high, c.low, c.close, c.volume ?? 0].map(decimalText)].join(','),
  );
  return `${['time,open,high,low,close,volume', ...rows].join('\n')}\n`;
}
