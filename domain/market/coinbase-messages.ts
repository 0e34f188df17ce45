/**
 * Coinbase Exchange's socket words, as the venue says them to us and as our own relay says them to browsers. Prices and
 * sizes are decimal text. Source: market facts, section 1.
 */

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
  open_24h: string;
  volume_24h: string;
  low_24h: string;
  high_24h: string;
  best_bid: string;
  best_bid_size: string;
  best_ask: string;
  best_ask_size: string;
  side: 'buy' | 'sell';
  time: string;
  trade_id: number;
  last_size: string;
}

export interface HeartbeatMessage {
  type: 'heartbeat';
  product_id: string;
  sequence: number;
  last_trade_id: number;
  time: string;
}

export interface SubscriptionsMessage {
  type: 'subscriptions';
  channels: readonly { name: string; product_ids: readonly string[] }[];
}

export interface FeedErrorMessage {
  type: 'error';
  message: string;
  reason?: string;
}

export type FeedMessage =
  | SnapshotMessage
  | UpdateMessage
  | TickerMessage
  | HeartbeatMessage
  | SubscriptionsMessage
  | FeedErrorMessage;
