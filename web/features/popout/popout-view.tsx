/** One chart alone, from the snapshot that its opener left behind. */
import { useEffect, useState } from 'react';
import { savedJoinS } from '#domain/forecast/prediction.ts';
import type { Candle } from '#domain/market/candle.ts';
import { CandleChart } from '../../charts/candle-chart.tsx';
import { createCandleFeed } from '../../charts/candle-feed.ts';
import { reportError } from '../../platform/error-log.ts';
import { EmptyState } from '../../ui/state.tsx';
import type { PopoutSnapshot } from './popout-entry.ts';
import { readSnapshot } from './popout-snapshot.ts';
import styles from './popout-view.module.css';

/** @param snapshotKey  the query parameter `key`; null when there is none */
export function PopoutView({ snapshotKey }: { snapshotKey: string | null }) {
  if (snapshotKey === null || snapshotKey === '') {
    return <Nothing title="Missing key" text="No ?key= query parameter was provided." />;
  }
  const snapshot = read(snapshotKey);
  if (snapshot === null) {
    const text = `Couldn’t find cached data for ${snapshotKey}. It may have expired or never been created.`;
    return <Nothing title="Nothing to show" text={text} />;
  }
  return <Snapshot key={snapshotKey} snapshot={snapshot} />;
}

function read(key: string): PopoutSnapshot | null {
  try {
    return readSnapshot(window.localStorage, key);
  } catch {
    // Storage may be blocked by the browser: then there is nothing to show.
    return null;
  }
}

function Nothing({ title, text }: { title: string; text: string }) {
  return (
    <>
      <h1 className="visually-hidden">Chart</h1>
      <EmptyState title={title} text={text} />
    </>
  );
}

function Snapshot({ snapshot }: { snapshot: PopoutSnapshot }) {
  const { data, isDark, title, ts } = snapshot;
  const [feed] = useState(() => createCandleFeed({ candles: data, joinS: savedJoinS(data), band: null }));
  useEffect(() => {
    document.documentElement.dataset.theme = isDark ? 'dark' : 'light';
  }, [isDark]);
  const taken = new Date(ts);
  return (
    <article className={styles.window}>
      <header className={styles.head}>
        <h1 className={styles.title}>{title}</h1>
        <time className={`figures ${styles.time}`} dateTime={taken.toISOString()}>
          {taken.toLocaleString()}
        </time>
      </header>
      <div className={styles.chart}>
        <CandleChart
          feed={feed}
          name={title}
          decimals={decimalsOf(data)}
          horizonBars={0}
          onError={(error) => reportError(error, { where: 'pop-out chart' })}
        />
      </div>
    </article>
  );
}

/** As many decimals as the prices themselves carry: the snapshot names no symbol. */
function decimalsOf(candles: readonly Candle[]): number {
  const lengths = candles.map(({ close }) => String(close).split('.')[1]?.length ?? 0);
  return Math.min(8, Math.max(0, ...lengths));
}
