import { compactNumber, MARKET_CAP_UNITS, marketPanelPrice, VOLUME_UNITS } from '#domain/format/compact-number.ts';
import { plainPercent } from '#domain/format/price.ts';
import { relativeTime } from '#domain/format/relative-time.ts';
import { zonedClock, zonedSecond } from '#domain/format/zoned-time.ts';
import { fearGreedLabel } from '#domain/market/reference/fear-greed.ts';
import { SourceBadge } from '../../site/source-badge.tsx';
import { useTimeZone } from '../../ui/browser/time-zone.ts';
import { Badge } from '../../ui/layout/badge.tsx';
import { FigureStrip, StripFigure } from '../../ui/layout/figure-strip.tsx';
import { Panel } from '../../ui/layout/panel.tsx';
import { Skeleton } from '../../ui/status/loader.tsx';
import { FailureLine, PanelNote } from '../../ui/status/panel-note.tsx';
import { CoinTable } from './coin-table.tsx';
import styles from './market-panel.module.css';
import { type MarketPanelState, type ShownMarket, useMarket } from './use-market.ts';

export function MarketPanel({ className }: { className?: string | undefined }) {
  const { known, lines, nowMs } = useMarket();
  const { data } = known;
  return (
    <Panel
      heading="Market"
      className={className}
      isFlush
      beside={
        <>
          {data !== null && <FallbackBadge market={data} />}
          <SourceBadge kind={data?.kind ?? null} />
        </>
      }
    >
      {data === null ? (
        <div role="status" aria-label="Loading market">
          <Skeleton className={styles.figuresWaiting} />
          <Skeleton className={styles.coinsWaiting} />
        </div>
      ) : (
        <div
          className={known.staleSinceMs === null ? undefined : 'old-figures'}
          data-stale={known.staleSinceMs !== null || undefined}
        >
          <MarketFigures market={data} nowMs={nowMs} />
          <CoinTable coins={data.snapshot.topCoins} lines={lines} nowMs={nowMs} />
        </div>
      )}
      <PanelNote lastData={known} nowMs={nowMs}>
        {data !== null &&
          (missingOf(data) === null ? <Source market={data} /> : <Fallen known={known} market={data} />)}
      </PanelNote>
    </Panel>
  );
}

/** Names the figures that are not current; null when all that matter are. */
function missingOf({ global, coins }: ShownMarket): string | null {
  if (global === 'live' && coins === 'live') return null;
  if (global === 'live') return 'BTC and ETH are fallback figures, not live.';
  if (coins === 'live') return 'Market cap, volume and dominance are fallback figures, not live.';
  return 'Fallback figures, not live.';
}

function FallbackBadge({ market }: { market: ShownMarket }) {
  if (missingOf(market) === null) return null;
  const isWhole = market.global === 'fallback' && market.coins === 'fallback';
  return (
    <Badge tone="warning" title="We couldn’t reach the data source: these are fixed figures, not today’s">
      {isWhole ? 'Fallback figures' : 'Partly fallback'}
    </Badge>
  );
}

function Fallen({ known, market }: { known: MarketPanelState['known']; market: ShownMarket }) {
  return (
    <FailureLine again={known}>
      <span role="alert">{`${known.failure ?? ''}. ${missingOf(market)}`}</span>
      {market.attribution !== null && <span>{` Others: ${market.attribution}.`}</span>}
    </FailureLine>
  );
}

function Source({ market }: { market: ShownMarket }) {
  const { attribution, fetchedAtMs } = market;
  const { zone } = useTimeZone();
  return (
    <p>
      <span>{attribution === null ? 'US dollars.' : `US dollars. Source: ${attribution}.`}</span>
      {fetchedAtMs !== null && (
        <span>
          {' '}
          As of{' '}
          <time
            className="figures"
            dateTime={new Date(fetchedAtMs).toISOString()}
            title={zonedSecond(fetchedAtMs, zone)}
          >
            {zonedClock(fetchedAtMs, zone, true)}
          </time>
        </span>
      )}
    </p>
  );
}

interface MarketFiguresProps {
  market: ShownMarket;
  nowMs: number;
}

/** Mark of a fixed figure, which is not today's. */
const FALLBACK = { detail: 'fallback', isPlain: true };
const NOTHING = {};

function MarketFigures({ market, nowMs }: MarketFiguresProps) {
  const { totalMarketCap, totalVolume24h, btcDominance, fearGreedIndex, btcPrice, ethPrice } = market.snapshot;
  const ofGlobal = market.global === 'fallback' ? FALLBACK : NOTHING;
  const ofCoins = market.coins === 'fallback' ? FALLBACK : NOTHING;
  return (
    <FigureStrip columns={6}>
      <StripFigure name="Market cap" {...ofGlobal}>
        {`$${compactNumber(totalMarketCap, MARKET_CAP_UNITS)}`}
      </StripFigure>
      <StripFigure name="24h volume" {...ofGlobal}>
        {`$${compactNumber(totalVolume24h, VOLUME_UNITS)}`}
      </StripFigure>
      <StripFigure name="BTC dominance" {...ofGlobal}>
        {plainPercent(btcDominance, 1)}
      </StripFigure>
      <StripFigure
        name="Fear & greed"
        isPlain={market.fearGreed === 'fallback'}
        detail={describeIndex(market, nowMs)}
        scale={fearGreedIndex}
      >
        {fearGreedIndex}
      </StripFigure>
      <StripFigure name="BTC" {...ofCoins}>
        {dollars(btcPrice)}
      </StripFigure>
      <StripFigure name="ETH" {...ofCoins}>
        {dollars(ethPrice)}
      </StripFigure>
    </FigureStrip>
  );
}

/** 'Greed', with a note when it is not current: 'Greed, 3h ago', 'Neutral, default'. */
function describeIndex({ snapshot, fearGreed, fearGreedOldMs }: ShownMarket, nowMs: number): string {
  const label = fearGreedLabel(snapshot.fearGreedIndex);
  if (fearGreed !== 'live') return `${label}, ${fearGreed}`;
  return fearGreedOldMs === null ? label : `${label}, ${relativeTime(fearGreedOldMs, nowMs)}`;
}

function dollars(price: number | null): string | null {
  return price === null ? null : `$${marketPanelPrice(price)}`;
}
