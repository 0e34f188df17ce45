/** Which windows are measured, and which earlier ones the baselines may know. */
import type { CandleFile } from './candle-files.ts';
import type { MeasuredSymbol } from './measure.ts';
import { type Part, segmentsOf } from './splits.ts';
import { type Span, type Window, windowsOf } from './windows.ts';

const PRIOR_STRIDE_MINUTES = 13;
/** With fewer earlier windows of its own a symbol's baselines borrow those of its asset class. */
const MIN_PRIOR_WINDOWS = 300;

export interface MeasuredGroup {
  name: string;
  symbols: MeasuredSymbol[];
}

/** The groups of the standard split: everything of one part that belongs together. */
export function standardGroups(files: readonly CandleFile[], strideMinutes: number): MeasuredGroup[] {
  const isAux = (file: CandleFile): boolean => file.name.startsWith('aux-');
  const kinds: [string, Part, (file: CandleFile) => boolean][] = [
    ['crypto', 'test', (f) => f.assetClass === 'crypto' && !isAux(f)],
    ['crypto-others', 'test', (f) => f.assetClass === 'crypto' && isAux(f)],
    ['shares', 'test', (f) => f.assetClass === 'equity'],
    ['gold', 'test', (f) => f.assetClass === 'metal'],
    ['crypto-2026', 'late', (f) => f.assetClass === 'crypto'],
    ['gold-2026', 'late', (f) => f.assetClass === 'metal'],
  ];
  return kinds
    .map(([name, part, isOfKind]) => ({
      name,
      symbols: files.filter(isOfKind).flatMap((file) => {
        const span = segmentsOf(file).find((segment) => segment.part === part);
        return span === undefined ? [] : measuredSymbol(file, span, strideMinutes, files);
      }),
    }))
    .filter((group) => group.symbols.length > 0);
}

/** All files over one span, by asset class. */
export function spanGroups(files: readonly CandleFile[], span: Span, strideMinutes: number): MeasuredGroup[] {
  const classes = [...new Set(files.map((file) => file.assetClass))];
  return classes
    .map((assetClass) => ({
      name: assetClass,
      symbols: files
        .filter((file) => file.assetClass === assetClass)
        .flatMap((file) => measuredSymbol(file, span, strideMinutes, files)),
    }))
    .filter((group) => group.symbols.length > 0);
}

function measuredSymbol(
  file: CandleFile,
  span: Span,
  strideMinutes: number,
  files: readonly CandleFile[],
): MeasuredSymbol[] {
  const windows = [...windowsOf(file, span, strideMinutes)];
  if (windows.length === 0) return [];
  const before = { startS: 0, endS: span.startS };
  const own = [...windowsOf(file, before, PRIOR_STRIDE_MINUTES)];
  if (own.length >= MIN_PRIOR_WINDOWS) return [{ file, windows, prior: own }];
  const kin = files.filter((f) => f.assetClass === file.assetClass);
  const borrowed: Window[] = kin.flatMap((f) => [...windowsOf(f, before, 4 * PRIOR_STRIDE_MINUTES + 1)]);
  if (borrowed.length < MIN_PRIOR_WINDOWS) {
    // No past to fit a baseline on: the measured windows themselves. That flatters the baselines, never the model.
    return [{ file, windows, prior: windows }];
  }
  return [{ file, windows, prior: borrowed }];
}
