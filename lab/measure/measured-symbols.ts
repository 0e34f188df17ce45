import { barMinutesOf } from '../../domain/market/timeframes.ts';
import { type PooledForecasters, PooledHar } from './baselines/pooled-har.ts';
import type { CandleFile } from './candle-files.ts';
import { BORROWED_STRIDE_BARS, PRIOR_STRIDE_BARS } from './windows/sampling.ts';
import { type Part, segmentsOf } from './windows/splits.ts';
import { type TimeRange, type Window, windowsOf } from './windows/windows.ts';

/** A symbol with fewer earlier windows uses those of its asset class for its baselines. */
const MIN_PRIOR_WINDOWS = 300;

/** Windows for fitting the baselines of one symbol. */
export interface Prior {
  from: 'its own past' | 'the past of its asset class' | 'the measured windows themselves';
  windows: readonly Window[];
}

/** One symbol's measured windows, and access to the earlier ones for its baselines. */
export interface MeasuredSymbol {
  file: CandleFile;
  windows: readonly Window[];
  /** Computed on demand: a year of windows for every symbol would not fit into memory. */
  prior(): Prior;
  /** log-HAR of all symbols of its class before the measured span; null if there are too few windows. */
  harOfClass(): PooledForecasters | null;
}

export interface MeasuredGroup {
  name: string;
  title: string;
  symbols: MeasuredSymbol[];
}

/** Chooses the measured windows of a file. */
export type WindowCut = (file: CandleFile, span: TimeRange, strideMinutes: number) => Iterable<Window>;

interface GroupKind {
  name: string;
  title: string;
  holds(file: CandleFile, part: Part): boolean;
}

const isCrypto = (file: CandleFile): boolean => file.assetClass === 'crypto';
const isAux = (file: CandleFile): boolean => file.name.startsWith('aux-');

const STANDARD_GROUPS: readonly GroupKind[] = [
  {
    name: 'crypto-test',
    title: 'BTC and ETH spot, March 2025; BTC, ETH and SOL perpetuals, May 2025',
    holds: (file, part) => part === 'test' && isCrypto(file) && !isAux(file),
  },
  {
    name: 'crypto-others-test',
    title: 'Four more perpetuals (ADA, BNB, LTC, XRP), May 2025',
    holds: (file, part) => part === 'test' && isCrypto(file) && isAux(file),
  },
  {
    name: 'crypto-all-test',
    title: 'All crypto windows of the test spans, pooled',
    holds: (file, part) => part === 'test' && isCrypto(file),
  },
  {
    name: 'four-pairs',
    title: 'BTC, ETH, SOL and DOGE: their test spans of 2025, and of DOGE, which has none, January 2026',
    holds: (file, part) => (part === 'test' || part === 'late') && isCrypto(file) && !isAux(file),
  },
  {
    name: 'shares-test',
    title: 'AAPL, MSFT, TSLA, last third of their span (May 2025)',
    holds: (file, part) => part === 'test' && file.assetClass === 'equity',
  },
  {
    name: 'gold-test',
    title: 'Gold, last third of its 2025 span: two days, not enough data',
    holds: (file, part) => part === 'test' && file.assetClass === 'metal',
  },
  {
    name: 'crypto-2026',
    title: 'Crypto of 2026: DOGE perpetual, January',
    holds: (file, part) => part === 'late' && isCrypto(file),
  },
  {
    name: 'gold-2026',
    title: 'Gold, March to May 2026',
    holds: (file, part) => part === 'late' && file.assetClass === 'metal',
  },
];

/** The groups of the standard split. A symbol in two of them is the same object in both. */
export function standardGroups(
  files: readonly CandleFile[],
  strideMinutes: number,
  cut: WindowCut = windowsOf,
): MeasuredGroup[] {
  const pooled = pooledHarOf(files);
  const parts = files.flatMap((file) =>
    segmentsOf(file)
      .filter(({ part }) => part === 'test' || part === 'late')
      .flatMap((segment) => {
        const symbol = measuredSymbol(file, segment, [...cut(file, segment, strideMinutes)], files, pooled);
        return symbol === null ? [] : [{ file, part: segment.part, symbol }];
      }),
  );
  return STANDARD_GROUPS.map(({ name, title, holds }) => ({
    name,
    title,
    symbols: parts.filter(({ file, part }) => holds(file, part)).map(({ symbol }) => symbol),
  })).filter((group) => group.symbols.length > 0);
}

export function spanGroups(
  files: readonly CandleFile[],
  span: TimeRange,
  strideMinutes: number,
  cut: WindowCut = windowsOf,
): MeasuredGroup[] {
  const pooled = pooledHarOf(files);
  const classes = [...new Set(files.map((file) => file.assetClass))];
  return classes
    .map((assetClass) => ({
      name: assetClass,
      title: `Every ${assetClass} file, ${isoOf(span.startS)} to ${isoOf(span.endS)}`,
      symbols: files
        .filter((file) => file.assetClass === assetClass)
        .map((file) => measuredSymbol(file, span, [...cut(file, span, strideMinutes)], files, pooled))
        .filter((symbol) => symbol !== null),
    }))
    .filter((group) => group.symbols.length > 0);
}

function measuredSymbol(
  file: CandleFile,
  span: TimeRange,
  windows: readonly Window[],
  files: readonly CandleFile[],
  pooled: PooledHar,
): MeasuredSymbol | null {
  if (windows.length === 0) return null;
  return {
    file,
    windows,
    prior: () => priorOf(file, span, windows, files),
    harOfClass: () => pooled.before(file.assetClass, span.startS),
  };
}

function pooledHarOf(files: readonly CandleFile[]): PooledHar {
  return new PooledHar(files, (file) => minutesOf(PRIOR_STRIDE_BARS, file), MIN_PRIOR_WINDOWS);
}

function priorOf(file: CandleFile, span: TimeRange, measured: readonly Window[], files: readonly CandleFile[]): Prior {
  const before = { startS: 0, endS: span.startS };
  const own = [...windowsOf(file, before, minutesOf(PRIOR_STRIDE_BARS, file))];
  if (own.length >= MIN_PRIOR_WINDOWS) return { from: 'its own past', windows: own };
  const kin = files.filter((f) => f.assetClass === file.assetClass);
  const borrowed = kin.flatMap((f) => [...windowsOf(f, before, minutesOf(BORROWED_STRIDE_BARS, f))]);
  if (borrowed.length >= MIN_PRIOR_WINDOWS) return { from: 'the past of its asset class', windows: borrowed };
  // No past to fit a baseline on. Fitting on the measured windows flatters the baseline, never the model.
  return { from: 'the measured windows themselves', windows: measured };
}

function minutesOf(strideBars: typeof PRIOR_STRIDE_BARS, { timeframe }: CandleFile): number {
  return strideBars[timeframe] * barMinutesOf(timeframe);
}

function isoOf(timeS: number): string {
  if (timeS <= 0) return 'the first candle';
  return Number.isFinite(timeS) ? new Date(timeS * 1000).toISOString().slice(0, 16) : 'the last candle';
}
