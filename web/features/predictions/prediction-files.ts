/** Saved predictions as files of the reader's own: one card's, or all of them. What makes the text is loaded when asked for. */
import type { PredictionRow } from '#domain/forecast/prediction.ts';
import type { OutcomeRow } from '#domain/record/outcome.ts';
import { saveFile } from '../../ui/save-file.ts';
import { fetchOutcomes, fetchPredictions } from './predictions-api.ts';

export type FileFormat = 'csv' | 'json';

export const FORMATS: readonly FileFormat[] = ['csv', 'json'];

const TYPES: Readonly<Record<FileFormat, string>> = { csv: 'text/csv', json: 'application/json' };
/** Some 20 MB of text: beyond it a page would not bear the file. */
export const MOST_IN_ONE_FILE = 1000;
/** About 1 MB of rows. */
const AT_ONCE = 50;

const exporter = () => import('#domain/record/prediction-export.ts');

/** @param outcome  null: none is known of it */
export async function saveOne(row: PredictionRow, outcome: OutcomeRow | null, format: FileFormat): Promise<void> {
  const { exportName, predictionCsv, predictionJson } = await exporter();
  const prediction = { row, outcome };
  const text = format === 'csv' ? predictionCsv(prediction) : JSON.stringify(predictionJson(prediction), null, 2);
  saveFile(exportName(row, format), [text], TYPES[format]);
}

export interface SavedAll {
  /** In the file: the newest. */
  saved: number;
  total: number;
}

/**
 * Reads everything page by page, and makes one file of it at the end: nothing is saved by half.
 *
 * @param onProgress  how many were read, of how many will be
 * @throws Error of a page that could not be read; the signal's reason when it was aborted
 */
export async function saveAll(
  userId: string,
  format: FileFormat,
  onProgress: (read: number, of: number) => void,
  signal: AbortSignal,
): Promise<SavedAll> {
  const { predictionCsvRows, predictionJson, predictionsCsvHeading } = await exporter();
  /** By id: a row saved meanwhile shifts the rest by one. */
  const parts = new Map<string, string>();
  let total = 0;
  for (let from = 0; from < MOST_IN_ONE_FILE; from += AT_ONCE) {
    const page = await fetchPredictions(userId, from, AT_ONCE);
    signal.throwIfAborted();
    const outcomes = await fetchOutcomes(page.rows.map((row) => row.id));
    signal.throwIfAborted();
    const byId = new Map(outcomes.map((outcome) => [outcome.prediction_id, outcome]));
    for (const row of page.rows) {
      const prediction = { row, outcome: byId.get(row.id) ?? null };
      parts.set(row.id, format === 'csv' ? predictionCsvRows(prediction) : JSON.stringify(predictionJson(prediction)));
    }
    total = page.total;
    const all = Math.min(total, MOST_IN_ONE_FILE);
    onProgress(Math.min(from + AT_ONCE, all), all);
    if (from + AT_ONCE >= total) break;
  }
  const texts = [...parts.values()].slice(0, MOST_IN_ONE_FILE);
  saveFile(
    `kat-predictions.${format}`,
    format === 'csv' ? [predictionsCsvHeading(), ...texts] : ['[\n', texts.join(',\n'), '\n]\n'],
    TYPES[format],
  );
  return { saved: texts.length, total };
}
