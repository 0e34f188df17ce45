/** A drawing for each step of the tour. It is no market's data, so it needs no forecast on the chart. */
import { candleField, randomCandles } from '#domain/picture/candle-field.ts';
import { FieldShapes } from '../../brand/field-shapes.tsx';
import styles from './tour.module.css';

const SIZE = { width: 440, height: 196 } as const;
const STEP = 11;
const FORECAST_BARS = 16;
const FIELD = candleField({
  seed: 271,
  historyBars: 24,
  forecastBars: FORECAST_BARS,
  step: STEP,
  bodyWidth: 6,
  ...SIZE,
});
const ALTERNATIVES = [5, 12, 31].map((seed) => walkPath(seed, 1));
const OUTCOME = walkPath(8, 0.8);

const DESCRIPTIONS = [
  'Candles up to now, then two nested bands that widen with time. Both bands are highlighted.',
  'The same bands with one path in outline, and three other paths as thin lines.',
  'The same bands with the real closes of the 50 minutes drawn through them.',
];

export function TourFigure({ step }: { step: number }) {
  return (
    <figure className={styles.figure} data-step={step}>
      <svg viewBox={`0 0 ${SIZE.width} ${SIZE.height}`} role="img" aria-label={DESCRIPTIONS[step]}>
        <FieldShapes field={FIELD} {...SIZE} />
        {step === 0 && (
          <>
            <text x={SIZE.width - 6} y={32} textAnchor="end" className={styles.band}>
              80%
            </text>
            <text x={SIZE.width - 6} y={164} textAnchor="end" className={styles.band}>
              95%
            </text>
          </>
        )}
        {step === 1 && ALTERNATIVES.map((path) => <path key={path} d={path} className={styles.alternative} />)}
        {step === 2 && <path d={OUTCOME} className={styles.outcome} />}
        <text x={FIELD.joinX - 6} y={SIZE.height - 8} textAnchor="end" className={styles.label}>
          now
        </text>
        <text x={SIZE.width - 6} y={SIZE.height - 8} textAnchor="end" className={styles.label}>
          + 50 min
        </text>
      </svg>
    </figure>
  );
}

/** A line from the last close through another seeded walk. @param scale  pixels for each unit of the walk */
function walkPath(seed: number, scale: number): string {
  const closes = randomCandles(seed, FORECAST_BARS).map(({ close }) => close);
  const points = closes.map((close, i) => {
    const x = FIELD.joinX + (i + 1) * STEP;
    return `${x} ${Math.round(FIELD.joinY - close * scale * FIELD.unit)}`;
  });
  return `M${FIELD.joinX} ${Math.round(FIELD.joinY)}L${points.join('L')}`;
}
