/**
 * Messages of the Coinbase Exchange socket, used from the venue to us and from our relay to browsers. Prices and sizes
 * are decimal text. Pages load this file, so code that only a server needs is in coinbase-messages-served.ts.
 */
import { type Candle, isWellFormed } from '../candle.ts';
import { countOf, type Fields, figureOf, isRecord, list, recordOf, textOf } from '../codecs/feed-fields.ts';
import type { OrderBook } from './order-book.ts';

export const FEED_CHANNELS = ['level2', 'level2_batch', 'ticker', 'heartbeat'] as const;
export type FeedChannel = (typeof FEED_CHANNELS)[number];

/** Our relay has one more than the venue. */
export const RELAY_CHANNELS = [...FEED_CHANNELS, 'candles'] as const;
export type RelayChannel = (typeof RELAY_CHANNELS)[number];

/** A client's request. The first must arrive within five seconds of connecting. */
export interface CoinbaseRequest {
  type: 'subscribe' | 'unsubscribe';
  product_ids: string[];
  channels: RelayChannel[];
}

/** `[price, size]`. */
export type LevelText = readonly [price: string, size: string];

export interface SnapshotMessage {
  type: 'snapshot';
  product_id: string;
  /** Best first. */
  bids: readonly LevelText[];
  asks: readonly LevelText[];
  /** Added by our relay while the venue is unresponsive: how long it has not confirmed this snapshot. */
  age_ms?: number;
}

export interface UpdateMessage {
  type: 'l2update';
  product_id: string;
  time: string;
  /** Of two changes at one price, the last one counts. */
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
  /** Added by our relay to a price derived from candles: its source, its delay, and whether its market is open. */
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
  /** Added by our relay: how long the venue has sent nothing. */
  silent_ms?: number;
  /** Added by our relay to a product of candles: its market's own time, behind for delayed prices. */
  market_time?: string;
}

/** `[time, low, high, open, close, volume]`, as in the venue's answers; `time` in epoch seconds. */
export type CandleRow = readonly [
  timeS: number,
  low: number,
  high: number,
  open: number,
  close: number,
  volume: number,
];

/** Of our relay alone: a product's newest minutes, sent with each change. */
export interface CandlesMessage {
  type: 'candles';
  product_id: string;
  /** The last minute that has closed. */
  closed: CandleRow | null;
  /** The minute after it so far; null while it has no trade, or the market is closed. */
  forming: CandleRow | null;
}

export interface SubscriptionsMessage {
  type: 'subscriptions';
  channels: readonly { name: string; product_ids: readonly string[] }[];
}

/** Sent by our relay every few seconds: the connection is alive, even while the venue is unresponsive. */
export interface AliveMessage {
  type: 'alive';
  time: string;
  /** Shortest time between two updates of a book, milliseconds, while the server is overloaded; else absent. */
  book_every_ms?: number;
}

export interface FeedErrorMessage {
  type: 'error';
  message: string;
  reason?: string;
}

/** A parsed message. Levels are checked one by one when applied to a book, so a bad one affects only itself. */
export type FeedEvent =
  | SnapshotEvent
  | { kind: 'update'; productId: string; time: string; changes: readonly unknown[] }
  | TickerEvent
  | HeartbeatEvent
  | CandlesEvent
  | { kind: 'subscriptions'; channels: readonly { name: string; productIds: readonly string[] }[] }
  | { kind: 'error'; message: string; reason: string }
  | AliveEvent
  /** An unknown type; the venue adds some now and then. */
  | { kind: 'ignored' }
  | { kind: 'malformed' };

export interface SnapshotEvent {
  kind: 'snapshot';
  productId: string;
  bids: readonly unknown[];
  asks: readonly unknown[];
  /** Its age when it was sent; null: current. */
  ageMs: number | null;
}

export interface AliveEvent {
  kind: 'alive';
  /** Shortest time between updates of a book while the server is overloaded; null: as often as the book changes. */
  bookEveryMs: number | null;
}

export interface HeartbeatEvent {
  kind: 'heartbeat';
  productId: string;
  sequence: number;
  lastTradeId: number;
  time: string;
  /** How long the product's venue had been unresponsive when this was sent; absent while it responds. */
  idleMs?: number;
  /** The market's own time, epoch milliseconds; absent for a product without candles. */
  marketMs?: number;
}

export interface CandlesEvent {
  kind: 'candles';
  productId: string;
  closed: Candle | null;
  forming: Candle | null;
}

/** Figures that are missing or invalid are null; the price is always present. */
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
  /** Set for a price derived from candles; absent for a venue's own ticker. */
  origin?: TickerOrigin | undefined;
}

export interface TickerOrigin {
  /** Name of the price's source, as the screen shows it. */
  source: string;
  /** The source's own stated delay, seconds. */
  delayS: number;
  /** Whether the market is open now; if not, the price is the last one of its session. */
  isOpen: boolean;
}

const MALFORMED: FeedEvent = { kind: 'malformed' };
const IGNORED: FeedEvent = { kind: 'ignored' };

/** Parses one frame by hand rather than by a schema, because hundreds arrive each second. Never throws. */
export function parseFeedMessage(text: string): FeedEvent {
  const frame = recordOf(text);
  if (frame === null || typeof frame.type !== 'string') return MALFORMED;
  switch (frame.type) {
    case 'l2update':
    case 'snapshot':
    case 'ticker':
    case 'heartbeat':
    case 'candles':
      return typeof frame.product_id === 'string' ? productEvent(frame.type, frame.product_id, frame) : MALFORMED;
    case 'subscriptions':
      return { kind: 'subscriptions', channels: list(frame.channels).map(channelOf) };
    case 'error':
      return { kind: 'error', message: textOf(frame.message), reason: textOf(frame.reason) };
    case 'alive':
      return { kind: 'alive', bookEveryMs: figureOf(frame.book_every_ms) };
    default:
      return IGNORED;
  }
}

/** Applies an update's changes to a book, in order: of two at one price, the last one counts. */
export function applyChanges(book: OrderBook, changes: readonly unknown[]): void {
  for (const change of changes) {
    const [side, price, size]: readonly unknown[] = Array.isArray(change) ? change : [];
    if (side === 'buy') book.apply('bid', price, size);
    else if (side === 'sell') book.apply('ask', price, size);
    else book.rejected += 1;
  }
}

export function requestText(
  type: CoinbaseRequest['type'],
  productIds: readonly string[],
  channels: readonly RelayChannel[],
): string {
  return JSON.stringify({ type, product_ids: productIds, channels });
}

function productEvent(
  type: 'l2update' | 'snapshot' | 'ticker' | 'heartbeat' | 'candles',
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
  if (type === 'candles') {
    const [closed, forming] = [candleOf(frame.closed), candleOf(frame.forming)];
    return closed === null && forming === null ? MALFORMED : { kind: 'candles', productId, closed, forming };
  }
  const sequence = countOf(frame.sequence);
  if (type === 'heartbeat') {
    const idleMs = figureOf(frame.silent_ms);
    const lastTradeId = countOf(frame.last_trade_id);
    const marketMs = Date.parse(textOf(frame.market_time));
    return {
      kind: 'heartbeat',
      productId,
      sequence,
      lastTradeId,
      time,
      ...(idleMs !== null && { idleMs }),
      ...(Number.isFinite(marketMs) && { marketMs }),
    };
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

/** Null for anything but a row of a sound candle. */
function candleOf(row: unknown): Candle | null {
  const [time, low, high, open, close, volume] = list(row).map(Number);
  const candle = { time, open, high, low, close, volume } as Candle;
  return isWellFormed(candle) ? candle : null;
}

function channelOf(channel: unknown): { name: string; productIds: string[] } {
  if (!isRecord(channel)) return { name: textOf(channel), productIds: [] };
  return { name: textOf(channel.name), productIds: list(channel.product_ids).map(textOf) };
}
