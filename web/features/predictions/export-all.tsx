/** Exports every saved prediction to one file, with progress and a stop button. */
import { Download } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { formatPrice } from '#domain/format/price.ts';
import { reportError } from '../../platform/error-log.ts';
import { Button } from '../../ui/forms/button.tsx';
import { Progress } from '../../ui/status/progress.tsx';
import styles from './export-all.module.css';
import { type FileFormat, FORMATS } from './prediction-files.ts';
import { PREDICTIONS_FAILED } from './predictions-api.ts';
import { type SavedAll, saveAll } from './save-all.ts';

type State =
  | { kind: 'idle' }
  | { kind: 'reading'; read: number; of: number }
  | { kind: 'done'; words: string }
  | { kind: 'failed'; words: string };

export function ExportAll({ userId }: { userId: string }) {
  const [state, setState] = useState<State>({ kind: 'idle' });
  const running = useRef<AbortController | null>(null);
  useEffect(() => () => running.current?.abort(), []);

  async function start(format: FileFormat): Promise<void> {
    const abort = new AbortController();
    running.current = abort;
    setState({ kind: 'reading', read: 0, of: 0 });
    const tell = (next: State): void => {
      if (!abort.signal.aborted) setState(next);
    };
    try {
      const done = await saveAll(userId, format, (read, of) => tell({ kind: 'reading', read, of }), abort.signal);
      tell({ kind: 'done', words: doneWords(done) });
    } catch (error) {
      if (!abort.signal.aborted) reportError(error, { where: 'download of all predictions' });
      const message = error instanceof Error ? error.message : '';
      tell({ kind: 'failed', words: `${message || PREDICTIONS_FAILED}. No file was saved.` });
    }
  }

  function cancel(): void {
    running.current?.abort();
    setState({ kind: 'done', words: 'Stopped. No file was saved.' });
  }

  if (state.kind === 'reading') {
    return (
      <div className={styles.bar}>
        <div className={styles.progress}>
          <Progress label="Reading your predictions" value={state.read} max={Math.max(1, state.of)} />
        </div>
        <Button size="small" onClick={cancel}>
          Cancel
        </Button>
      </div>
    );
  }
  return (
    <div className={styles.bar}>
      <p role="status" className={styles.words} data-failed={state.kind === 'failed' || undefined}>
        {state.kind === 'idle' ? 'All of them in one file, with what came of them:' : state.words}
      </p>
      <div className={styles.files}>
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

function doneWords({ saved, total }: SavedAll): string {
  const count = (n: number): string => formatPrice(n, 0);
  if (saved < total) return `Downloaded the newest ${count(saved)} of ${count(total)} predictions.`;
  return `Downloaded ${count(saved)} ${saved === 1 ? 'prediction' : 'predictions'}.`;
}
