/** Downloads saved predictions as files. Loads with the first download. */

import type { PredictionRow } from '#domain/forecast/prediction.ts';
import { exportName, predictionCsv, predictionJson } from '#domain/forecast/prediction-export.ts';
import type { OutcomeRow } from '#domain/record/scoring/outcome.ts';
import { saveFile } from '../../ui/browser/save-file.ts';
import { FILE_TYPES, type FileFormat } from './file-format.ts';

/** @param outcome  null if it is unknown */
export function saveOne(row: PredictionRow, outcome: OutcomeRow | null, format: FileFormat): void {
  const prediction = { row, outcome };
  const text = format === 'csv' ? predictionCsv(prediction) : JSON.stringify(predictionJson(prediction), null, 2);
  saveFile(exportName(row, format), [text], FILE_TYPES[format]);
}
