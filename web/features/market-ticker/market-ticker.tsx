/** The ticker across the top: each symbol's price, with its change and volume over 24 hours. */
import { useId, useState } from 'react';
import { relativeTime } from '#domain/format/relative-time.ts';
import { zonedClock, zonedSecond } from '#domain/format/zoned-time.ts';
import type { MarketKind } from '#domain/market/symbols.ts';
import { useMarketSource } from '../../site/site-config.ts';
import { SourceBadge } from '../../site/source-badge.tsx';
import { useTimeZone } from '../../ui/browser/time-zone.ts';
import { useReducedMotion } from '../../ui/browser/use-reduced-motion.ts';
import { Button, IconButton } from '../../ui/forms/button.tsx';
import { Skeleton } from '../../ui/status/loader.tsx';
import { ReportedFailure } from '../../ui/status/reported-failure.tsx';
import { classNames } from '../../ui/styles/class-names.ts';
import styles from './market-ticker.module.css';
import { type TickerLabels, tickerLabels } from './ticker-labels.ts';
import { TickerLoop, TickerPlace } from './ticker-loop.tsx';
import { type TickerState, useTicker } from './use-ticker.ts';

export function MarketTicker({ className }: { className?: string | undefined }) {
  const headingId = useId();
  const ticker = useTicker();
  const source = useMarketSource();
  const isMotionReduced = useReducedMotion();
  const [isPaused, setPaused] = useState(false);
  const words = ticker.items?.map(tickerLabels) ?? null;
  const isMoving = words !== null && words.length > 0 && !isMotionReduced;
  return (
    <section className={classNames(styles.ticker, className)} aria-labelledby={headingId}>
      <div className={styles.head}>
        <h2 id={headingId} className={styles.heading}>
          Market Ticker
        </h2>
        {ticker.updatedAtMs !== null && source !== null && <Source kind={source.kind} />}
      </div>
      <Window words={words} isMotionReduced={isMotionReduced} isPaused={isPaused} isStale={ticker.isStale} />
      <div className={styles.foot}>
        <Told ticker={ticker} />
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

/**
 * Coin figures are never replayed: those that are not live come from a sandbox. Live ones need their source beside
 * them.
 */
function Source({ kind }: { kind: MarketKind }) {
  if (kind !== 'live') return <SourceBadge kind="simulated" />;
  return <p className={styles.source}>by CoinGecko</p>;
}

interface WindowProps {
  words: TickerLabels[] | null;
  isMotionReduced: boolean;
  isPaused: boolean;
  isStale: boolean;
}

function Window({ words, isMotionReduced, isPaused, isStale }: WindowProps) {
  if (words === null) {
    return (
      <div className={styles.window} role="status" aria-label="Loading market ticker">
        <Skeleton className={styles.waiting} />
      </div>
    );
  }
  if (words.length === 0) {
    return (
      <div className={styles.window}>
        <p className={styles.none}>No prices yet. They appear by themselves.</p>
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
            {words.map((each) => (
              <TickerPlace key={each.symbol} words={each} />
            ))}
          </div>
        </section>
      ) : (
        <div className={styles.moving} aria-hidden="true">
          <TickerLoop items={words} isPaused={isPaused} />
        </div>
      )}
      <ul className="visually-hidden">
        {words.map(({ symbol, spoken }) => (
          <li key={symbol}>{spoken}</li>
        ))}
      </ul>
    </div>
  );
}

function Told({ ticker }: { ticker: TickerState }) {
  const { failure, updatedAtMs, nowMs, isStale, isRetrying, retry } = ticker;
  const { zone } = useTimeZone();
  return (
    <>
      {failure !== null && <ReportedFailure className={styles.failure}>{failure}</ReportedFailure>}
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
      {failure !== null && (
        <Button size="small" isBusy={isRetrying} onClick={retry}>
          Retry
        </Button>
      )}
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
