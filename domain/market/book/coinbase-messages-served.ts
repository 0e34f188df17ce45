/** The serving half of Coinbase's socket protocol, for the relay and the sandbox venue; pages never load it. */

import * as z from 'zod/mini';
import { parsedJson } from '../../format/parsed-json.ts';
import type { Candle } from '../candle.ts';
import { decimalText } from '../codecs/decimal-text.ts';
import {
  type AliveMessage,
  type CandleRow,
  type CandlesEvent,
  type CandlesMessage,
  type CoinbaseRequest,
  FEED_CHANNELS,
  type FeedErrorMessage,
  type HeartbeatMessage,
  type LevelText,
  type SnapshotMessage,
  type SubscriptionsMessage,
  type TickerEvent,
  type TickerMessage,
} from './coinbase-messages.ts';
import type { BookChange, BookLevel } from './order-book.ts';

export const MAX_REQUEST_PRODUCTS = 50;
const MAX_REQUEST_CHANNELS = 20;
const MAX_PRODUCT_ID_LENGTH = 24;

const productIds = z
  .array(z.string().check(z.minLength(1), z.maxLength(MAX_PRODUCT_ID_LENGTH)))
  .check(z.maxLength(MAX_REQUEST_PRODUCTS));
const channelName = z.string().check(z.maxLength(40));
const channel = z.union([channelName, z.object({ name: channelName, product_ids: z.optional(productIds) })]);

const requestSchema = z.object({
  type: z.enum(['subscribe', 'unsubscribe']),
  product_ids: z.optional(productIds),
  channels: z.optional(z.array(channel).check(z.maxLength(MAX_REQUEST_CHANNELS))),
});

export interface ReadFeedRequest {
  type: CoinbaseRequest['type'];
  channels: readonly { name: string; productIds: readonly string[] }[];
}

/**
 * Parses a client's message; a string is the venue's error text. Signatures and other fields are ignored.
 * @param all  the channels that a client leaves which names none
 */
export function parseFeedRequest(text: string, all: readonly string[] = FEED_CHANNELS): ReadFeedRequest | string {
  const frame = parsedJson(text);
  if (frame === undefined) return 'Malformed JSON';
  const parsed = requestSchema.safeParse(frame);
  if (!parsed.success) return describeFault(frame);
  const { type, product_ids: common = [], channels } = parsed.data;
  if (channels === undefined && type === 'subscribe') return 'No channels provided';
  // Unsubscribing from products without naming channels leaves every channel.
  const named = channels ?? all;
  return {
    type,
    channels: named.map((one) => {
      if (typeof one === 'string') return { name: one, productIds: common };
      return { name: one.name, productIds: [...new Set([...common, ...(one.product_ids ?? [])])] };
    }),
  };
}

function describeFault(frame: unknown): string {
  if (typeof frame !== 'object' || frame === null || Array.isArray(frame)) return 'Message is not an object';
  const type = 'type' in frame ? frame.type : undefined;
  if (type !== 'subscribe' && type !== 'unsubscribe') return 'Type has to be either subscribe or unsubscribe';
  return 'product_ids and channels have to be lists of names';
}

export function levelText({ price, size }: BookLevel): LevelText {
  return [decimalText(price), decimalText(size)];
}

/** @param ageMs  age of a snapshot that may be out of date, sent in our own field `age_ms` */
export function snapshotText(
  productId: string,
  bids: readonly BookLevel[],
  asks: readonly BookLevel[],
  ageMs: number | null = null,
): string {
  const message: SnapshotMessage = {
    type: 'snapshot',
    product_id: productId,
    bids: bids.map(levelText),
    asks: asks.map(levelText),
    ...(ageMs === null ? {} : { age_ms: ageMs }),
  };
  return JSON.stringify(message);
}

/** Built by hand, because decimal text needs no escaping and this runs many times a second. */
export function updateText(productId: string, changes: readonly BookChange[], time: string): string {
  let rows = '';
  for (const { side, price, size } of changes) {
    const takerSide = side === 'bid' ? 'buy' : 'sell';
    rows += `${rows === '' ? '' : ','}["${takerSide}","${decimalText(price)}","${decimalText(size)}"]`;
  }
  return `{"type":"l2update","product_id":${JSON.stringify(productId)},"changes":[${rows}],"time":"${time}"}`;
}

export function errorText(message: string, reason?: string): string {
  const error: FeedErrorMessage =
    reason === undefined ? { type: 'error', message } : { type: 'error', message, reason };
  return JSON.stringify(error);
}

export function tickerText(ticker: TickerEvent): string {
  const text = (figure: number | null): string | undefined => (figure === null ? undefined : decimalText(figure));
  const message: TickerMessage = {
    type: 'ticker',
    product_id: ticker.productId,
    sequence: ticker.sequence,
    price: decimalText(ticker.price),
    open_24h: text(ticker.open24h),
    volume_24h: text(ticker.volume24h),
    low_24h: text(ticker.low24h),
    high_24h: text(ticker.high24h),
    best_bid: text(ticker.bestBid),
    best_bid_size: text(ticker.bestBidSize),
    best_ask: text(ticker.bestAsk),
    best_ask_size: text(ticker.bestAskSize),
    side: ticker.side ?? undefined,
    time: ticker.time,
    trade_id: ticker.tradeId,
    last_size: text(ticker.lastSize),
    source: ticker.origin?.source,
    delay_s: ticker.origin?.delayS,
    is_open: ticker.origin?.isOpen,
  };
  return JSON.stringify(message);
}

export function heartbeatText(heartbeat: Omit<HeartbeatMessage, 'type'>): string {
  const message: HeartbeatMessage = { type: 'heartbeat', ...heartbeat };
  return JSON.stringify(message);
}

export function candlesText({ productId, closed, forming }: CandlesEvent): string {
  const message: CandlesMessage = {
    type: 'candles',
    product_id: productId,
    closed: closed && rowOf(closed),
    forming: forming && rowOf(forming),
  };
  return JSON.stringify(message);
}

function rowOf({ time, low, high, open, close, volume = 0 }: Candle): CandleRow {
  return [time, low, high, open, close, volume];
}

/** @param bookEveryMs  null: books are updated as often as they change */
export function aliveText(time: string, bookEveryMs: number | null = null): string {
  const message: AliveMessage = {
    type: 'alive',
    time,
    ...(bookEveryMs === null ? {} : { book_every_ms: bookEveryMs }),
  };
  return JSON.stringify(message);
}

export function subscriptionsText(channels: SubscriptionsMessage['channels']): string {
  const message: SubscriptionsMessage = { type: 'subscriptions', channels };
  return JSON.stringify(message);
}
