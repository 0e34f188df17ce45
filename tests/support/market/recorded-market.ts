/** The candles for browser tests: recorded ones if MARKET_DATA_DIR is set, else a generated file. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { writeMarketData } from './market-data.ts';

export interface MarketData {
  dir: string;
  /** Shown in the test's name. */
  source: 'recorded candles' | 'a generated file';
  dispose(): void;
}

export async function marketDataForTests(): Promise<MarketData> {
  const configured = process.env.MARKET_DATA_DIR;
  if (configured !== undefined && configured !== '')
    return { dir: configured, source: 'recorded candles', dispose: () => undefined };
  const dir = mkdtempSync(join(tmpdir(), 'kat-market-'));
  await writeMarketData(dir);
  return { dir, source: 'a generated file', dispose: () => rmSync(dir, { recursive: true, force: true }) };
}

export interface SourceCandle {
  time: number;
  open: number;
  high: number;
  low: number;
  close: number;
  volume: number;
}

/** Every candle of one file, in the file's order. */
export function readSourceFile(dir: string, name: string): SourceCandle[] {
  const lines = gunzipSync(readFileSync(join(dir, `${name}-1m.csv.gz`)))
    .toString('utf8')
    .trim()
    .split('\n')
    .slice(1);
  return lines.map((line) => {
    const [time, open, high, low, close, volume] = line.split(',').map(Number);
    if ([time, open, high, low, close, volume].some((n) => n === undefined)) throw new Error(`short line: ${line}`);
    return { time, open, high, low, close, volume } as SourceCandle;
  });
}

/** Finds the same values in the same order, times shifted by one constant. @returns the first's index, or -1 */
export function findRun(source: readonly SourceCandle[], run: readonly SourceCandle[]): number {
  const first = run[0];
  if (!first) return -1;
  return source.findIndex((candle, start) => {
    if (candle.open !== first.open || candle.volume !== first.volume) return false;
    const shiftS = first.time - candle.time;
    return run.every((r, i) => {
      const s = source[start + i];
      return (
        s !== undefined &&
        r.time - s.time === shiftS &&
        r.open === s.open &&
        r.high === s.high &&
        r.low === s.low &&
        r.close === s.close &&
        r.volume === s.volume
      );
    });
  });
}
