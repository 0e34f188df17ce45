/**
 * Coinbase Exchange's socket words, as the venue says them to us and as our own relay says them to browsers. Prices and
 * sizes are decimal text. Read by the page too, so it is kept small: what only a server needs stands in
 * coinbase-messages-served.ts. Source: market facts, section 1.
 */
import { countOf, type Fields, figureOf, isRecord, list, recordOf, textOf } from '../codecs/feed-fields.ts';
import type { OrderBook } from './order-book.ts';

export const FEED_CHANNELS = ['level2', 'level2_batch', 'ticker', 'heartbeat'] as const;
export type FeedChannel = (typeof FEED_CHANNELS)[number];

/** What a reader asks for. The first must come within five seconds of connecting. */
export interface FeedRequest {
  type: 'subscribe' | 'unsubscribe';
  product_ids: string[];
  channels: FeedChannel[];
}

/** `[price, size]`. */
export type LevelText = readonly [price: string, size: string];

export interface SnapshotMessage {
  type: 'snapshot';
  product_id: string;
  /** Best first. */
  bids: readonly LevelText[];
  asks: readonly LevelText[];
  /** Our relay's own word, where the venue is silent: for how long it has not confirmed this. */
  age_ms?: number;
}

export interface UpdateMessage {
  type: 'l2update';
  product_id: string;
  /** ISO time. */
  time: string;
  /** The last of two changes at one price counts. */
  changes: readonly (readonly [side: 'buy' | 'sell', price: string, size: string])[];
}

export interface TickerMessage {
  type: 'ticker';
  product_id: string;
  sequence: number;
  price: string;
  open_24h?: string | undefined;
  volume_24h?: string | undefined;
  low_24h?: string | undefined;
  high_24h?: string | undefined;
  best_bid?: string | undefined;
  best_bid_size?: string | undefined;
  best_ask?: string | undefined;
  best_ask_size?: string | undefined;
  side?: 'buy' | 'sell' | undefined;
  time: string;
  trade_id: number;
  last_size?: string | undefined;
  /** Our relay's own words of a price that is taken from candles: whose it is, how late, and whether its market trades. */
  source?: string | undefined;
  delay_s?: number | undefined;
  is_open?: boolean | undefined;
}

export interface HeartbeatMessage {
  type: 'heartbeat';
  product_id: string;
  sequence: number;
  last_trade_id: number;
  time: string;
  /** Our relay's own word: for how long the venue has given no sign of life. */
  silent_ms?: number;
}

export interface SubscriptionsMessage {
  type: 'subscriptions';
  channels: readonly { name: string; product_ids: readonly string[] }[];
}

/** Our relay's own word, said every few seconds: the connection lives, also while the venue is silent. */
export interface AliveMessage {
  type: 'alive';
  /** ISO time. */
  time: string;
  /** While the server is overloaded: the least time between two updates of a book, milliseconds. Absent otherwise. */
  book_every_ms?: number;
}

export interface FeedErrorMessage {
  type: 'error';
  message: string;
  reason?: string;
}

/** A message as read. Levels are checked one by one where they go into a book, so that a bad one costs only itself. */
export type FeedEvent =
  | SnapshotEvent
  | { kind: 'update'; productId: string; time: string; changes: readonly unknown[] }
  | TickerEvent
  | HeartbeatEvent
  | { kind: 'subscriptions'; channels: readonly { name: string; productIds: readonly string[] }[] }
  | { kind: 'error'; message: string; reason: string }
  | AliveEvent
  /** A type we do not know; the venue adds some now and then. */
  | { kind: 'stranger' }
  | { kind: 'malformed' };

export interface SnapshotEvent {
  kind: 'snapshot';
  productId: string;
  bids: readonly unknown[];
  asks: readonly unknown[];
  /** How old it was when it was sent; null: it is of now. */
  ageMs: number | null;
}

export interface AliveEvent {
  kind: 'alive';
  /** The server is overloaded and updates a book no more often than this; null: as often as the book changes. */
  bookEveryMs: number | null;
}

export interface HeartbeatEvent {
  kind: 'heartbeat';
  productId: string;
  sequence: number;
  lastTradeId: number;
  time: string;
  /** How long the product's venue had been silent when this was sent; absent: it speaks now. */
  silentMs?: number;
}

/** Figures that the message lacks or spoils are null; the price is always there. */
export interface TickerEvent {
  kind: 'ticker';
  productId: string;
  price: number;
  open24h: number | null;
  high24h: number | null;
  low24h: number | null;
  volume24h: number | null;
  bestBid: number | null;
  bestBidSize: number | null;
  bestAsk: number | null;
  bestAskSize: number | null;
  lastSize: number | null;
  side: 'buy' | 'sell' | null;
  sequence: number;
  tradeId: number;
  time: string;
  /** Of a price that is taken from candles; a venue's own ticker has none. */
  origin?: TickerOrigin | undefined;
}

export interface TickerOrigin {
  /** Whose price it is, as the screen names it. */
  source: string;
  /** How late it is by the source's own terms, seconds. */
  delayS: number;
  /** The market trades at this hour; where it does not, the price is the last one of its session. */
  isOpen: boolean;
}

const MALFORMED: FeedEvent = { kind: 'malformed' };
const STRANGER: FeedEvent = { kind: 'stranger' };

/** One frame, by hand rather than by a schema: hundreds come each second. Never throws. */
export function parseFeedMessage(text: string): FeedEvent {
  const frame = recordOf(text);
  if (frame === null || typeof frame.type !== 'string') return MALFORMED;
  switch (frame.type) {
    case 'l2update':
    case 'snapshot':
    case 'ticker':
    case 'heartbeat':
      return typeof frame.product_id === 'string' ? productEvent(frame.type, frame.product_id, frame) : MALFORMED;
    case 'subscriptions':
      return { kind: 'subscriptions', channels: list(frame.channels).map(channelOf) };
    case 'error':
      return { kind: 'error', message: textOf(frame.message), reason: textOf(frame.reason) };
    case 'alive':
      return { kind: 'alive', bookEveryMs: figureOf(frame.book_every_ms) };
    default:
      return STRANGER;
  }
}

/** Changes of an update into a book, in their order: the last of two at one price counts. */
export function applyChanges(book: OrderBook, changes: readonly unknown[]): void {
  for (const change of changes) {
    const [side, price, size]: readonly unknown[] = Array.isArray(change) ? change : [];
    if (side === 'buy') book.apply('bid', price, size);
    else if (side === 'sell') book.apply('ask', price, size);
    else book.rejected += 1;
  }
}

/** What a reader sends. */
export function requestText(
  type: FeedRequest['type'],
  productIds: readonly string[],
  channels: readonly FeedChannel[],
): string {
  return JSON.stringify({ type, product_ids: productIds, channels });
}

function productEvent(
  type: 'l2update' | 'snapshot' | 'ticker' | 'heartbeat',
  productId: string,
  frame: Fields,
): FeedEvent {
  const time = textOf(frame.time);
  if (type === 'l2update') {
    const { changes } = frame;
    return Array.isArray(changes) ? { kind: 'update', productId, time, changes } : MALFORMED;
  }
  if (type === 'snapshot') {
    const { bids, asks } = frame;
    const ageMs = figureOf(frame.age_ms);
    return Array.isArray(bids) && Array.isArray(asks) ? { kind: 'snapshot', productId, bids, asks, ageMs } : MALFORMED;
  }
  const sequence = countOf(frame.sequence);
  if (type === 'heartbeat') {
    const silentMs = figureOf(frame.silent_ms);
    const lastTradeId = countOf(frame.last_trade_id);
    return { kind: 'heartbeat', productId, sequence, lastTradeId, time, ...(silentMs !== null && { silentMs }) };
  }
  const price = figureOf(frame.price);
  if (price === null || price === 0) return MALFORMED;
  return {
    kind: 'ticker',
    productId,
    price,
    open24h: figureOf(frame.open_24h),
    high24h: figureOf(frame.high_24h),
    low24h: figureOf(frame.low_24h),
    volume24h: figureOf(frame.volume_24h),
    bestBid: figureOf(frame.best_bid),
    bestBidSize: figureOf(frame.best_bid_size),
    bestAsk: figureOf(frame.best_ask),
    bestAskSize: figureOf(frame.best_ask_size),
    lastSize: figureOf(frame.last_size),
    side: frame.side === 'buy' || frame.side === 'sell' ? frame.side : null,
    sequence,
    tradeId: countOf(frame.trade_id),
    time,
    ...(typeof frame.source === 'string' && { origin: originOf(frame.source, frame) }),
  };
}

function originOf(source: string, frame: Fields): TickerOrigin {
  return { source, delayS: figureOf(frame.delay_s) ?? 0, isOpen: frame.is_open !== false };
}

function channelOf(channel: unknown): { name: string; productIds: string[] } {
  if (!isRecord(channel)) return { name: textOf(channel), productIds: [] };
  return { name: textOf(channel.name), productIds: list(channel.product_ids).map(textOf) };
}
