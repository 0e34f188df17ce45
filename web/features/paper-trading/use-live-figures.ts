/** Keeps the figures under `root` live, four times a second while nothing happens and ten times at most. */
import { type RefObject, useEffect, useState } from 'react';
import type { MarketSymbol } from '#domain/market/symbols.ts';
import { createPaintGate } from '../../ui/paint-gate.ts';
import { FRESH_MS } from './live-price.ts';
import type { PaperDesk } from './paper-desk.ts';
import { liveNowMs, watchPrice } from './paper-trading-api.ts';
import { paintFigures } from './price-figures.ts';

const COUNTDOWN_EVERY_MS = 250;

export interface PriceState {
  /** `none`: nothing has come yet. */
  phase: 'none' | 'live' | 'stale';
  isRetrying: boolean;
  /** Whole seconds since the last sign of life. */
  ageS: number;
}

const BEFORE: PriceState = { phase: 'none', isRetrying: false, ageS: 0 };

export function useLiveFigures(root: RefObject<HTMLElement | null>, symbol: MarketSymbol, desk: PaperDesk): PriceState {
  const [state, setState] = useState(BEFORE);

  useEffect(() => {
    const watched = watchPrice(symbol);
    const paint = (): void => {
      const nowMs = liveNowMs();
      if (root.current !== null) paintFigures(root.current, watched.price, symbol, desk, nowMs);
      const lastAtMs = watched.price.points().at(-1)?.atMs;
      const ageMs = lastAtMs === undefined ? 0 : nowMs - lastAtMs;
      const phase = lastAtMs === undefined ? 'none' : ageMs > FRESH_MS ? 'stale' : 'live';
      const ageS = phase === 'stale' ? Math.floor(ageMs / 1000) : 0;
      const { isRetrying } = watched.status();
      setState((old) =>
        old.phase === phase && old.isRetrying === isRetrying && old.ageS === ageS ? old : { phase, isRetrying, ageS },
      );
    };
    const gate = createPaintGate(paint);
    const stops = [watched.listen(gate.ask), desk.subscribe(gate.ask), watched.stop, gate.stop];
    const timer = window.setInterval(gate.ask, COUNTDOWN_EVERY_MS);
    gate.ask();
    return () => {
      window.clearInterval(timer);
      for (const stop of stops) stop();
      setState(BEFORE);
    };
  }, [root, symbol, desk]);

  return state;
}
