import { candleField } from '#domain/picture/candle-field.ts';
import { FieldShapes } from '../../brand/field-shapes.tsx';
import { HONEST_LINE } from '../../content/honest-line.ts';
import styles from './auth-picture.module.css';

const PICTURE = { width: 720, height: 480 } as const;
const FIELD = candleField({ seed: 271, historyBars: 30, forecastBars: 20, step: 14, bodyWidth: 8, ...PICTURE });

/** Beside a form on wide screens: what an account is for. */
export function AuthPicture() {
  return (
    <figure className={styles.figure}>
      <svg
        viewBox={`0 0 ${PICTURE.width} ${PICTURE.height}`}
        preserveAspectRatio="xMaxYMid slice"
        className={styles.picture}
        aria-hidden="true"
      >
        <FieldShapes field={FIELD} {...PICTURE} />
      </svg>
      <figcaption className={styles.caption}>
        <p className="size-16 weight-500 text">{HONEST_LINE}</p>
        <p className="muted size-12">The picture is an illustration, not market data.</p>
      </figcaption>
    </figure>
  );
}
