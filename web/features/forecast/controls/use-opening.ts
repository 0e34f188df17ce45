import { useEffect, useState } from 'react';
import type { MarketSymbol } from '#domain/market/symbols.ts';
import { useTimeZone } from '../../../ui/browser/time-zone.ts';
import { useNow } from '../../../ui/browser/use-now.ts';

type OpeningText = typeof import('./opening-text.ts').openingText;

const STEP_MS = 15_000;

/** 'Opens Mon 14:30 (in 1 d 18 h)'; null for an open market, and until the calendar's code has loaded. */
export function useOpening(symbol: MarketSymbol, isClosed: boolean): string | null {
  const [textOf, setTextOf] = useState<{ run: OpeningText } | null>(null);
  const { zone } = useTimeZone();
  const nowMs = useNow(STEP_MS);
  useEffect(() => {
    if (!isClosed) return;
    // Without it the button works as in an open market, and the server refuses.
    import('./opening-text.ts').then(
      ({ openingText }) => setTextOf({ run: openingText }),
      () => undefined,
    );
  }, [isClosed]);
  return isClosed && textOf !== null ? textOf.run(symbol, nowMs, zone) : null;
}
