/** Our own drawing: a field of candles, the join, an outlined forecast inside its bands, the three marks above it. */
import { candleField } from '#domain/picture/candle-field.ts';
import { FieldShapes } from '../../brand/field-shapes.tsx';
import { BobcatMark, LionMark, PantherMark } from '../../brand/marks.tsx';
import styles from './hero-picture.module.css';

const PICTURE = { width: 640, height: 360 } as const;
const FIELD = candleField({ seed: 271, historyBars: 30, forecastBars: 16, step: 14, bodyWidth: 8, ...PICTURE });
const GRID_Y = [60, 120, 180, 240, 300];

export function HeroPicture() {
  return (
    <div className={styles.picture}>
      <svg
        viewBox={`0 0 ${PICTURE.width} ${PICTURE.height}`}
        role="img"
        aria-label="Thirty drawn candles, then a forecast: candles in outline inside two nested bands that widen with time. Over them the marks of Bobcat, Panther and Lion."
      >
        {GRID_Y.map((y) => (
          <line key={y} x1="0" x2={PICTURE.width} y1={y} y2={y} className={styles.grid} />
        ))}
        <FieldShapes field={FIELD} {...PICTURE} />
        <text x={FIELD.joinX + 8} y={PICTURE.height - 12} className={styles.word}>
          forecast
        </text>
      </svg>
      <ul className={styles.marks} aria-hidden="true">
        <li>
          <BobcatMark />
        </li>
        <li>
          <PantherMark />
        </li>
        <li>
          <LionMark />
        </li>
      </ul>
    </div>
  );
}
