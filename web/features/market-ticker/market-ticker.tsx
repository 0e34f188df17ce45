import { useQuery } from '@tanstack/react-query';
import { useId, useState } from 'react';
import { relativeTime } from '#domain/format/relative-time.ts';
import { zonedClock, zonedSecond } from '#domain/format/zoned-time.ts';
import type { MarketKind } from '#domain/market/symbols.ts';
import { pageState } from '../../page-state.ts';
import { retryInterval } from '../../platform/query-client.ts';
import { useMarketSource } from '../../site/site-config.ts';
import { SourceBadge } from '../../site/source-badge.tsx';
import { useIsOnline } from '../../ui/browser/online.ts';
import { useTimeZone } from '../../ui/browser/time-zone.ts';
import { useReducedMotion } from '../../ui/browser/use-media.ts';
import { useNow } from '../../ui/browser/use-now.ts';
import { IconButton } from '../../ui/forms/button.tsx';
import { Skeleton } from '../../ui/status/loader.tsx';
import { Retry, useIsQuiet } from '../../ui/status/quiet.tsx';
import { ReportedFailure } from '../../ui/status/reported-failure.tsx';
import { classNames } from '../../ui/styles/class-names.ts';
import styles from './market-ticker.module.css';
import { fetchTicker, type TickerItem } from './market-ticker-api.ts';
import { FALLBACK_ITEMS, type TickerLabels, tickerLabels } from './ticker-labels.ts';
import { TickerLoop, TickerPlace } from './ticker-loop.tsx';

/** A ticker that is drawn again, in another tab or on a later visit, stays paused. */
const pause = pageState(() => ({ isOn: false }));

export function MarketTicker({ className }: { className?: string | undefined }) {
  const headingId = useId();
  const ticker = useTicker();
  const source = useMarketSource();
  const isMotionReduced = useReducedMotion();
  const [isPaused, setOwnPaused] = useState(pause().isOn);
  const setPaused = (isOn: boolean) => {
    pause().isOn = isOn;
    setOwnPaused(isOn);
  };
  const labels = ticker.items?.map(tickerLabels) ?? null;
  const isMoving = labels !== null && labels.length > 0 && !isMotionReduced;
  return (
    <section className={classNames(styles.ticker, className)} aria-labelledby={headingId}>
      <div className={styles.head}>
        <h2 id={headingId} className="size-13 nowrap">
          Market Ticker
        </h2>
        {ticker.updatedAtMs !== null && source !== null && <Source kind={source.kind} />}
      </div>
      <Window labels={labels} isMotionReduced={isMotionReduced} isPaused={isPaused} isStale={ticker.isStale} />
      <div className={styles.foot}>
        <StatusLine ticker={ticker} />
        {isMoving && (
          <IconButton
            size="small"
            label={isPaused ? 'Play ticker' : 'Pause ticker'}
            icon={<PlayOrPause isPaused={isPaused} />}
            onClick={() => setPaused(!isPaused)}
          />
        )}
      </div>
    </section>
  );
}

/** Coin figures that are not live come from a sandbox. Live ones need their source beside them. */
function Source({ kind }: { kind: MarketKind }) {
  if (kind !== 'live') return <SourceBadge kind="simulated" />;
  return <p className="muted size-12">by CoinGecko</p>;
}

interface WindowProps {
  labels: TickerLabels[] | null;
  isMotionReduced: boolean;
  isPaused: boolean;
  isStale: boolean;
}

function Window({ labels, isMotionReduced, isPaused, isStale }: WindowProps) {
  if (labels === null) {
    return (
      <div className={styles.window} role="status" aria-label="Loading market ticker">
        <Skeleton className={styles.waiting} />
      </div>
    );
  }
  if (labels.length === 0) {
    return (
      <div className={styles.window}>
        <p className={styles.none}>No prices yet. They appear automatically.</p>
      </div>
    );
  }
  return (
    <div className={classNames(styles.window, isStale && 'old-figures')} data-stale={isStale || undefined}>
      {isMotionReduced ? (
        <section
          className={styles.scroll}
          // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, so the keyboard must reach it
          tabIndex={0}
          aria-label="All symbols"
        >
          <div className={styles.still} aria-hidden="true">
            {labels.map((each) => (
              <TickerPlace key={each.symbol} labels={each} />
            ))}
          </div>
        </section>
      ) : (
        <div className={styles.moving} aria-hidden="true">
          <TickerLoop items={labels} isPaused={isPaused} />
        </div>
      )}
      <ul className="visually-hidden">
        {labels.map(({ symbol, spoken }) => (
          <li key={symbol}>{spoken}</li>
        ))}
      </ul>
    </div>
  );
}

function StatusLine({ ticker }: { ticker: TickerState }) {
  const { failure, updatedAtMs, nowMs, isStale, isRetrying, retry } = ticker;
  const { zone } = useTimeZone();
  const isQuiet = useIsQuiet();
  return (
    <>
      {failure !== null && (
        <ReportedFailure spokenAs={isQuiet ? null : 'alert'} className={styles.failure}>
          {failure}
        </ReportedFailure>
      )}
      {updatedAtMs !== null && (
        <p className={classNames(styles.updated, isStale && styles.old)}>
          Last updated{' '}
          <time
            className="figures"
            dateTime={new Date(updatedAtMs).toISOString()}
            title={zonedSecond(updatedAtMs, zone)}
          >
            {isStale ? relativeTime(updatedAtMs, nowMs) : zonedClock(updatedAtMs, zone, true)}
          </time>
        </p>
      )}
      {failure !== null && <Retry isRetrying={isRetrying} onRetry={retry} />}
    </>
  );
}

function PlayOrPause({ isPaused }: { isPaused: boolean }) {
  return (
    <svg width="14" height="14" viewBox="0 0 14 14" aria-hidden="true" fill="currentcolor">
      <path d={isPaused ? 'M3 1.5v11l9-5.5z' : 'M3 2h3v10H3zM8 2h3v10H8z'} />
    </svg>
  );
}

/** Specified refresh interval. */
const REFRESH_MS = 240_000;
/** A newly started server has its first prices within seconds. */
const FIRST_PRICES_MS = 5000;
const CLOCK_MS = 30_000;
/** On the slowest plan, the price source is queried every half hour; three times that counts as old. */
const OLD_MS = 90 * 60_000;

const TICKER_FAILED = 'Failed to load market data — fallback active.';

interface TickerState {
  items: readonly TickerItem[] | null;
  updatedAtMs: number | null;
  nowMs: number;
  failure: string | null;
  /** The prices are older than they should be. */
  isStale: boolean;
  isRetrying: boolean;
  retry(): void;
}

function useTicker(): TickerState {
  const isOnline = useIsOnline();
  const nowMs = useNow(CLOCK_MS);
  const query = useQuery({
    queryKey: ['market-ticker'],
    queryFn: ({ signal }) => fetchTicker(signal),
    refetchInterval: (query) =>
      retryInterval(query) || (query.state.data?.items.length === 0 ? FIRST_PRICES_MS : REFRESH_MS),
  });
  const { data, isFetching } = query;
  // A query without data clears its error while it retries.
  const hasFailed = query.isError || (query.isPending && query.errorUpdateCount > 0);
  const updatedAtMs = data?.updatedAtMs ?? null;
  const items = data?.items ?? null;
  const hasPrices = items !== null && items.length > 0;
  return {
    items: hasFailed && !hasPrices ? FALLBACK_ITEMS : items,
    updatedAtMs,
    nowMs,
    failure: hasFailed ? TICKER_FAILED : null,
    isStale: updatedAtMs !== null && (!isOnline || hasFailed || nowMs - updatedAtMs > OLD_MS),
    isRetrying: hasFailed && isFetching,
    retry: () => void query.refetch(),
  };
}
