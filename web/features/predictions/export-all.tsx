/** Exports every saved prediction to one file, with progress and a stop button. */
import Download from 'lucide-react/icons/download';
import { useEffect, useRef, useState } from 'react';
import { formatPrice } from '#domain/format/price.ts';
import { reportError } from '../../platform/error-log.ts';
import { logExport } from '../../session/log-export.ts';
import { saveFile } from '../../ui/browser/save-file.ts';
import { Button } from '../../ui/forms/button.tsx';
import { Progress } from '../../ui/status/progress.tsx';
import styles from './export-all.module.css';
import { FILE_TYPES, type FileFormat, FORMATS } from './file-format.ts';
import { fetchOutcomes, fetchPredictions, PREDICTIONS_FAILED } from './predictions-api.ts';

type State =
  | { kind: 'idle' }
  | { kind: 'reading'; read: number; of: number }
  | { kind: 'done'; message: string }
  | { kind: 'failed'; message: string };

export function ExportAll({ userId }: { userId: string }) {
  const [state, setState] = useState<State>({ kind: 'idle' });
  const running = useRef<AbortController | null>(null);
  useEffect(() => () => running.current?.abort(), []);

  async function start(format: FileFormat): Promise<void> {
    const abort = new AbortController();
    running.current = abort;
    setState({ kind: 'reading', read: 0, of: 0 });
    const update = (next: State): void => {
      if (!abort.signal.aborted) setState(next);
    };
    try {
      const done = await saveAll(userId, format, (read, of) => update({ kind: 'reading', read, of }), abort.signal);
      update({ kind: 'done', message: doneMessage(done) });
    } catch (error) {
      if (!abort.signal.aborted) reportError(error, { where: 'download of all predictions' });
      const message = error instanceof Error ? error.message : '';
      update({ kind: 'failed', message: `${message || PREDICTIONS_FAILED}. No file was saved.` });
    }
  }

  function cancel(): void {
    running.current?.abort();
    setState({ kind: 'done', message: 'Stopped. No file was saved.' });
  }

  if (state.kind === 'reading') {
    return (
      <div className={styles.bar}>
        <div className={styles.progress}>
          <Progress label="Loading your predictions" value={state.read} max={Math.max(1, state.of)} />
        </div>
        <Button size="small" onClick={cancel}>
          Cancel
        </Button>
      </div>
    );
  }
  return (
    <div className={styles.bar}>
      <p role="status" className={styles.message} data-failed={state.kind === 'failed' || undefined}>
        {state.kind === 'idle' ? 'All your predictions in one file, with their outcomes:' : state.message}
      </p>
      <div className="flex gap-2">
        {FORMATS.map((format) => (
          <Button
            key={format}
            size="small"
            aria-label={`Download all as ${format.toUpperCase()}`}
            icon={<Download size={14} aria-hidden="true" />}
            onClick={() => void start(format)}
          >
            {format.toUpperCase()}
          </Button>
        ))}
      </div>
    </div>
  );
}

function doneMessage({ saved, total }: SavedAll): string {
  const count = (n: number): string => formatPrice(n, 0);
  if (saved < total) return `Downloaded the newest ${count(saved)} of ${count(total)} predictions.`;
  return `Downloaded ${count(saved)} ${saved === 1 ? 'prediction' : 'predictions'}.`;
}

/** About 20 MB of text; a page could not handle a larger file. */
const MOST_IN_ONE_FILE = 1000;
/** About 1 MB of rows. */
const BATCH = 50;

interface SavedAll {
  /** Predictions in the file, the newest ones. */
  saved: number;
  total: number;
}

/**
 * Makes one file at the end, so no partial one is saved. @param onProgress  how many were read, of how many
 * @throws Error of a page that could not be read; the signal's reason on abort
 */
async function saveAll(
  userId: string,
  format: FileFormat,
  onProgress: (read: number, of: number) => void,
  signal: AbortSignal,
): Promise<SavedAll> {
  const { predictionCsvRows, predictionJson, predictionsCsvHeading } = await import(
    '#domain/forecast/prediction-export.ts'
  );
  /** By id: a row saved meanwhile shifts the rest by one. */
  const parts = new Map<string, string>();
  let total = 0;
  for (let from = 0; from < MOST_IN_ONE_FILE; from += BATCH) {
    const page = await fetchPredictions(userId, from, BATCH, signal);
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
    onProgress(Math.min(from + BATCH, all), all);
    if (from + BATCH >= total) break;
  }
  const texts = [...parts.values()].slice(0, MOST_IN_ONE_FILE);
  saveFile(
    `kat-predictions.${format}`,
    format === 'csv' ? [predictionsCsvHeading(), ...texts] : ['[\n', texts.join(',\n'), '\n]\n'],
    FILE_TYPES[format],
  );
  void logExport('predictions');
  return { saved: texts.length, total };
}
