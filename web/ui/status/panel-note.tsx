/** The line at the foot of a flush panel, from border to border, and its failure message. */
import type { ReactNode } from 'react';
import { classNames } from '../styles/class-names.ts';
import type { LastData } from './last-data.ts';
import { LastDataNote, type LastDataNoteProps } from './last-data-note.tsx';
import styles from './panel-note.module.css';
import { Retry } from './quiet.tsx';
import { ReportedFailure } from './reported-failure.tsx';

export interface PanelNoteProps<T> extends LastDataNoteProps<T> {
  /** How many lines its text takes on phones. */
  phoneLines?: 1 | 2 | 3;
}

export function PanelNote<T>({ phoneLines = 1, ...note }: PanelNoteProps<T>) {
  return (
    <div className={classNames(styles.note, phoneLines === 2 && styles.two, phoneLines === 3 && styles.three)}>
      <LastDataNote {...note} />
    </div>
  );
}

export interface FailureLineProps {
  /** alert interrupts, status waits its turn. Omit it if the content has its own role. */
  role?: 'alert' | 'status';
  /** Retries the failed query; omitted where another Retry covers it. */
  again?: Pick<LastData<unknown>, 'isRetrying' | 'retry'> | undefined;
  children: ReactNode;
}

/** A failure message with Retry at the end of the line; the parent lays them out side by side. */
export function FailureLine({ role, again, children }: FailureLineProps) {
  return (
    <>
      <ReportedFailure className="flex-1 min-width-0 warning break-anywhere" spokenAs={role ?? null}>
        {children}
      </ReportedFailure>
      {again && <Retry isRetrying={again.isRetrying} onRetry={again.retry} />}
    </>
  );
}
