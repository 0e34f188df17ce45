/** A permanent line under a widget: what it shows, or how long it has been stale, with Retry. */
import type { ReactNode } from 'react';
import { Button } from '../forms/button.tsx';
import { AsOf } from './as-of.tsx';
import type { LastData } from './last-data.ts';
import styles from './last-data-note.module.css';

export interface LastDataNoteProps<T> {
  kept: LastData<T>;
  nowMs: number;
  /** Shown while the data is current. */
  children: ReactNode;
}

export function LastDataNote<T>({ kept, nowMs, children }: LastDataNoteProps<T>) {
  const { failure, staleSinceMs, isRetrying, retry } = kept;
  if (staleSinceMs === null) return <div className={styles.note}>{children}</div>;
  return (
    <div className={styles.note} role="status">
      <p className="warning min-width-0 flex-1">
        {sentence(failure ?? 'No news from the server.')}{' '}
        <AsOf words="Shown as of" timeMs={staleSinceMs} nowMs={nowMs} />
      </p>
      <Button size="small" isBusy={isRetrying} onClick={retry}>
        Retry
      </Button>
    </div>
  );
}

function sentence(text: string): string {
  return /[.!?…]$/.test(text) ? text : `${text}.`;
}
