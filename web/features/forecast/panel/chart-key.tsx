import { GhostLine } from '../controls/ghost-toggle.tsx';
import styles from './forecast-readout.module.css';

/** The chart's legend: the second cue beside color, stated once. */
export function ChartKey({ ghost, isAmplified }: { ghost: 'off' | 'awaited' | 'drawn'; isAmplified: boolean }) {
  return (
    <ul className={styles.key} aria-label="How to read the chart">
      <li>
        <span className={styles.rising} aria-hidden="true" />
        rising: hollow or paler
      </li>
      <li>
        <span className={styles.falling} aria-hidden="true" />
        falling: filled
      </li>
      <li>
        <span className={styles.band80} aria-hidden="true" />
        80% band
      </li>
      <li>
        <span className={styles.band95} aria-hidden="true" />
        95% band
      </li>
      {ghost === 'awaited' && (
        <li className={styles.wide}>
          <GhostLine line="close" />
          ghost: drawn with the next forecast
        </li>
      )}
      {ghost === 'drawn' && <GhostKey isAmplified={isAmplified} />}
    </ul>
  );
}

/** The ghost's lines, each as the chart draws it. The ghost is amplified with the forecast, so both stay comparable. */
function GhostKey({ isAmplified }: { isAmplified: boolean }) {
  return (
    <>
      <li className={styles.wide}>
        <GhostLine line="close" />
        <span>{`ghost: last close, random walk${isAmplified ? '; its bands are amplified by the same factor' : ''}`}</span>
      </li>
      <li>
        <GhostLine line="p80" />
        walk, 80%
      </li>
      <li>
        <GhostLine line="p95" />
        walk, 95%
      </li>
    </>
  );
}
