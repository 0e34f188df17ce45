/** Written straight into the DOM, because it changes with every move of the pointer. */
import { type Ref, useEffect, useState } from 'react';
import { zoneName } from '#domain/format/zoned-time.ts';
import { useTimeZone } from '../../ui/browser/time-zone.ts';
import { whenIdle } from '../../ui/browser/when-due.ts';
import { writeText } from '../../ui/browser/write-text.ts';
import type { CandleFeed, ChartSeries } from './candle-feed.ts';
import { type LegendFigures, legendFigures } from './describe-series.ts';
import styles from './legend.module.css';

const FIELDS = [
  ['open', 'O'],
  ['high', 'H'],
  ['low', 'L'],
  ['close', 'C'],
] as const;

const WRITTEN = [
  'time',
  ...FIELDS.map(([name]) => name),
  'change',
  'ahead',
  'fromLast',
  'band80',
  'band95',
] as const satisfies readonly (keyof LegendFigures)[];

/** Hidden from assistive technology: the slider beside the chart announces the same figures. */
export function Legend({ ref }: { ref: Ref<HTMLDivElement> }) {
  return (
    <div ref={ref} className={`figures ${styles.legend}`} aria-hidden="true">
      <div className={styles.line}>
        <span className={styles.time} data-legend="time" translate="no" />
        {FIELDS.map(([name, letter]) => (
          <span key={name}>
            <span className={styles.letter}>{letter}</span>
            <span data-legend={name} translate="no" />
          </span>
        ))}
        <span className={styles.change} data-legend="change" translate="no" />
      </div>
      <div className={styles.line}>
        <span className={styles.ahead} data-legend="ahead" />
        <span className={styles.distance}>
          <span data-legend="fromLast" translate="no" />
          <span className="muted">from the last close</span>
        </span>
        <span className={styles.bands}>
          {(['80', '95'] as const).map((share) => (
            <span key={share}>
              <span className={styles.letter}>{`${share}%`}</span>
              <span data-legend={`band${share}`} translate="no" />
            </span>
          ))}
        </span>
      </div>
    </div>
  );
}

export function writeLegend(legend: HTMLElement, timeS: number, series: ChartSeries, decimals: number): void {
  const figures = legendFigures(timeS, series, decimals);
  for (const name of WRITTEN) {
    const place = legend.querySelector(`[data-legend="${name}"]`);
    writeText(place, figures[name]);
  }
  legend.dataset.direction = figures.isUp ? 'up' : 'down';
  legend.dataset.kind = figures.isForecast ? 'forecast' : 'real';
  legend.dataset.filled = 'true';
}

export function clearLegend(legend: HTMLElement): void {
  legend.dataset.filled = 'false';
}

/** The time zone of a chart's times: 'GMT+2'. A click switches all times of the page to UTC and back. */
export function ZoneSwitch({ feed }: { feed: CandleFeed }) {
  const { zone, isUtc, ownZone, toggleUtc } = useTimeZone();
  const [name, setName] = useState('');
  useEffect(() => {
    let cancel = () => {};
    // Browsers are slow to find a zone's name the first time.
    const update = () => {
      cancel();
      cancel = whenIdle(() => setName(zoneName((feed.series().candles.at(-1)?.time ?? 0) * 1000 || Date.now(), zone)));
    };
    update();
    const stop = feed.listen({ onReset: update, onAppend: () => undefined });
    return () => {
      cancel();
      stop();
    };
  }, [feed, zone]);
  // Only the browser knows the reader's zone, so a pre-rendered page omits it.
  if (name === '') return null;
  if (ownZone === 'UTC') return <span className={styles.zone}>{name}</span>;
  return (
    <button
      type="button"
      className={styles.zone}
      aria-label={`Times in ${name}`}
      aria-pressed={isUtc}
      title={`Times in ${zone}. Switch to ${isUtc ? ownZone : 'UTC'}`}
      onClick={toggleUtc}
    >
      {name}
    </button>
  );
}
