/** The first screen's text and picture: what Kat does, the honest line, where to go next. The live chart follows. */
import { Link } from 'react-router';
import { RESEARCH_ONLY } from '#domain/site/research-only.ts';
import { HONEST_LINE } from '../../content/honest-line.ts';
import { LinkButton } from '../../ui/forms/button.tsx';
import styles from './hero.module.css';
import { HeroPicture } from './hero-picture.tsx';

export function Hero() {
  return (
    <div className={styles.hero}>
      <div className={styles.words}>
        <h1 className={styles.title}>The next fifty minutes, drawn with their uncertainty.</h1>
        <p className={styles.lead}>
          Three models forecast the one-minute candles of Bitcoin and nine other markets: one plausible path, and the
          range around it.
        </p>
        <p className={styles.honest}>{HONEST_LINE}</p>
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
        <p className={styles.disclaimer}>{RESEARCH_ONLY}</p>
      </div>
      <figure className={styles.figure}>
        <HeroPicture />
        <figcaption className={styles.caption}>
          A drawing, not market data: 30 candles, then one plausible path inside its 80&nbsp;% and 95&nbsp;% bands.
        </figcaption>
      </figure>
    </div>
  );
}
