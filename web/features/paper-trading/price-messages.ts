import { describeDelay } from '#domain/format/relative-time.ts';
import { zonedRecent } from '#domain/format/zoned-time.ts';
import { isOpen } from '#domain/market/calendar/trading-hours.ts';
import type { MarketKind, MarketSymbol } from '#domain/market/symbols.ts';
import type { BadgeTone } from '../../ui/layout/badge.tsx';
import type { PriceState } from './use-live-figures.ts';

interface Freshness {
  tone: BadgeTone;
  text: string;
}

/** @param kind  null until known; only the real market is called live */
export function freshnessOf(price: PriceState, symbol: MarketSymbol, kind: MarketKind | null, nowS: number): Freshness {
  const { phase, ageS, isRetrying, delayS } = price;
  if (phase === 'closed') return { tone: 'neutral', text: 'market closed' };
  if (phase === 'stale') return { tone: 'warning', text: ageS === null ? 'stale' : `stale · ${ageS} s` };
  if (isRetrying) return { tone: 'warning', text: 'retrying' };
  if (phase === 'none') return { tone: 'neutral', text: isOpen(symbol.hours, nowS) ? 'waiting' : 'market closed' };
  const delayed = describeDelay(delayS);
  if (delayed !== null) return { tone: 'warning', text: delayed };
  return kind === 'live' ? { tone: 'up', text: 'live' } : { tone: 'neutral', text: 'streaming' };
}

/** 'price of 20 Nov, 22:00', in the reader's zone; null for a current price, or if its time is unknown. */
export function describeAsOf({ phase, asOf }: PriceState, nowMs: number, zone: string): string | null {
  const atMs = Date.parse(asOf ?? '');
  if ((phase !== 'closed' && phase !== 'stale') || Number.isNaN(atMs)) return null;
  return `price of ${zonedRecent(atMs, nowMs, zone)}`;
}
