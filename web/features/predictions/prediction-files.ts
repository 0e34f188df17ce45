/** Downloads saved predictions as files. The code that makes the text loads on demand. */
import type { PredictionRow } from '#domain/forecast/prediction.ts';
import type { OutcomeRow } from '#domain/record/scoring/outcome.ts';
import { saveFile } from '../../ui/browser/save-file.ts';

export type FileFormat = 'csv' | 'json';

export const FORMATS: readonly FileFormat[] = ['csv', 'json'];

export const FILE_TYPES: Readonly<Record<FileFormat, string>> = { csv: 'text/csv', json: 'application/json' };
export const exporter = () => import('#domain/forecast/prediction-export.ts');

/** @param outcome  null if it is unknown */
export async function saveOne(row: PredictionRow, outcome: OutcomeRow | null, format: FileFormat): Promise<void> {
  const { exportName, predictionCsv, predictionJson } = await exporter();
  const prediction = { row, outcome };
  const text = format === 'csv' ? predictionCsv(prediction) : JSON.stringify(predictionJson(prediction), null, 2);
  saveFile(exportName(row, format), [text], FILE_TYPES[format]);
}
