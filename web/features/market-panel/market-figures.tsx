/** Six figures of the whole market. Formats: specification 1, section 9. */
import type { ReactNode } from 'react';
import { compactNumber, MARKET_CAP_UNITS, marketPanelPrice, VOLUME_UNITS } from '#domain/format/compact-number.ts';
import { formatPrice } from '#domain/format/price.ts';
import { fearGreedLabel } from '#domain/market/fear-greed.ts';
import styles from './market-figures.module.css';
import type { MarketSnapshot } from './market-snapshot.ts';

export interface MarketFiguresProps {
  snapshot: MarketSnapshot;
  /** None of the figures is live. */
  isFallback: boolean;
  /** The index alone is not. */
  isFearGreedDefault: boolean;
}

export function MarketFigures({ snapshot, isFallback, isFearGreedDefault }: MarketFiguresProps) {
  const { totalMarketCap, totalVolume24h, btcDominance, fearGreedIndex, btcPrice, ethPrice } = snapshot;
  return (
    <dl className={styles.figures} data-fallback={isFallback || undefined}>
      <Figure name="Market cap">{`$${compactNumber(totalMarketCap, MARKET_CAP_UNITS)}`}</Figure>
      <Figure name="24h volume">{`$${compactNumber(totalVolume24h, VOLUME_UNITS)}`}</Figure>
      <Figure name="BTC dominance">{`${formatPrice(btcDominance, 1)} %`}</Figure>
      <Figure
        name="Fear & greed"
        beside={isFearGreedDefault ? `${fearGreedLabel(fearGreedIndex)}, default` : fearGreedLabel(fearGreedIndex)}
        scale={fearGreedIndex}
      >
        {fearGreedIndex}
      </Figure>
      <Figure name="BTC">{dollars(btcPrice)}</Figure>
      <Figure name="ETH">{dollars(ethPrice)}</Figure>
    </dl>
  );
}

function dollars(price: number | null): string {
  return price === null ? '–' : `$${marketPanelPrice(price)}`;
}

interface FigureProps {
  name: string;
  /** Words to the figure. */
  beside?: string;
  /** Where it stands from 0 to 100. */
  scale?: number;
  children: ReactNode;
}

function Figure({ name, beside, scale, children }: FigureProps) {
  return (
    <div className={styles.figure}>
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
