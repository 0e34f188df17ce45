/** Exports all saved predictions to one file. Only the page that offers it loads this. */
import { saveFile } from '../../ui/browser/save-file.ts';
import { exporter, FILE_TYPES, type FileFormat } from './prediction-files.ts';
import { fetchOutcomes, fetchPredictions } from './predictions-api.ts';

/** About 20 MB of text; a page could not handle a larger file. */
const MOST_IN_ONE_FILE = 1000;
/** About 1 MB of rows. */
const AT_ONCE = 50;

export interface SavedAll {
  /** Predictions in the file, the newest ones. */
  saved: number;
  total: number;
}

/**
 * Reads everything page by page, and makes one file at the end: no partial file is saved.
 *
 * @param onProgress  how many predictions have been read, of how many
 * @throws Error of a page that could not be read; the signal's reason on abort
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
    const page = await fetchPredictions(userId, from, AT_ONCE, signal);
    const ids = page.rows.map((row) => row.id);
    const outcomes = await fetchOutcomes(ids, signal);
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
    FILE_TYPES[format],
  );
  return { saved: texts.length, total };
}
