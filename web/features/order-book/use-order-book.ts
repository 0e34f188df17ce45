/** The live order book of one product, drawn into the rows under `root`; text and states are React state. */
import { type RefObject, useEffect, useRef, useState } from 'react';
import type { MarketSymbol } from '#domain/market/symbols.ts';
import { publishBookSpread } from '../../site/book-spread.ts';
import { createPaintGate, type PaintGate } from '../../ui/browser/paint-gate.ts';
import { type BookLabels, bookLabels, middleOf } from './book-labels.ts';
import { createBookPainter } from './book-painter.ts';
import { createBookReader, type LiveStatus, liveNowMs, watchBook } from './order-book-api.ts';

/** The text changes at most this often, because it is announced. */
const LABELS_EVERY_MS = 10_000;

export interface OrderBookState {
  status: LiveStatus;
  /** Whole seconds since the last sign of life; null while it is live. */
  ageS: number | null;
  labels: BookLabels | null;
  /** The least time between two updates while the server is overloaded, milliseconds; else null. */
  bookEveryMs: number | null;
}

const BEFORE: LiveStatus = { isRetrying: false, isStale: false, lastAliveAtMs: null };

/** @param levels  rows per side that are under `root` now */
export function useOrderBook(
  root: RefObject<HTMLElement | null>,
  symbol: MarketSymbol,
  productId: string,
  levels: number,
): OrderBookState {
  const [status, setStatus] = useState(BEFORE);
  const [bookEveryMs, setBookPace] = useState<number | null>(null);
  const [labels, setLabels] = useState<BookLabels | null>(null);
  const reader = useRef(createBookReader());
  const gate = useRef<PaintGate | null>(null);

  // The connection outlives a change of rows.
  useEffect(() => {
    const stop = watchBook(productId, {
      onEvent(event) {
        if (reader.current.take(event)) gate.current?.request();
      },
      onBreak: () => reader.current.break(),
      onStatus: setStatus,
      onBookPace: setBookPace,
    });
    return () => {
      stop();
      publishBookSpread(productId, null);
      reader.current = createBookReader();
    };
  }, [productId]);

  useEffect(() => {
    if (root.current === null) return;
    const paint = createBookPainter(root.current, symbol);
    let labelledAtMs = Number.NEGATIVE_INFINITY;
    const own = createPaintGate(() => {
      const frame = reader.current.frame(levels);
      // The last frame stays.
      if (frame === null) return;
      paint(frame);
      if (liveNowMs() - labelledAtMs < LABELS_EVERY_MS) return;
      labelledAtMs = liveNowMs();
      setLabels(bookLabels(frame, symbol));
      const { middle, spread } = middleOf(frame);
      publishBookSpread(productId, (spread / middle) * 10_000);
    });
    gate.current = own;
    own.request();
    return () => {
      own.stop();
      gate.current = null;
    };
  }, [root, symbol, productId, levels]);

  const ageS =
    status.isStale && status.lastAliveAtMs !== null ? Math.floor((liveNowMs() - status.lastAliveAtMs) / 1000) : null;
  return { status, ageS, labels, bookEveryMs };
}
