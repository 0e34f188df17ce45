/** A permanent line under a widget: what it shows, or how long it has been stale, with Retry. */
import type { ReactNode } from 'react';
import { AsOf } from './as-of.tsx';
import type { LastData } from './last-data.ts';
import styles from './last-data-note.module.css';
import { Retry, useIsQuiet } from './quiet.tsx';

export interface LastDataNoteProps<T> {
  lastData: LastData<T>;
  nowMs: number;
  /** Shown while the data is current. */
  children: ReactNode;
}

export function LastDataNote<T>({ lastData, nowMs, children }: LastDataNoteProps<T>) {
  const { failure, staleSinceMs, isRetrying, retry } = lastData;
  const isQuiet = useIsQuiet();
  if (staleSinceMs === null) return <div className={styles.note}>{children}</div>;
  return (
    <div className={styles.note} role="status">
      <p className="warning min-width-0 flex-1">
        {!isQuiet && <span>{withFullStop(failure ?? 'No updates from the server.')}</span>}{' '}
        <AsOf label="Shown as of" timeMs={staleSinceMs} nowMs={nowMs} />
      </p>
      <Retry isRetrying={isRetrying} onRetry={retry} />
    </div>
  );
}

function withFullStop(text: string): string {
  return /[.!?…]$/.test(text) ? text : `${text}.`;
}
