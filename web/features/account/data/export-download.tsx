/** 'Download my data': everything stored about the user in one file. An incomplete file is never saved. */
import Download from 'lucide-react/icons/download';
import { useEffect, useRef, useState } from 'react';
import { zonedDate } from '#domain/format/zoned-time.ts';
import { saveFile } from '../../../ui/browser/save-file.ts';
import { useTimeZone } from '../../../ui/browser/time-zone.ts';
import { Button } from '../../../ui/forms/button.tsx';
import { Failure } from '../../../ui/status/failure.tsx';
import { fetchAccountExport } from './export-api.ts';
import styles from './export-download.module.css';

type State =
  | { kind: 'idle' }
  | { kind: 'reading'; bytes: number }
  | { kind: 'done'; name: string; bytes: number }
  | { kind: 'stopped' }
  | { kind: 'failed'; message: string };

export function ExportDownload() {
  const { zone } = useTimeZone();
  const [state, setState] = useState<State>({ kind: 'idle' });
  const running = useRef<AbortController | null>(null);
  useEffect(() => () => running.current?.abort(), []);

  const start = async () => {
    const abort = new AbortController();
    running.current = abort;
    setState({ kind: 'reading', bytes: 0 });
    let read = 0;
    const onProgress = (bytes: number) => {
      read = bytes;
      if (!abort.signal.aborted) setState({ kind: 'reading', bytes });
    };
    try {
      const { text, exportedAtMs } = await fetchAccountExport(onProgress, abort.signal);
      abort.signal.throwIfAborted();
      const name = `kat-account-${zonedDate(exportedAtMs, zone)}.json`;
      saveFile(name, [text], 'application/json');
      setState({ kind: 'done', name, bytes: read });
    } catch (error) {
      if (!abort.signal.aborted) setState({ kind: 'failed', message: failureMessage(error) });
    }
  };

  const stop = () => {
    running.current?.abort();
    setState({ kind: 'stopped' });
  };

  const isReading = state.kind === 'reading';
  return (
    <div className="grid gap-3">
      <div className="row wrap gap-2-3">
        <Button isBusy={isReading} icon={<Download size={16} aria-hidden="true" />} onClick={() => void start()}>
          Download my data
        </Button>
        {isReading && (
          <Button variant="quiet" onClick={stop}>
            Stop
          </Button>
        )}
        <span className={styles.status} aria-hidden={isReading}>
          {isReading && `${megabytes(state.bytes)} so far`}
        </span>
        <span role="status" className={styles.status}>
          {endOf(state)}
        </span>
      </div>
      {state.kind === 'failed' && <Failure>{state.message}</Failure>}
    </div>
  );
}

function endOf(state: State): string | null {
  if (state.kind === 'done') return `Saved as ${state.name} (${megabytes(state.bytes)}).`;
  return state.kind === 'stopped' ? 'Stopped. No file was saved.' : null;
}

function megabytes(bytes: number): string {
  return bytes < 100_000 ? `${Math.ceil(bytes / 1000)} kB` : `${(bytes / 1e6).toFixed(1)} MB`;
}

function failureMessage(error: unknown): string {
  const { code, status } = refusalOf(error);
  if (code === 'request/too-many' || status === 429)
    return 'You downloaded your data several times within an hour. Please wait a while. No file was saved.';
  if (status === 401) return 'Your session has ended. Sign in again. No file was saved.';
  return 'The download was interrupted. No file was saved. Please try again.';
}

function refusalOf(error: unknown): { code?: unknown; status?: unknown } {
  return typeof error === 'object' && error !== null ? error : {};
}
