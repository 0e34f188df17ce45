/** Named figures in a row, from border to border of a flush panel; two per row on phones. */
import type { ReactNode } from 'react';
import { Skeleton } from '../status/loader.tsx';
import { classNames } from '../styles/class-names.ts';
import styles from './figure-strip.module.css';

export interface FigureStripProps {
  /** Figures per row on wide screens. With six, the small text is beside the figure instead of below it. */
  columns: 4 | 6;
  isLarge?: boolean;
  /** On phones three per row, small. */
  isDense?: boolean;
  isBusy?: boolean;
  /** Dimmed; the line below shows its age. */
  isOld?: boolean;
  children: ReactNode;
}

export function FigureStrip({
  columns,
  isLarge = false,
  isDense = false,
  isBusy = false,
  isOld = false,
  children,
}: FigureStripProps) {
  return (
    <dl
      className={classNames(
        styles.strip,
        columns === 6 && styles.six,
        isLarge && styles.large,
        isDense && styles.dense,
        isOld && 'old-figures',
      )}
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
  /** Without emphasis: a constant, not a current measurement. */
  isPlain?: boolean;
  /** Smaller text beside the figure. */
  detail?: ReactNode;
  /** Position from 0 to 100, drawn as a bar at the foot. */
  scale?: number | undefined;
  children: ReactNode;
}

export function StripFigure({ name, isWaiting, isPlain, detail, scale, children }: StripFigureProps) {
  return (
    <div className={classNames(styles.figure, isPlain && styles.plain)}>
      <dt className={styles.name}>{name}</dt>
      <dd className={styles.value}>
        {isWaiting ? <Skeleton className={styles.waiting} /> : <span className="figures">{children ?? '–'}</span>}
        {detail && <span className={styles.detail}>{detail}</span>}
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
