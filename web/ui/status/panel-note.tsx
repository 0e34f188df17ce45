/** The line at the foot of a flush panel, from border to border, and what it says of a failure. */
import type { ReactNode } from 'react';
import { Button } from '../forms/button.tsx';
import { classNames } from '../styles/class-names.ts';
import type { Kept } from './kept.ts';
import { KeptNote, type KeptNoteProps } from './kept-note.tsx';
import styles from './panel-note.module.css';
import { ReportedFailure } from './reported-failure.tsx';

export interface PanelNoteProps<T> extends KeptNoteProps<T> {
  /** How many lines its words take on phones. */
  phoneLines?: 1 | 2 | 3;
}

export function PanelNote<T>({ phoneLines = 1, ...note }: PanelNoteProps<T>) {
  return (
    <div className={classNames(styles.note, phoneLines === 2 && styles.two, phoneLines === 3 && styles.three)}>
      <KeptNote {...note} />
    </div>
  );
}

export interface FailureLineProps {
  /** alert: interrupts; status: waits its turn. None: the words hold one of their own. */
  role?: 'alert' | 'status';
  /** Of what did not come; none where another Retry asks for it too. */
  again?: Pick<Kept<unknown>, 'isRetrying' | 'retry'> | undefined;
  children: ReactNode;
}

/** What failed, with Retry at the end of the line; its parent lays them out beside each other. */
export function FailureLine({ role, again, children }: FailureLineProps) {
  return (
    <>
      <ReportedFailure className={styles.failure} spokenAs={role ?? null}>
        {children}
      </ReportedFailure>
      {again && (
        <Button size="small" isBusy={again.isRetrying} onClick={again.retry}>
          Retry
        </Button>
      )}
    </>
  );
}
