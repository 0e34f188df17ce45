/** The figures' terms in plain language, for traders who are no statisticians. */
import styles from './models-figures.module.css';

export function FigureTerms() {
  return (
    <p className={styles.facts}>
      Band skill: by how many per cent a model's band errs less than a simple forecast's on the same minutes, counting
      both misses and needless width (CRPS). The simple forecasts: a random walk as wide as a fading mean of recent
      moves (EWMA), and HAR, a regression of coming volatility on that of the last minutes and hours. The cards above
      name the harder of two: HAR of the symbol, or of its whole class. QLIKE is an error that counts a forecast that
      was too calm for more than one that was too wild. In brackets: the 95&nbsp;% interval.
    </p>
  );
}
