/** Six figures of the whole market, in the specified formats. */
import { compactNumber, MARKET_CAP_UNITS, marketPanelPrice, VOLUME_UNITS } from '#domain/format/compact-number.ts';
import { formatPrice } from '#domain/format/price.ts';
import { relativeTime } from '#domain/format/relative-time.ts';
import { fearGreedLabel } from '#domain/market/reference/fear-greed.ts';
import { FigureStrip, StripFigure } from '../../ui/layout/figure-strip.tsx';
import type { ShownMarket } from './use-market.ts';

export interface MarketFiguresProps {
  market: ShownMarket;
  nowMs: number;
}

/** Mark of a fixed figure, which is not today's. */
const FALLBACK = { words: 'fallback', isPlain: true };
const NOTHING = {};

export function MarketFigures({ market, nowMs }: MarketFiguresProps) {
  const { totalMarketCap, totalVolume24h, btcDominance, fearGreedIndex, btcPrice, ethPrice } = market.snapshot;
  const ofGlobal = market.global === 'fallback' ? FALLBACK : NOTHING;
  const ofCoins = market.coins === 'fallback' ? FALLBACK : NOTHING;
  return (
    <FigureStrip columns={6}>
      <StripFigure name="Market cap" {...ofGlobal}>{`$${compactNumber(totalMarketCap, MARKET_CAP_UNITS)}`}</StripFigure>
      <StripFigure name="24h volume" {...ofGlobal}>{`$${compactNumber(totalVolume24h, VOLUME_UNITS)}`}</StripFigure>
      <StripFigure name="BTC dominance" {...ofGlobal}>{`${formatPrice(btcDominance, 1)} %`}</StripFigure>
      <StripFigure
        name="Fear & greed"
        isPlain={market.fearGreed === 'fallback'}
        words={indexWords(market, nowMs)}
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
function indexWords({ snapshot, fearGreed, fearGreedOldMs }: ShownMarket, nowMs: number): string {
  const label = fearGreedLabel(snapshot.fearGreedIndex);
  if (fearGreed !== 'live') return `${label}, ${fearGreed}`;
  return fearGreedOldMs === null ? label : `${label}, ${relativeTime(fearGreedOldMs, nowMs)}`;
}

function dollars(price: number | null): string | null {
  return price === null ? null : `$${marketPanelPrice(price)}`;
}
