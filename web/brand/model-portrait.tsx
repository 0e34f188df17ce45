import type { ModelName } from '#domain/forecast/models.ts';
import { candleField } from '#domain/picture/candle-field.ts';
import { MARK_GRID, MARK_STROKE } from '#domain/picture/mark-shapes.ts';
import { classNames } from '../ui/styles/class-names.ts';
import { FieldShapes } from './field-shapes.tsx';
import { MarkShapes } from './marks.tsx';
import styles from './model-portrait.module.css';

const WIDTH = 480;
const HEIGHT = 270;
const MARK_SIZE = 132;

/** Each model has its own field: the bigger the network, the denser the candles. */
const FIELDS = {
  bobcat: { seed: 636, historyBars: 22, forecastBars: 14, step: 13.5, bodyWidth: 7.5 },
  panther: { seed: 373, historyBars: 30, forecastBars: 20, step: 9.7, bodyWidth: 5.4 },
  lion: { seed: 1653, historyBars: 40, forecastBars: 27, step: 7.2, bodyWidth: 4 },
} as const satisfies Record<ModelName, unknown>;

export interface ModelPortraitProps {
  model: ModelName;
  className?: string | undefined;
}

/** Decoration: the text beside it names the model. */
export function ModelPortrait({ model, className }: ModelPortraitProps) {
  const field = candleField({ ...FIELDS[model], width: WIDTH, height: HEIGHT });
  const corner = `translate(${(WIDTH - MARK_SIZE) / 2} ${(HEIGHT - MARK_SIZE) / 2}) scale(${MARK_SIZE / MARK_GRID})`;
  return (
    <svg
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      width={WIDTH}
      height={HEIGHT}
      preserveAspectRatio="xMidYMid slice"
      aria-hidden="true"
      className={classNames(styles.portrait, className)}
    >
      <g className={styles.field}>
        <FieldShapes field={field} width={WIDTH} height={HEIGHT} />
      </g>
      <circle cx={WIDTH / 2} cy={HEIGHT / 2} r={MARK_SIZE * 0.74} className={styles.ground} />
      <g
        transform={corner}
        fill="none"
        stroke="currentColor"
        strokeWidth={MARK_STROKE}
        strokeLinecap="round"
        strokeLinejoin="round"
        className={styles.mark}
      >
        <MarkShapes name={model} />
      </g>
    </svg>
  );
}
