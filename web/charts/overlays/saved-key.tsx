/** The key of a saved forecast's picture. Its swatches are hidden from assistive technology, which has the picture's text. */
import type { ReactNode } from 'react';
import { NO_BANDS } from '#domain/record/messages/coverage-messages.ts';
import { classNames } from '../../ui/styles/class-names.ts';
import styles from './saved-key.module.css';

export interface SavedKeyProps {
  /** `missing`: the forecast had bands, and none were saved with it. `none`: a picture without a forecast. */
  bands: 'drawn' | 'missing' | 'none';
  hasOutcome: boolean;
  className?: string | undefined;
}

export function SavedKey({ bands, hasOutcome, className }: SavedKeyProps) {
  return (
    <p className={classNames(styles.key, className)}>
      {bands === 'missing' && <span>{NO_BANDS}</span>}
      {bands === 'drawn' && (
        <>
          <Entry stroke={styles.band80}>80% band</Entry>
          <Entry stroke={styles.band95}>95%</Entry>
        </>
      )}
      {hasOutcome && <Entry stroke={styles.line}>outcome</Entry>}
    </p>
  );
}

function Entry({ stroke, children }: { stroke: string | undefined; children: ReactNode }) {
  return (
    <span className={styles.entry} aria-hidden="true">
      <span className={stroke} />
      {children}
    </span>
  );
}
