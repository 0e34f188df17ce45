import { useEffect, useState } from 'react';
import * as z from 'zod/mini';
import { readSavedBand, readSavedCandles, savedJoinS } from '#domain/forecast/prediction.ts';
import { describeInsideCost, savedMoveBp } from '#domain/forecast/trading-cost.ts';
import { parsedJson } from '#domain/format/parsed-json.ts';
import { decimalsOf } from '#domain/format/price.ts';
import { zonedSecond } from '#domain/format/zoned-time.ts';
import type { Candle } from '#domain/market/candle.ts';
import { assetClassOf } from '#domain/market/named-market.ts';
import { SITE_NAME } from '#domain/site/page-head.ts';
import { CandleChart } from '../../charts/candles/candle-chart.tsx';
import { createCandleFeed } from '../../charts/candles/candle-feed.ts';
import { SavedKey } from '../../charts/overlays/saved-key.tsx';
import { reportError } from '../../platform/error-log.ts';
import { useTimeZone } from '../../ui/browser/time-zone.ts';
import { LinkButton } from '../../ui/forms/button.tsx';
import { ReportedFailure } from '../../ui/status/reported-failure.tsx';
import { EmptyState } from '../../ui/status/state.tsx';
import { entryName, type PopoutSnapshot } from './popout-entry.ts';
import styles from './popout-view.module.css';

/** @param snapshotKey  the query parameter `key`; null if there is none */
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
    // With blocked storage there is nothing to show.
    return null;
  }
}

function Nothing({ title, text }: { title: string; text: string }) {
  return (
    <ReportedFailure as="div" spokenAs={null}>
      <EmptyState
        isPage
        title={title}
        text={text}
        action={
          <LinkButton to="/" variant="primary" data-action>
            Back to the home page
          </LinkButton>
        }
      />
    </ReportedFailure>
  );
}

function Snapshot({ snapshot }: { snapshot: PopoutSnapshot }) {
  const { data, outcome, band = null, isDark, title, ts } = snapshot;
  const { zone } = useTimeZone();
  const [feed] = useState(() =>
    createCandleFeed({ candles: data, joinS: savedJoinS(data), band, ...(outcome !== undefined && { outcome }) }),
  );
  useEffect(() => {
    document.documentElement.dataset.theme = isDark ? 'dark' : 'light';
  }, [isDark]);
  useOwnTitle(title);
  const cost = describeCost(title, data);
  return (
    <article className={styles.window}>
      <header className={styles.head}>
        <h1 className="size-14">{title}</h1>
        {(band !== null || outcome !== undefined) && (
          <SavedKey
            bands={band === null ? 'missing' : 'drawn'}
            hasOutcome={outcome !== undefined}
            className={styles.key}
          />
        )}
        <time className="figures muted size-12" dateTime={new Date(ts).toISOString()}>
          {zonedSecond(ts, zone)}
        </time>
      </header>
      {cost !== null && <p className={styles.cost}>{cost}</p>}
      <div className={styles.chart}>
        <CandleChart
          feed={feed}
          name={title}
          decimals={Math.max(...data.map(({ close }) => decimalsOf(close)))}
          horizonBars={0}
          onError={(error) => reportError(error, { where: 'pop-out chart' })}
        />
      </div>
    </article>
  );
}

/** Sets the window's title to the chart's. Deferred, because the page's head is written after mounting. */
function useOwnTitle(title: string): void {
  useEffect(() => {
    const timer = setTimeout(() => {
      document.title = `${title} – ${SITE_NAME}`;
    }, 0);
    return () => clearTimeout(timer);
  }, [title]);
}

/** The name of every chart with a forecast starts with the symbol's label. */
function describeCost(title: string, candles: readonly Candle[]): string | null {
  const assetClass = assetClassOf(title.split(' ')[0] ?? '');
  if (assetClass === null || savedJoinS(candles) === null) return null;
  return describeInsideCost({ assetClass }, savedMoveBp(candles));
}

/** A day before the largest date, so that it is valid in any zone. */
const MAX_TIME_MS = 8.63e15;
const MAX_TITLE = 120;
/** The chart's own limit of prices is slightly higher. */
const MAX_PRICE = 1e13;

const snapshotSchema = z.object({
  data: z.unknown(),
  outcome: z.optional(z.unknown()),
  band: z.optional(z.unknown()),
  isDark: z.boolean(),
  title: z.string(),
  ts: z.number().check(z.gte(-MAX_TIME_MS), z.lte(MAX_TIME_MS)),
});

/** Null if the entry is absent or invalid. Its candles can be drawn: ascending in time, with plausible prices. */
export function readSnapshot(storage: Storage, key: string): PopoutSnapshot | null {
  const parsed = snapshotSchema.safeParse(parsedJson(storage.getItem(entryName(key)) ?? ''));
  if (!parsed.success) return null;
  const { isDark, ts } = parsed.data;
  const data = drawable(parsed.data.data);
  if (data.length === 0) return null;
  const outcome = drawable(parsed.data.outcome).filter((candle) => data.some(({ time }) => time === candle.time));
  // Bands belong to the last 50 of 200 candles.
  const band = savedJoinS(data) === null ? null : readSavedBand(parsed.data.band);
  const title = [...parsed.data.title].slice(0, MAX_TITLE).join('');
  return { data, isDark, title, ts, ...(outcome.length > 0 && { outcome }), ...(band !== null && { band }) };
}

function drawable(entries: unknown): Candle[] {
  const isInReason = ({ open, high, low, close }: Candle): boolean =>
    [open, high, low, close].every((price) => Math.abs(price) < MAX_PRICE);
  const byTime = new Map(
    readSavedCandles(entries)
      .candles.filter(isInReason)
      .map((candle) => [candle.time, candle]),
  );
  return [...byTime.values()].sort((a, b) => a.time - b.time);
}
