import { formatAmount } from '#domain/format/amount.ts';
import { formatPrice } from '#domain/format/price.ts';
import type { MarketSymbol } from '#domain/market/symbols.ts';
import type { BookFrame } from './order-book-api.ts';

const MAX_SIZE_DECIMALS = 8;
/** Levels of each side in the text for assistive technology. */
const SPOKEN_LEVELS = 10;

export interface BookLabels {
  summary: string;
  asks: readonly SpokenLevel[];
  bids: readonly SpokenLevel[];
}

export interface SpokenLevel {
  price: string;
  size: string;
}

/** Decimals of mid price and spread, which are finer than the labels. */
export function fineDecimals(symbol: MarketSymbol): number {
  return Math.max(2, symbol.decimals);
}

/** Precise to a value of about ten units of money: four decimals of a bitcoin, none of a dogecoin. */
export function sizeDecimals(price: number): number {
  return price > 0 ? Math.min(MAX_SIZE_DECIMALS, Math.max(0, Math.floor(Math.log10(price)))) : 0;
}

export function middleOf({ bids, asks }: BookFrame): { middle: number; spread: number } {
  const bid = bids[0]?.price ?? Number.NaN;
  const ask = asks[0]?.price ?? Number.NaN;
  return { middle: (bid + ask) / 2, spread: ask - bid };
}

/** '0.02 bp': hundredths of a per cent of the mid price, with more decimals for a smaller spread. */
export function basisPoints(spread: number, middle: number): string {
  return `${formatAmount((spread / middle) * 10_000, 2)} bp`;
}

/** @param everyMs  the least time between two updates of a book */
export function describePace(everyMs: number): string {
  const seconds = Math.round(everyMs / 1000);
  const perSecond = Math.round(1000 / everyMs);
  const often = seconds > 1 ? `every ${seconds} seconds` : `${perSecond > 1 ? `${perSecond} times` : 'once'} a second`;
  return `The site is busy: the order book updates about ${often}.`;
}

export function bookLabels(frame: BookFrame, symbol: MarketSymbol): BookLabels {
  const decimals = fineDecimals(symbol);
  const price = (value: number | undefined) => formatPrice(value ?? Number.NaN, decimals);
  const { spread } = middleOf(frame);
  const spoken = (levels: BookFrame['bids']) =>
    levels.slice(0, SPOKEN_LEVELS).map((level) => ({
      price: price(level.price),
      size: formatAmount(level.size, sizeDecimals(level.price)),
    }));
  return {
    summary: `${symbol.label}: best bid ${price(frame.bids[0]?.price)}, best ask ${price(frame.asks[0]?.price)}, spread ${price(spread)}.`,
    asks: spoken(frame.asks),
    bids: spoken(frame.bids),
  };
}
