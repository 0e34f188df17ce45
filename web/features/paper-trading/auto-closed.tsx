import { useEffect, useRef, useState } from 'react';
import { formatPrice } from '#domain/format/price.ts';
import type { MarketSymbol } from '#domain/market/symbols.ts';
import { AUTO_CLOSE_MS, heldS, pnlOf } from '#domain/paper-trading/trade-rules.ts';
import { paperDecimals } from './price-figures.ts';
import { usePaperTrades } from './use-paper-trades.ts';

/** A trade that closes automatically shows no toast; this announces it to screen readers. */
export function AutoClosed() {
  const { open, last } = usePaperTrades();
  const [announcement, setAnnouncement] = useState('');
  const known = useRef(last);
  useEffect(() => {
    const isNew = last !== null && last !== known.current;
    if (isNew && heldS(last) * 1000 >= AUTO_CLOSE_MS) {
      const { exitPrice } = last;
      const result =
        exitPrice === null
          ? 'without a live price, so it has no result'
          : `with ${spokenResult(pnlOf(last, exitPrice), last.symbol)}`;
      setAnnouncement(`Trade closed after 60 seconds ${result}`);
    } else if (open !== null) setAnnouncement('');
    known.current = last;
  }, [open, last]);
  return (
    <p className="visually-hidden" role="status">
      {announcement}
    </p>
  );
}

/** 'a loss of 0.42', for screen readers, which do not read the sign and the arrow. */
function spokenResult(pnl: number, symbol: MarketSymbol): string {
  if (pnl === 0) return 'neither profit nor loss';
  return `a ${pnl < 0 ? 'loss' : 'profit'} of ${formatPrice(Math.abs(pnl), paperDecimals(symbol))}`;
}
