/** The mark of one of up to three series, distinguished by shape first and by colour second. */
import type { ModelName } from '#domain/forecast/models.ts';
import { classNames } from '../../../ui/styles/class-names.ts';
import styles from './point-mark.module.css';

const POINT_SHAPES = ['circle', 'square', 'triangle'] as const;
export type PointShape = (typeof POINT_SHAPES)[number];

/** Within an svg, centred on (x, y). */
export function PointMark({ shape, x, y }: { shape: PointShape; x: number; y: number }) {
  const className = classNames(styles.mark, styles[shape]);
  if (shape === 'circle') return <circle cx={x} cy={y} r={3.75} className={className} />;
  if (shape === 'square') return <rect x={x - 3.5} y={y - 3.5} width={7} height={7} className={className} />;
  return <path d={`M${x} ${y - 4.6}L${x + 4.6} ${y + 3.6}H${x - 4.6}Z`} className={className} />;
}

/** In a line of text. */
export function PointKey({ shape }: { shape: PointShape }) {
  return (
    <svg width="12" height="12" viewBox="0 0 12 12" aria-hidden="true" className={styles.key}>
      <PointMark shape={shape} x={6} y={6} />
    </svg>
  );
}

export function seriesClass(shape: PointShape): string {
  return classNames(styles.whisker, styles[shape]);
}

export const MODEL_SHAPES = { bobcat: 'circle', panther: 'square', lion: 'triangle' } as const satisfies Record<
  ModelName,
  PointShape
>;
