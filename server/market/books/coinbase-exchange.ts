/**
 * Order books of Coinbase Exchange: the public `level2_batch` channel, or with keys `level2`, which requires a
 * signature. Updates carry no number, so a loss shows only in the book itself.
 */
import { createHmac } from 'node:crypto';
import { applyChanges, parseFeedMessage, requestText } from '#domain/market/book/coinbase-messages.ts';
import type { Clock } from '#domain/time/clock.ts';
import type { FeedKeys } from '../../platform/config/config-market.ts';
import { type BookDialect, type BookFeedOptions, type FrameSink, openBookFeed } from './book-feed.ts';
import type { BookSource } from './book-source.ts';

export interface CoinbaseExchangeOptions extends BookFeedOptions {
  wsUrl: string;
  keys: FeedKeys['coinbase'];
  clock: Clock;
  /** Refused keys are tried again after this long, milliseconds. */
  keysAgainMs?: number | undefined;
}

const KEYS_AGAIN_MS = 3_600_000;
/** The venue's messages about a bad signature; any other refusal has nothing to do with the keys. */
const SIGNATURE_REFUSED = /authentication failed|require authentication/i;
const OPEN_CHANNELS = ['level2_batch', 'ticker', 'heartbeat'] as const;
const SIGNED_CHANNELS = ['level2', 'ticker', 'heartbeat'] as const;

export function coinbaseExchange(options: CoinbaseExchangeOptions): BookSource {
  const { wsUrl, keys, clock, keysAgainMs = KEYS_AGAIN_MS } = options;
  return {
    id: 'coinbase-exchange',
    attribution: 'Coinbase Exchange',
    open(productIds, signal) {
      let keysRefusedAtMs = Number.NEGATIVE_INFINITY;
      const usableKeys = () => (performance.now() - keysRefusedAtMs < keysAgainMs ? null : keys);
      const dialect: BookDialect = {
        url: wsUrl,
        reader: (sink) => (text) => readExchangeFrame(text, sink),
        requests(ids) {
          const usable = usableKeys();
          // The public channel shows the same book, twenty times a second.
          if (usable === null) return [requestText('subscribe', ids, OPEN_CHANNELS)];
          return [signedSubscribe(ids, usable, clock.nowMs())];
        },
        hasOtherWords(message) {
          if (usableKeys() === null || !SIGNATURE_REFUSED.test(message)) return false;
          keysRefusedAtMs = performance.now();
          return true;
        },
      };
      return openBookFeed(dialect, productIds, signal, options);
    },
  };
}

/** Passes one frame to the sink. Never throws. */
export function readExchangeFrame(text: string, sink: FrameSink): void {
  const event = parseFeedMessage(text);
  if (event.kind === 'update') sink.update(event.productId, (book) => applyChanges(book, event.changes));
  else if (event.kind === 'ticker') sink.ticker(event);
  else if (event.kind === 'heartbeat') sink.heartbeat(event.productId, event.lastTradeId);
  else if (event.kind === 'snapshot') sink.snapshot(event.productId, event.bids, event.asks);
  else if (event.kind === 'error') sink.refused(`${event.message} ${event.reason}`.trim());
  else if (event.kind === 'malformed') sink.malformed(1);
}

/** @param keys  the secret is in base64 */
export function signedSubscribe(
  productIds: readonly string[],
  keys: NonNullable<FeedKeys['coinbase']>,
  nowMs: number,
): string {
  const timestamp = String(Math.floor(nowMs / 1000));
  const signature = createHmac('sha256', Buffer.from(keys.secret, 'base64'))
    .update(`${timestamp}GET/users/self/verify`)
    .digest('base64');
  return JSON.stringify({
    type: 'subscribe',
    product_ids: productIds,
    channels: SIGNED_CHANNELS,
    signature,
    key: keys.key,
    passphrase: keys.passphrase,
    timestamp,
  });
}
