/** The first screen's text and picture: what Kat does, the honest line, where to go next. The live chart follows. */
import { Link } from 'react-router';
import { candleField } from '#domain/picture/candle-field.ts';
import { RESEARCH_ONLY } from '#domain/site/research-only.ts';
import { FieldShapes } from '../../brand/field-shapes.tsx';
import { BobcatMark, LionMark, PantherMark } from '../../brand/marks.tsx';
import { HONEST_LINE } from '../../content/honest-line.ts';
import { LinkButton } from '../../ui/forms/button.tsx';
import styles from './hero.module.css';

export function Hero() {
  return (
    <div className={styles.hero}>
      <div className="grid gap-4">
        <h1 className={styles.title}>The next fifty minutes, drawn with their uncertainty.</h1>
        <p className={styles.lead}>
          Three models forecast the one-minute candles of Bitcoin and nine other markets: one plausible path, and the
          range around it.
        </p>
        <p className={styles.honest}>{HONEST_LINE}</p>
        <div className="row wrap gap-3">
          <LinkButton to="/kat" variant="primary" className={styles.action}>
            Open AI Prediction
          </LinkButton>
          <LinkButton to="/ai-models" className={styles.action}>
            How the models work
          </LinkButton>
          <p className={styles.more}>
            <Link to="/track-record">Track record</Link>
            <Link to="/research">Research</Link>
            <Link to="/about">About</Link>
          </p>
        </div>
        <p className="muted size-13">{RESEARCH_ONLY}</p>
      </div>
      <figure className="min-width-0">
        <HeroPicture />
        <figcaption className="muted size-12 margin-top-2">
          An illustration, not market data: 30 candles, then one plausible path inside its 80% and 95% bands.
        </figcaption>
      </figure>
    </div>
  );
}

const PICTURE = { width: 640, height: 360 } as const;
const FIELD = candleField({ seed: 271, historyBars: 30, forecastBars: 16, step: 14, bodyWidth: 8, ...PICTURE });
const GRID_Y = [60, 120, 180, 240, 300];

/** Our own drawing: a field of candles, the join, an outlined forecast inside its bands, the three marks above it. */
function HeroPicture() {
  return (
    <div className={styles.picture}>
      <svg
        viewBox={`0 0 ${PICTURE.width} ${PICTURE.height}`}
        role="img"
        aria-label="Thirty drawn candles, then a forecast: candles in outline inside two nested bands that widen with time. Above them are the marks of Bobcat, Panther and Lion."
      >
        {GRID_Y.map((y) => (
          <line key={y} x1="0" x2={PICTURE.width} y1={y} y2={y} className={styles.grid} />
        ))}
        <FieldShapes field={FIELD} {...PICTURE} />
        <text x={FIELD.joinX + 8} y={PICTURE.height - 12} className={styles.label}>
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
