/**
 * All crypto symbols share one calendar, because they move together. Shares and gold, with only weeks of data, are
 * split by thirds of their whole span. 51 bars before each border are dropped.
 */
import type { Candle } from '../../../domain/market/candle.ts';
import type { CandleFile } from '../candle-files.ts';

/** `late`: the spans of 2026, reported separately. */
export type Part = 'fit' | 'validate' | 'test' | 'late';

export interface Segment {
  part: Part;
  /** First t0 that belongs to it. */
  startS: number;
  /** Candles from here on belong to the next segment. */
  endS: number;
}

const utc = (text: string): number => Date.parse(`${text}T00:00:00Z`) / 1000;
const Y2023_END_S = utc('2024-01-01');
/** Seven days before the earliest end of the perpetuals' 2023 data: the same moment for all of them. */
const PERPETUALS_CUT_S = Date.parse('2023-08-10T11:10:00Z') / 1000;
const VALIDATE_START_S = utc('2025-01-01');
const TEST_START_S = utc('2025-03-01');
const LATE_START_S = utc('2026-01-01');

/** Files that are used: small old samples of coins and one share trade differently (zero returns, night hours). */
export function isUsed(name: string): boolean {
  return !name.startsWith('apache2-') || name.includes('XAUUSD');
}

export function segmentsOf(file: Pick<CandleFile, 'name' | 'assetClass' | 'candles'>): Segment[] {
  return file.assetClass === 'crypto' ? cryptoSegments(file.candles) : thirds(file.candles);
}

function cryptoSegments(candles: readonly Candle[]): Segment[] {
  const isPerpetual = !candles.some((c) => c.time >= Y2023_END_S && c.time < VALIDATE_START_S);
  const late: Segment[] = [
    { part: 'validate', startS: VALIDATE_START_S, endS: TEST_START_S },
    { part: 'test', startS: TEST_START_S, endS: LATE_START_S },
    { part: 'late', startS: LATE_START_S, endS: Number.POSITIVE_INFINITY },
  ];
  if (!isPerpetual) return [{ part: 'fit', startS: 0, endS: VALIDATE_START_S }, ...late];
  return [
    { part: 'fit', startS: 0, endS: PERPETUALS_CUT_S },
    { part: 'validate', startS: PERPETUALS_CUT_S, endS: Y2023_END_S },
    ...late,
  ];
}

function thirds(candles: readonly Candle[]): Segment[] {
  const own = candles.filter((c) => c.time >= VALIDATE_START_S && c.time < LATE_START_S);
  const late: Segment = { part: 'late', startS: LATE_START_S, endS: Number.POSITIVE_INFINITY };
  if (own.length === 0) return [{ part: 'fit', startS: 0, endS: VALIDATE_START_S }, late];
  const first = own[Math.floor(own.length / 3)]?.time ?? 0;
  const second = own[Math.floor((2 * own.length) / 3)]?.time ?? 0;
  return [
    { part: 'fit', startS: 0, endS: first },
    { part: 'validate', startS: first, endS: second },
    { part: 'test', startS: second, endS: LATE_START_S },
    late,
  ];
}
