/** Which measured windows a model was trained on: they would flatter its figures. */
import type { ModelName } from '../../domain/forecast/models.ts';
import type { MeasuredSymbol } from './measured-symbols.ts';
import { type Part, segmentsOf } from './windows/splits.ts';

export interface SeenInTraining {
  file: string;
  part: Part;
  windows: number;
  models: ModelName[];
}

/**
 * @param models  with the checksums (sha256) of the candle files that each was trained on
 * @returns by file and part. A file that was cut or extended has another checksum and is not recognised.
 */
export function seenInTraining(
  models: readonly { name: ModelName; trainedOn: ReadonlySet<string> }[],
  symbols: Iterable<MeasuredSymbol>,
): SeenInTraining[] {
  return [...symbols].flatMap(({ file, windows }) => {
    const names = models.filter(({ trainedOn }) => trainedOn.has(file.sha256)).map(({ name }) => name);
    if (names.length === 0) return [];
    return segmentsOf(file)
      .filter(({ part }) => part === 'fit' || part === 'validate')
      .map(({ part, startS, endS }) => ({
        file: file.name,
        part,
        windows: windows.filter(({ t0 }) => t0 >= startS && t0 < endS).length,
        models: names,
      }))
      .filter((seen) => seen.windows > 0);
  });
}
