/** Figures of the ticker, and the same as text. '-' marks missing ones (R-MARKET-3). */
import { compactNumber, marketPanelPrice, VOLUME_UNITS } from '#domain/format/compact-number.ts';
import { percentChange } from '#domain/format/price.ts';
import type { TickerItem } from './market-ticker-api.ts';

export const MISSING = '-';

/** Specified placeholder symbols for when the market data is unavailable. */
export const FALLBACK_ITEMS: readonly TickerItem[] = [
  ...['BTC', 'ETH', 'ADA', 'SOL', 'MATIC', 'AVAX', 'LINK', 'DOT', 'ATOM', 'NEAR'],
].map((symbol) => ({ symbol, price: null, changePercent24h: null, volume24h: null }));

export interface TickerLabels {
  symbol: string;
  price: string;
  change: string;
  /** Null when the change is zero or unknown. */
  direction: 'up' | 'down' | null;
  volume: string;
  /** The complete text, for assistive technology. */
  spoken: string;
}

export function tickerLabels({ symbol, price, changePercent24h, volume24h }: TickerItem): TickerLabels {
  const change = changePercent24h === null ? MISSING : percentChange(changePercent24h);
  const direction = directionOf(change);
  const figures = {
    price: price === null ? MISSING : marketPanelPrice(price),
    volume: volume24h === null ? MISSING : compactNumber(volume24h, VOLUME_UNITS),
  };
  const spoken = [
    `${symbol}: ${price === null ? 'price unavailable' : `${figures.price} US dollars`}`,
    changePercent24h === null ? '24-hour change unavailable' : `${spokenChange(change, direction)} in 24 hours`,
    volume24h === null ? 'volume unavailable' : `volume ${figures.volume} US dollars`,
  ];
  return { symbol, change, direction, ...figures, spoken: spoken.join(', ') };
}

/** Reads the displayed text: +0.00% has no direction. */
function directionOf(change: string): TickerLabels['direction'] {
  if (change.startsWith('+')) return 'up';
  return change.startsWith('\u2212') ? 'down' : null;
}

function spokenChange(change: string, direction: TickerLabels['direction']): string {
  if (direction === null) return 'unchanged';
  return `${direction} ${change.slice(1)}`;
}
