/** Six figures of the whole market. Formats: specification 1, section 9. */
import type { ReactNode } from 'react';
import { compactNumber, MARKET_CAP_UNITS, marketPanelPrice, VOLUME_UNITS } from '#domain/format/compact-number.ts';
import { formatPrice } from '#domain/format/price.ts';
import { relativeTime } from '#domain/format/relative-time.ts';
import { fearGreedLabel } from '#domain/market/fear-greed.ts';
import styles from './market-figures.module.css';
import type { ShownMarket } from './use-market.ts';

export interface MarketFiguresProps {
  market: ShownMarket;
  nowMs: number;
}

const FALLBACK = 'fallback';

export function MarketFigures({ market, nowMs }: MarketFiguresProps) {
  const { totalMarketCap, totalVolume24h, btcDominance, fearGreedIndex, btcPrice, ethPrice } = market.snapshot;
  const ofGlobal = market.global === 'fallback' ? FALLBACK : undefined;
  const ofCoins = market.coins === 'fallback' ? FALLBACK : undefined;
  return (
    <dl className={styles.figures}>
      <Figure
        name="Market cap"
        beside={ofGlobal}
        isFallback={ofGlobal !== undefined}
      >{`$${compactNumber(totalMarketCap, MARKET_CAP_UNITS)}`}</Figure>
      <Figure
        name="24h volume"
        beside={ofGlobal}
        isFallback={ofGlobal !== undefined}
      >{`$${compactNumber(totalVolume24h, VOLUME_UNITS)}`}</Figure>
      <Figure
        name="BTC dominance"
        beside={ofGlobal}
        isFallback={ofGlobal !== undefined}
      >{`${formatPrice(btcDominance, 1)} %`}</Figure>
      <Figure
        name="Fear & greed"
        beside={indexWords(market, nowMs)}
        isFallback={market.fearGreed === 'fallback'}
        scale={fearGreedIndex}
      >
        {fearGreedIndex}
      </Figure>
      <Figure name="BTC" beside={ofCoins} isFallback={ofCoins !== undefined}>
        {dollars(btcPrice)}
      </Figure>
      <Figure name="ETH" beside={ofCoins} isFallback={ofCoins !== undefined}>
        {dollars(ethPrice)}
      </Figure>
    </dl>
  );
}

/** 'Greed'; with what makes it less than today's: 'Greed, 3h ago', 'Neutral, default'. */
function indexWords({ snapshot, fearGreed, fearGreedOldMs }: ShownMarket, nowMs: number): string {
  const label = fearGreedLabel(snapshot.fearGreedIndex);
  if (fearGreed !== 'live') return `${label}, ${fearGreed}`;
  return fearGreedOldMs === null ? label : `${label}, ${relativeTime(fearGreedOldMs, nowMs)}`;
}

function dollars(price: number | null): string {
  return price === null ? '–' : `$${marketPanelPrice(price)}`;
}

interface FigureProps {
  name: string;
  /** Words to the figure. */
  beside?: string | undefined;
  /** Nobody's figure of today. */
  isFallback: boolean;
  /** Where it stands from 0 to 100. */
  scale?: number;
  children: ReactNode;
}

function Figure({ name, beside, isFallback, scale, children }: FigureProps) {
  return (
    <div className={styles.figure} data-fallback={isFallback || undefined}>
      <dt className={styles.name}>{name}</dt>
      <dd className={styles.value}>
        <span className="figures">{children}</span>
        {beside !== undefined && <span className={styles.beside}>{beside}</span>}
      </dd>
      {scale !== undefined && (
        <dd className={styles.scale}>
          <svg viewBox="0 0 100 4" preserveAspectRatio="none" className={styles.track} aria-hidden="true">
            <rect width={scale} height="4" />
          </svg>
        </dd>
      )}
    </div>
  );
}
