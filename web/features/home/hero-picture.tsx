/** Our own picture: a field of candles, the join, a forecast inside its bands, the three marks below. */
import { BobcatMark, LionMark, PantherMark } from '../../ui/marks.tsx';
import { type DrawnCandle, drawnBand, drawnCandles, JOIN_X, PICTURE } from './field-of-candles.ts';
import styles from './hero-picture.module.css';

const CANDLES = drawnCandles();
const BAND_95 = drawnBand(32);
const BAND_80 = drawnBand(20);
const GRID_Y = [60, 120, 180, 240, 300];

export function HeroPicture() {
  return (
    <div className={styles.picture}>
      <svg
        viewBox={`0 0 ${PICTURE.width} ${PICTURE.height}`}
        role="img"
        aria-label="Thirty drawn candles, then a forecast: candles in outline inside two nested bands that widen with time."
      >
        {GRID_Y.map((y) => (
          <line key={y} x1="0" x2={PICTURE.width} y1={y} y2={y} className={styles.grid} />
        ))}
        <rect x={JOIN_X + 6} y="0" width={PICTURE.width - JOIN_X} height={PICTURE.height} className={styles.tint} />
        <polygon points={BAND_95.outline} className={styles.outer} />
        <polygon points={BAND_80.outline} className={styles.inner} />
        <line x1={JOIN_X + 6} x2={JOIN_X + 6} y1="0" y2={PICTURE.height} className={styles.join} />
        <text x={JOIN_X + 14} y="26" className={styles.word}>
          forecast
        </text>
        {CANDLES.map((candle) => (
          <Candle key={candle.x} candle={candle} />
        ))}
      </svg>
      <ul className={styles.marks} aria-hidden="true">
        <li>
          <BobcatMark size={22} />
        </li>
        <li>
          <PantherMark size={22} />
        </li>
        <li>
          <LionMark size={22} />
        </li>
      </ul>
    </div>
  );
}

function Candle({ candle }: { candle: DrawnCandle }) {
  const { x, open, close, high, low, isForecast } = candle;
  const top = Math.min(open, close);
  const bottom = Math.max(open, close);
  const direction = close <= open ? styles.up : styles.down;
  return (
    <g className={`${direction} ${isForecast ? styles.forecast : ''}`}>
      <line x1={x} x2={x} y1={high} y2={top} />
      <line x1={x} x2={x} y1={bottom} y2={low} />
      <rect x={x - 4} y={top} width="8" height={Math.max(1.5, bottom - top)} />
    </g>
  );
}
