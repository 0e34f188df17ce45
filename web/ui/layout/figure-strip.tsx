/** Named figures beside each other, from border to border of a flush panel; two in a row on phones. */
import type { ReactNode } from 'react';
import { Skeleton } from '../status/loader.tsx';
import { classNames } from '../styles/class-names.ts';
import styles from './figure-strip.module.css';

export interface FigureStripProps {
  /** How many stand beside each other where there is room. Of six, their words stand beside the figure, not below it. */
  columns: 4 | 6;
  isLarge?: boolean;
  isBusy?: boolean;
  /** Dimmed: the line below tells its age. */
  isOld?: boolean;
  /** `StripFigure`s. */
  children: ReactNode;
}

export function FigureStrip({ columns, isLarge = false, isBusy = false, isOld = false, children }: FigureStripProps) {
  return (
    <dl
      className={classNames(styles.strip, columns === 6 && styles.six, isLarge && styles.large, isOld && 'old-figures')}
      data-stale={isOld || undefined}
      aria-busy={isBusy || undefined}
    >
      {children}
    </dl>
  );
}

export interface StripFigureProps {
  name: string;
  isWaiting?: boolean;
  /** Plain to the eye: an agreed figure, nobody's of today. */
  isPlain?: boolean;
  /** To the figure, smaller. */
  words?: ReactNode;
  /** Where it stands from 0 to 100: a bar at the foot. */
  scale?: number | undefined;
  /** Null: a dash. */
  children: ReactNode;
}

export function StripFigure({ name, isWaiting, isPlain, words, scale, children }: StripFigureProps) {
  return (
    <div className={classNames(styles.figure, isPlain && styles.plain)}>
      <dt className={styles.name}>{name}</dt>
      <dd className={styles.value}>
        {isWaiting ? <Skeleton className={styles.waiting} /> : <span className="figures">{children ?? '–'}</span>}
        {words && <span className={styles.words}>{words}</span>}
      </dd>
      {scale !== undefined && (
        <dd className={styles.scale}>
          <svg viewBox="0 0 100 4" preserveAspectRatio="none" className={styles.track} aria-hidden="true">
            <rect width={scale} height="4" />
          </svg>
        </dd>
      )}
    </div>
  );
}
