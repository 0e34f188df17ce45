import { Link } from 'react-router';
import { KatMark } from '../../brand/marks.tsx';
import { HONEST_LINE } from '../../content/honest-line.ts';
import styles from './about-story.module.css';

export function AboutStory() {
  return (
    <div className="grid gap-6 size-16 readable-width">
      <header className="grid gap-3">
        <KatMark size={44} className={styles.mark} />
        <h1>About</h1>
        <p className={styles.lead}>{HONEST_LINE}</p>
      </header>
      <section aria-labelledby="about-why" className={styles.part}>
        <h2 id="about-why">Why a range and not a price</h2>
        <p>
          Most one-minute price forecasts are the last price in disguise: drawn over history they look right, but they
          say nothing. What can be forecast at that scale is how far the price is likely to move. Kat is built on that
          idea. A forecast is a band that should hold a stated share of closes, and the drawn candles are one path
          inside it.
        </p>
      </section>
      <section aria-labelledby="about-how" className={styles.part}>
        <h2 id="about-how">How a forecast is made</h2>
        <p>
          Three neural networks of increasing size, Bobcat, Panther and Lion, read the last 450 one-minute candles and
          forecast the next 50. They are trained on recorded candles and tested on periods they were not trained on,
          against simple baselines that need no network at all.{' '}
          <Link to="/ai-models">The figures, misses included</Link>, are published for each model.
        </p>
        <p>
          Everyone who requests a forecast in the same minute gets the same one. Kat withholds an implausible forecast,
          and it costs you nothing. When prices are late, replayed or simulated, everything drawn from them is marked.
        </p>
      </section>
      <section aria-labelledby="about-not" className={styles.part}>
        <h2 id="about-not">What it is not</h2>
        <p>
          It is not advice, a signal to buy or sell, or a promise. It is a tool for research and for learning what
          uncertainty looks like. <Link to="/legal">Terms and privacy</Link> say so in full.
        </p>
      </section>
    </div>
  );
}
