import { formatChange, formatPrice, MINUS } from '#domain/format/price.ts';
import { marketLabel } from '#domain/market/named-market.ts';
import type { PaperTrade } from '#domain/paper-trading/paper-trade.ts';
import { knownSymbol } from '../../../site/markets/known-markets.ts';

const SIGNIFICANT_DIGITS = 6;

/** 'BTC', 'PEPE/USDT'. */
export function tradeLabel({ sym }: PaperTrade): string {
  return knownSymbol(sym)?.label ?? marketLabel(sym);
}

/** Decimals of a trade's prices: at least two. A product that this browser has not met gets six digits. */
export function tradeDecimals({ sym, entryPrice }: PaperTrade): number {
  return Math.max(2, knownSymbol(sym)?.decimals ?? SIGNIFICANT_DIGITS - 1 - Math.floor(Math.log10(entryPrice)));
}

/** '▲ +12.30': colour is not the only cue. */
export function markedChange(value: number, decimals: number): string {
  const mark = value > 0 ? '▲ ' : value < 0 ? '▼ ' : '';
  return `${mark}${formatChange(value, decimals)}`;
}

/** '+$12.30', '−0.012 points'; a sum below one has two significant digits. */
export function amountText(value: number, unit: string): string {
  // Without the noise of sums: 100 − 99.9 is a little less than 0.1.
  const size = Math.abs(Number(value.toPrecision(12)));
  const decimals = size >= 1 || size === 0 ? 2 : Math.min(8, Math.max(2, 1 - Math.floor(Math.log10(size))));
  if (unit !== 'USD') return `${formatChange(value, decimals)} ${unit}`;
  const text = formatPrice(size, decimals);
  const sign = /[1-9]/.test(text) ? (value < 0 ? MINUS : '+') : '';
  return `${sign}$${text}`;
}
