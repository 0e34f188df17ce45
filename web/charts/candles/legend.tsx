/**
 * Time, open, high, low and close of one candle, in a row above the chart. Written straight into the DOM, because it
 * changes with every move of the pointer.
 */
import type { Ref } from 'react';
import type { Candle } from '#domain/market/candle.ts';
import { legendFigures } from './describe-series.ts';
import styles from './legend.module.css';

const FIELDS = [
  ['open', 'O'],
  ['high', 'H'],
  ['low', 'L'],
  ['close', 'C'],
] as const;

/** Hidden from assistive technology: the slider beside the chart announces the same figures. */
export function Legend({ ref }: { ref: Ref<HTMLDivElement> }) {
  return (
    <div ref={ref} className={`figures ${styles.legend}`} aria-hidden="true">
      <div className={styles.line}>
        <span className={styles.time} data-legend="time" />
        {FIELDS.map(([name, letter]) => (
          <span key={name}>
            <span className={styles.letter}>{letter}</span>
            <span data-legend={name} />
          </span>
        ))}
        <span className={styles.change} data-legend="change" />
      </div>
    </div>
  );
}

export function writeLegend(legend: HTMLElement, candle: Candle, joinS: number | null, decimals: number): void {
  const figures = legendFigures(candle, joinS, decimals);
  for (const name of ['time', 'open', 'high', 'low', 'close', 'change'] as const) {
    const place = legend.querySelector(`[data-legend="${name}"]`);
    if (place !== null) place.textContent = figures[name];
  }
  legend.dataset.direction = figures.isUp ? 'up' : 'down';
  legend.dataset.kind = figures.isForecast ? 'forecast' : 'real';
  legend.dataset.filled = 'true';
}

export function clearLegend(legend: HTMLElement): void {
  legend.dataset.filled = 'false';
}
