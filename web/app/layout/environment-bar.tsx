/**
 * Says once, above every page, that the market is not the real one. All texts are in the document, and the style sheet
 * shows the right one before the first paint, so nothing moves.
 */
import styles from './environment-bar.module.css';

export function EnvironmentBar() {
  return (
    <aside aria-label="About this site’s data" className={styles.bar}>
      <p>
        <span className={styles.simulated}>Simulated market: nothing here is real money</span>
        <span className={styles.replayed}>Replayed market: nothing here is real money</span>
        <span className={styles.simulatedPaid}>Simulated market: only the plans cost real money</span>
        <span className={styles.replayedPaid}>Replayed market: only the plans cost real money</span>
      </p>
    </aside>
  );
}
