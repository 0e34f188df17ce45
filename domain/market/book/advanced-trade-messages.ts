/**
 * Messages of the Coinbase Advanced Trade socket, a second protocol for the same market. It differs in three ways: one
 * channel per subscription, offers instead of asks, and a sequence number that rises by one per message.
 */

import { type Fields, figureOf, isRecord, recordOf, textOf } from '../codecs/feed-fields.ts';
import type { TickerEvent } from './coinbase-messages.ts';
import type { OrderBook } from './order-book.ts';

export const ADVANCED_CHANNELS = ['level2', 'ticker', 'heartbeats'] as const;
type AdvancedChannel = (typeof ADVANCED_CHANNELS)[number];

export interface AdvancedBookEvent {
  isSnapshot: boolean;
  productId: string;
  /** Rows of `{side, price_level, new_quantity}`, checked one by one when they are applied to a book. */
  updates: readonly unknown[];
}

/** A parsed message. `sequence` is its number on the connection, null when it has none. */
export type AdvancedMessage = { sequence: number | null } & (
  | { kind: 'books'; books: readonly AdvancedBookEvent[]; malformed: number }
  | { kind: 'tickers'; tickers: readonly TickerEvent[]; malformed: number }
  | { kind: 'heartbeat' }
  | { kind: 'error'; message: string }
  | { kind: 'stranger' }
  | { kind: 'malformed' }
);

/** The requests that subscribe to books, tickers and heartbeats of these products. */
export function advancedSubscriptions(productIds: readonly string[]): string[] {
  return ADVANCED_CHANNELS.map((channel: AdvancedChannel) =>
    JSON.stringify({ type: 'subscribe', product_ids: productIds, channel }),
  );
}

/** Parses one frame by hand rather than by a schema, for speed. Never throws. */
export function parseAdvancedMessage(text: string): AdvancedMessage {
  const frame = recordOf(text);
  // An unreadable frame has no number, so the next one shows the gap.
  if (frame === null) return { kind: 'malformed', sequence: null };
  if (frame.type === 'error') return { kind: 'error', message: textOf(frame.message), sequence: null };
  const { channel, events, sequence_num: number } = frame;
  const sequence = typeof number === 'number' && Number.isSafeInteger(number) ? number : null;
  if (channel === 'heartbeats') return { kind: 'heartbeat', sequence };
  if (channel !== 'l2_data' && channel !== 'ticker')
    return { kind: typeof channel === 'string' ? 'stranger' : 'malformed', sequence };
  if (!Array.isArray(events)) return { kind: 'malformed', sequence };
  return channel === 'l2_data'
    ? { kind: 'books', sequence, ...readAll(events, bookEventOf) }
    : { kind: 'tickers', sequence, ...tickersOf(events, textOf(frame.timestamp), sequence ?? 0) };
}

/** Applies an event's rows to a book, in order. */
export function applyAdvancedUpdates(book: OrderBook, updates: readonly unknown[]): void {
  for (const update of updates) {
    const { side, price_level: price, new_quantity: size }: Fields = isRecord(update) ? update : {};
    if (side === 'bid') book.apply('bid', price, size);
    else if (side === 'offer') book.apply('ask', price, size);
    else book.rejected += 1;
  }
}

/** A snapshot's rows as the two sides of a book. A row of neither side becomes null, which every book rejects. */
export function advancedSides(updates: readonly unknown[]): { bids: unknown[]; asks: unknown[] } {
  const sides: { bids: unknown[]; asks: unknown[] } = { bids: [], asks: [] };
  for (const update of updates) {
    if (!isRecord(update) || (update.side !== 'bid' && update.side !== 'offer')) sides.bids.push(null);
    else (update.side === 'bid' ? sides.bids : sides.asks).push([update.price_level, update.new_quantity]);
  }
  return sides;
}

function bookEventOf(event: unknown): AdvancedBookEvent | null {
  if (!isRecord(event)) return null;
  const { type, product_id: productId, updates } = event;
  if (typeof productId !== 'string' || !Array.isArray(updates)) return null;
  if (type !== 'snapshot' && type !== 'update') return null;
  return { isSnapshot: type === 'snapshot', productId, updates };
}

function readAll(events: readonly unknown[], read: (event: unknown) => AdvancedBookEvent | null) {
  const books = events.map(read).filter((book) => book !== null);
  return { books, malformed: events.length - books.length };
}

function tickersOf(events: readonly unknown[], time: string, sequence: number) {
  const rows = events.flatMap((event): unknown[] =>
    isRecord(event) && Array.isArray(event.tickers) ? event.tickers : [null],
  );
  const tickers = rows.map((row) => tickerOf(row, time, sequence)).filter((ticker) => ticker !== null);
  return { tickers, malformed: rows.length - tickers.length };
}

function tickerOf(row: unknown, time: string, sequence: number): TickerEvent | null {
  if (!isRecord(row) || typeof row.product_id !== 'string') return null;
  const price = figureOf(row.price);
  if (price === null || price === 0) return null;
  return {
    kind: 'ticker',
    productId: row.product_id,
    price,
    open24h: openOf(price, row.price_percent_chg_24_h),
    high24h: figureOf(row.high_24_h),
    low24h: figureOf(row.low_24_h),
    volume24h: figureOf(row.volume_24_h),
    bestBid: figureOf(row.best_bid),
    bestBidSize: figureOf(row.best_bid_quantity),
    bestAsk: figureOf(row.best_ask),
    bestAskSize: figureOf(row.best_ask_quantity),
    lastSize: null,
    side: null,
    sequence,
    tradeId: 0,
    time,
  };
}

/** The venue reports the price change in per cent, not the opening price. */
function openOf(price: number, percentText: unknown): number | null {
  if (typeof percentText !== 'string' || !/^-?\d{1,6}(\.\d{1,20})?$/.test(percentText)) return null;
  const factor = 1 + Number(percentText) / 100;
  return factor > 0 ? Number((price / factor).toPrecision(12)) : null;
}
