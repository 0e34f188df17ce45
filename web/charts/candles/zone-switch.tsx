/** What the times of a chart are told in: 'GMT+2'. Pressed, all times of the page are UTC's, and again their own. */
import { useEffect, useState } from 'react';
import { zoneName } from '#domain/format/zoned-time.ts';
import { useTimeZone } from '../../ui/browser/time-zone.ts';
import { whenIdle } from '../../ui/browser/when-idle.ts';
import type { CandleFeed } from './candle-feed.ts';
import styles from './zone-switch.module.css';

export function ZoneSwitch({ feed }: { feed: CandleFeed }) {
  const { zone, isUtc, ownZone, toggleUtc } = useTimeZone();
  const [name, setName] = useState('');
  useEffect(() => {
    let cancel = () => {};
    // A browser takes long to find a zone's name the first time.
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
  // The reader's zone is theirs to know: a pre-rendered page leaves it out.
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
