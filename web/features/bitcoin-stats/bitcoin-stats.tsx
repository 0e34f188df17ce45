import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { bitcoinPanelPrice, compactNumber, MARKET_CAP_UNITS, VOLUME_UNITS } from '#domain/format/compact-number.ts';
import { formatPrice, percentChange } from '#domain/format/price.ts';
import { BTC_SUPPLY } from '#domain/market/reference/bitcoin-supply.ts';
import { SourceBadge } from '../../site/source-badge.tsx';
import { useNow } from '../../ui/browser/use-now.ts';
import { FigureStrip, StripFigure } from '../../ui/layout/figure-strip.tsx';
import { Panel } from '../../ui/layout/panel.tsx';
import { toast } from '../../ui/overlay/toast.ts';
import { AsOf } from '../../ui/status/as-of.tsx';
import { type LastData, useLastData } from '../../ui/status/last-data.ts';
import { FailureLine, PanelNote } from '../../ui/status/panel-note.tsx';
import styles from './bitcoin-stats.module.css';
import { type BitcoinSnapshot, fetchBitcoin, STATS_FAILED } from './bitcoin-stats-api.ts';

export function BitcoinStats({ className }: { className?: string | undefined }) {
  const { known, nowMs } = useBitcoin();
  const { data, failure, staleSinceMs } = known;
  const isWaiting = data === null && failure === null;
  return (
    <Panel heading="Bitcoin" className={className} isFlush beside={<SourceBadge kind={data?.kind ?? null} />}>
      <FigureStrip columns={4} isBusy={isWaiting} isOld={staleSinceMs !== null}>
        <StripFigure name="Price" isWaiting={isWaiting}>
          {data && `$${bitcoinPanelPrice(data.price)}`}
        </StripFigure>
        <Change snapshot={data} isWaiting={isWaiting} />
        <StripFigure name="24h volume" isWaiting={isWaiting}>
          {data?.volume24h == null ? null : `$${compactNumber(data.volume24h, VOLUME_UNITS)}`}
        </StripFigure>
        <StripFigure name="Market cap" isWaiting={isWaiting}>
          {data && `$${compactNumber(data.price * BTC_SUPPLY, MARKET_CAP_UNITS)}`}
        </StripFigure>
      </FigureStrip>
      <PanelNote lastData={known} nowMs={nowMs} phoneLines={2}>
        <StatusLine known={known} nowMs={nowMs} />
      </PanelNote>
    </Panel>
  );
}

function Change({ snapshot, isWaiting }: { snapshot: BitcoinSnapshot | null; isWaiting: boolean }) {
  const { percent24h = null, change24h = null } = snapshot ?? {};
  const text = percent24h === null ? null : percentChange(percent24h);
  const direction = directionOf(text);
  return (
    <StripFigure
      name="24h change"
      isWaiting={isWaiting}
      detail={change24h !== null && direction !== null && <span className="figures">{dollars(change24h)}</span>}
    >
      {direction === null ? (
        text
      ) : (
        <span className={styles[direction]}>
          <span className={styles.arrow}>{direction === 'up' ? '▲' : '▼'}</span>
          {text}
        </span>
      )}
    </StripFigure>
  );
}

/** Reads the formatted text: a change that rounds to zero has no direction. */
function directionOf(text: string | null): 'up' | 'down' | null {
  if (text?.startsWith('+')) return 'up';
  return text?.startsWith('\u2212') ? 'down' : null;
}

/** '−$1,240': the sign comes before the currency. */
function dollars(change: number): string {
  const sign = change > 0 ? '+' : '\u2212';
  return `${sign}$${bitcoinPanelPrice(Math.abs(change))}`;
}

/** Also shows the failure when there are no older figures. */
function StatusLine({ known, nowMs }: BitcoinState) {
  const { data, failure } = known;
  if (data !== null)
    return (
      <p>
        US dollars. Market cap: price × {formatPrice(BTC_SUPPLY, 0)} BTC.{' '}
        <AsOf label="Updated" timeMs={data.fetchedAtMs} nowMs={nowMs} />
      </p>
    );
  if (failure === null) return <p>Loading the figures.</p>;
  return (
    <FailureLine role="alert" again={known}>
      {failure}
    </FailureLine>
  );
}

/** Specified refresh interval. */
const REFRESH_MS = 240_000;
const CLOCK_MS = 10_000;
/** Three periods of the slowest source: after that, it counts as unresponsive. */
const OLD_MS = 90 * 60_000;

interface BitcoinState {
  known: LastData<BitcoinSnapshot>;
  nowMs: number;
}

function useBitcoin(): BitcoinState {
  const nowMs = useNow(CLOCK_MS);
  const query = useQuery({
    queryKey: ['bitcoin-stats'],
    queryFn: ({ signal }) => fetchBitcoin(signal),
    refetchInterval: REFRESH_MS,
  });
  const { error, errorUpdatedAt } = query;
  useEffect(() => {
    if (error !== null && errorUpdatedAt > 0) toast.error(error.message || STATS_FAILED);
  }, [error, errorUpdatedAt]);
  const lastData = useLastData(query, REFRESH_MS, nowMs, ({ fetchedAtMs }) => fetchedAtMs);
  return { known: withOldRow(lastData, nowMs), nowMs };
}

/** The database may answer with a row that has not been updated. */
function withOldRow(lastData: LastData<BitcoinSnapshot>, nowMs: number): LastData<BitcoinSnapshot> {
  const { data, staleSinceMs } = lastData;
  if (staleSinceMs !== null || data === null || nowMs - data.fetchedAtMs <= OLD_MS) return lastData;
  return { ...lastData, failure: 'The price source hasn’t responded.', staleSinceMs: data.fetchedAtMs };
}
