/** Bitcoin: price, what it did in 24 hours, and its market capitalisation. Specification 1, sections 2, 8 and 9. */
import type { ReactNode } from 'react';
import { bitcoinPanelPrice, compactNumber, MARKET_CAP_UNITS, VOLUME_UNITS } from '#domain/format/compact-number.ts';
import { formatPercent } from '#domain/format/price.ts';
import { relativeTime } from '#domain/format/relative-time.ts';
import { MarketKindBadge } from '../../session/market-kind-badge.tsx';
import { Button } from '../../ui/button.tsx';
import { classNames } from '../../ui/class-names.ts';
import { KeptNote } from '../../ui/kept-note.tsx';
import { Skeleton } from '../../ui/loader.tsx';
import { Panel } from '../../ui/panel.tsx';
import styles from './bitcoin-stats.module.css';
import type { BitcoinSnapshot } from './bitcoin-stats-api.ts';
import { type BitcoinState, useBitcoin } from './use-bitcoin.ts';

/** Coins there are, as the specification assumes them. */
export const BTC_SUPPLY = 19_922_243;
const MISSING = '–';

export function BitcoinStats({ className }: { className?: string | undefined }) {
  const { known, nowMs } = useBitcoin();
  const { data, failure, staleSinceMs } = known;
  const isWaiting = data === null && failure === null;
  return (
    <Panel heading="Bitcoin" className={className} isFlush beside={<MarketKindBadge kind={data?.kind ?? null} />}>
      <dl
        className={classNames(styles.figures, staleSinceMs !== null && 'old-figures')}
        data-stale={staleSinceMs !== null || undefined}
        aria-busy={isWaiting || undefined}
      >
        <Figure name="Price" isWaiting={isWaiting}>
          {data && `$${bitcoinPanelPrice(data.price)}`}
        </Figure>
        <Figure name="24h change" isWaiting={isWaiting}>
          {data && <Change snapshot={data} />}
        </Figure>
        <Figure name="24h volume" isWaiting={isWaiting}>
          {data && data.volume24h !== null && `$${compactNumber(data.volume24h, VOLUME_UNITS)}`}
        </Figure>
        <Figure name="Market cap" isWaiting={isWaiting}>
          {data && `$${compactNumber(data.price * BTC_SUPPLY, MARKET_CAP_UNITS)}`}
        </Figure>
      </dl>
      <div className={styles.note}>
        <KeptNote kept={known} nowMs={nowMs}>
          <Told known={known} nowMs={nowMs} />
        </KeptNote>
      </div>
    </Panel>
  );
}

interface FigureProps {
  name: string;
  isWaiting: boolean;
  /** Nothing to show: a dash. */
  children: ReactNode;
}

function Figure({ name, isWaiting, children }: FigureProps) {
  return (
    <div className={styles.figure}>
      <dt className={styles.name}>{name}</dt>
      <dd className={classNames('figures', styles.value)}>
        {isWaiting ? <Skeleton className={styles.waiting} /> : children || MISSING}
      </dd>
    </div>
  );
}

function Change({ snapshot: { percent24h, change24h } }: { snapshot: BitcoinSnapshot }) {
  if (percent24h === null) return MISSING;
  const text = formatPercent(percent24h / 100);
  const direction = text.startsWith('+') ? 'up' : text.startsWith('\u2212') ? 'down' : null;
  return (
    <>
      <span className={classNames(direction !== null && styles[direction])}>
        {direction !== null && <span className={styles.arrow}>{direction === 'up' ? '▲' : '▼'}</span>}
        {text}
      </span>
      {change24h !== null && direction !== null && <span className={styles.beside}>{dollars(change24h)}</span>}
    </>
  );
}

/** '−$1,240': a change keeps its sign before the currency. */
function dollars(change: number): string {
  const sign = change > 0 ? '+' : '\u2212';
  return `${sign}$${bitcoinPanelPrice(Math.abs(change))}`;
}

/** Also what went wrong where there is nothing old to show. */
function Told({ known: { data, failure, isRetrying, retry }, nowMs }: BitcoinState) {
  if (data === null)
    return failure === null ? (
      <p>Asking for the figures.</p>
    ) : (
      <>
        <p className={styles.failure} role="alert">
          {failure}
        </p>
        <Button size="small" isBusy={isRetrying} onClick={retry}>
          Retry
        </Button>
      </>
    );
  const { fetchedAtMs } = data;
  return (
    <p>
      US dollars. Market cap: price × 19,922,243 BTC.{' '}
      <span title={new Date(fetchedAtMs).toLocaleString()}>
        Updated <time dateTime={new Date(fetchedAtMs).toISOString()}>{relativeTime(fetchedAtMs, nowMs)}</time>.
      </span>
    </p>
  );
}
