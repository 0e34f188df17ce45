/** The time zone of a chart's times: 'GMT+2'. A click switches all times of the page to UTC and back. */
import { useEffect, useState } from 'react';
import { zoneName } from '#domain/format/zoned-time.ts';
import { useTimeZone } from '../../ui/browser/time-zone.ts';
import { whenIdle } from '../../ui/browser/when-due.ts';
import type { CandleFeed } from './candle-feed.ts';
import styles from './zone-switch.module.css';

export function ZoneSwitch({ feed }: { feed: CandleFeed }) {
  const { zone, isUtc, ownZone, toggleUtc } = useTimeZone();
  const [name, setName] = useState('');
  useEffect(() => {
    let cancel = () => {};
    // Browsers are slow to find a zone's name the first time.
    const tell = () => {
      cancel();
      cancel = whenIdle(() => setName(zoneName((feed.series().candles.at(-1)?.time ?? 0) * 1000 || Date.now(), zone)));
    };
    tell();
    const stop = feed.listen({ onReset: tell, onAppend: () => undefined });
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
