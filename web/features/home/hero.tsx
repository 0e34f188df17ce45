/** The first screen's text: what Kat does, the honest line, where to go next. The real forecast below it is the picture. */
import { Link } from 'react-router';
import { MODEL_NAMES } from '#domain/forecast/models.ts';
import { MODEL_MARKS } from '../../brand/marks.tsx';
import { HONEST_LINE } from '../../content/honest-line.ts';
import { LinkButton } from '../../ui/forms/button.tsx';
import styles from './hero.module.css';

export function Hero() {
  return (
    <div className={styles.hero}>
      <HeroPicture />
      <h1 className={styles.title}>The next fifty minutes, drawn with their uncertainty.</h1>
      <div className={styles.body}>
        <div className="grid gap-2">
          <p className={styles.lead}>
            Three models forecast the one-minute candles of Bitcoin and nine other markets: one plausible path, and the
            range around it.
          </p>
          <p className={styles.honest}>{HONEST_LINE}</p>
        </div>
        <div className={styles.actions}>
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
      </div>
    </div>
  );
}

/** Our own marks, one for each model. Candles are left to the real forecast. */
function HeroPicture() {
  return (
    <div role="img" aria-label="The marks of Bobcat, Panther and Lion, the three models" className={styles.marks}>
      {MODEL_NAMES.map((name) => {
        const ModelMark = MODEL_MARKS[name];
        return (
          <span key={name}>
            <ModelMark size={22} />
          </span>
        );
      })}
    </div>
  );
}
