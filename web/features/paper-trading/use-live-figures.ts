/** Keeps the figures under `root` live: four times a second while nothing happens, at most ten times. */
import { type RefObject, useEffect, useState } from 'react';
import type { MarketSymbol } from '#domain/market/symbols.ts';
import { createPaintGate } from '../../ui/browser/paint-gate.ts';
import { FRESH_MS, type LivePrice } from './live-price.ts';
import type { PaperEngine } from './paper-engine.ts';
import { liveNowMs, watchPrice } from './paper-trading-api.ts';
import { paintFigures } from './price-figures.ts';

const COUNTDOWN_EVERY_MS = 250;

export interface PriceState {
  /** `none`: nothing has arrived yet. `closed`: the market is closed, and its last price is shown. */
  phase: 'none' | 'live' | 'stale' | 'closed';
  isRetrying: boolean;
  /** Whole seconds since the price was last current; null if it never was, or is. */
  ageS: number | null;
  /** When a price from candles was traded, ISO. */
  asOf: string | null;
  /** The price's source; null for the venue of the shown order book. */
  source: string | null;
  delayS: number;
}

const BEFORE: PriceState = { phase: 'none', isRetrying: false, ageS: null, asOf: null, source: null, delayS: 0 };

export function useLiveFigures(
  root: RefObject<HTMLElement | null>,
  symbol: MarketSymbol,
  engine: PaperEngine,
): PriceState {
  const [state, setState] = useState(BEFORE);

  useEffect(() => {
    const watched = watchPrice(symbol);
    const paint = (): void => {
      const nowMs = liveNowMs();
      if (root.current !== null) paintFigures(root.current, watched.price, symbol, engine, nowMs);
      const now = { ...stateOf(watched.price, nowMs), isRetrying: watched.status().isRetrying };
      setState((old) => (isSame(old, now) ? old : now));
    };
    const gate = createPaintGate(paint);
    const stops = [watched.listen(gate.request), engine.subscribe(gate.request), watched.stop, gate.stop];
    const timer = window.setInterval(gate.request, COUNTDOWN_EVERY_MS);
    gate.request();
    return () => {
      window.clearInterval(timer);
      for (const stop of stops) stop();
      setState(BEFORE);
    };
  }, [root, symbol, engine]);

  return state;
}

function stateOf(price: LivePrice, nowMs: number): Omit<PriceState, 'isRetrying'> {
  const quote = price.quote();
  const { isOpen = true, source = null, delayS = 0 } = quote?.origin ?? {};
  const asOf = quote?.origin == null ? null : quote.time;
  const origin = { asOf, source, delayS };
  if (!isOpen) return { ...origin, phase: 'closed', ageS: null };
  const liveAtMs = price.points().at(-1)?.atMs;
  if (liveAtMs !== undefined) {
    const ageMs = nowMs - liveAtMs;
    return ageMs > FRESH_MS
      ? { ...origin, phase: 'stale', ageS: Math.floor(ageMs / 1000) }
      : { ...origin, phase: 'live', ageS: null };
  }
  // A quote that was never confirmed: the first heartbeat may still arrive.
  const sinceMs = price.quotedSinceMs();
  const isUnconfirmed = sinceMs !== null && nowMs - sinceMs > FRESH_MS;
  return { ...origin, phase: isUnconfirmed ? 'stale' : 'none', ageS: null };
}

function isSame(a: PriceState, b: PriceState): boolean {
  const isSameSource = a.asOf === b.asOf && a.source === b.source && a.delayS === b.delayS;
  return isSameSource && a.phase === b.phase && a.isRetrying === b.isRetrying && a.ageS === b.ageS;
}
