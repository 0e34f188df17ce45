/**
 * Coinbase Advanced Trade: one channel per request. Sequence numbers rise by one with each message of a connection, so
 * that a reader can detect lost ones. It has no HTTP side here.
 */
import * as z from 'zod/mini';
import type { BookChange } from '#domain/market/book/order-book.ts';
import { decimalText } from '#domain/market/codecs/decimal-text.ts';
import type { OpenDialect } from '../../dialect.ts';
import { type About, openLines } from '../../simulation/lines.ts';
import {
  type CoinbaseProduct,
  crossingBid,
  microTime,
  openCoinbaseProducts,
  type ProductState,
} from './coinbase-products.ts';
import { type CoinbaseReader, coinbaseGateway } from './coinbase-readers.ts';

const NAME = 'coinbase-advanced';
const CHANNELS = ['level2', 'ticker', 'heartbeats'] as const;
type Channel = (typeof CHANNELS)[number];
/** Takes a product's place in the channel without products. */
const HEARTBEATS = 'heartbeats';
/** A connection without messages is closed after this; heartbeats keep it open. */
const IDLE_MS = 75_000;

interface Reader extends CoinbaseReader {
  /** Product ids of each channel. */
  subscriptions: Record<Channel, Set<string>>;
  sequence: number;
  saidAtMs: number;
}

const requestSchema = z.object({
  type: z.enum(['subscribe', 'unsubscribe']),
  channel: z.string().check(z.maxLength(40)),
  product_ids: z.optional(z.array(z.string().check(z.maxLength(24))).check(z.maxLength(50))),
});

export const coinbaseAdvancedDialect: OpenDialect = (parts) => {
  const lines = openLines(NAME, parts);
  const readers = new Set<Reader>();
  let heartbeats = 0;
  const products = openCoinbaseProducts(parts, {
    hasReaders: (id) => [...readers].some((r) => r.subscriptions.level2.has(id) || r.subscriptions.ticker.has(id)),
    onChanges(product, changes, state) {
      const told = (rows: readonly BookChange[]) => [bookEvent('update', product.id, rows, lines.eventMs(product.id))];
      const events = told(changes);
      const crossed = () => told([...changes, crossingBid(state.book)]);
      for (const reader of readers)
        if (reader.subscriptions.level2.has(product.id)) say(reader, 'l2_data', events, product.id, crossed);
    },
    onTrade(product, state) {
      const events = [tickerEvent('update', product, state)];
      for (const reader of readers)
        if (reader.subscriptions.ticker.has(product.id)) say(reader, 'ticker', events, product.id);
    },
    onSecond() {
      heartbeats += 1;
      const events = [{ current_time: new Date(lines.eventMs()).toISOString(), heartbeat_counter: heartbeats }];
      for (const reader of readers) {
        if (reader.subscriptions.heartbeats.size > 0) say(reader, 'heartbeats', events);
        else if (performance.now() - reader.saidAtMs > IDLE_MS) reader.line.close();
      }
    },
  });

  /** @param crossed  the same events with a crossed book, for the `crossed` fault */
  function say(reader: Reader, channel: string, events: object[], productId?: string, crossed?: () => object[]): void {
    const envelope = {
      channel,
      timestamp: microTime(lines.eventMs(productId)),
      sequence_num: reader.sequence++,
    };
    reader.saidAtMs = performance.now();
    const about: About = {};
    if (productId !== undefined) about.productId = productId;
    if (crossed !== undefined) about.crossed = () => ({ ...envelope, events: crossed() });
    reader.line.send({ ...envelope, events }, about);
  }

  function take(reader: Reader, text: string): void {
    const request = readRequest(text);
    const refusal = typeof request === 'string' ? request : refusalOf(reader, request);
    if (refusal !== null || typeof request === 'string') {
      reader.line.send({ type: 'error', message: refusal });
      return;
    }
    const { isSubscribe, channel, ids } = request;
    if (isSubscribe) clearTimeout(reader.silence);
    for (const id of ids) {
      if (!isSubscribe) reader.subscriptions[channel].delete(id);
      else {
        reader.subscriptions[channel].add(id);
        greet(reader, channel, id);
      }
    }
    say(reader, 'subscriptions', [{ subscriptions: subscribed(reader) }]);
  }

  function refusalOf(reader: Reader, { isSubscribe, channel, ids }: Request): string | null {
    for (const id of channel === 'heartbeats' ? [] : ids) {
      if (products.find(id) === null) return `${id} is not a valid product`;
      if (isSubscribe && reader.line.refuses(id)) return `too many subscriptions for ${id}`;
    }
    return null;
  }

  function greet(reader: Reader, channel: Channel, id: string): void {
    const product = products.find(id);
    const state = product?.state() ?? null;
    if (product === null || state === null) return;
    if (channel === 'ticker') {
      say(reader, 'ticker', [tickerEvent('snapshot', product, state)], id);
      return;
    }
    const rows = [
      ...state.book.bids.map((level): BookChange => ({ side: 'bid', ...level })),
      ...state.book.asks.map((level): BookChange => ({ side: 'ask', ...level })),
    ];
    const told = (levels: readonly BookChange[]) => [bookEvent('snapshot', id, levels, lines.eventMs(id))];
    say(reader, 'l2_data', told(rows), id, () => told([crossingBid(state.book), ...rows]));
  }

  return {
    name: NAME,
    ...coinbaseGateway({
      lines,
      products,
      readers,
      toReader(connected) {
        const subscriptions = { level2: new Set<string>(), ticker: new Set<string>(), heartbeats: new Set<string>() };
        return { ...connected, subscriptions, sequence: 0, saidAtMs: performance.now() };
      },
      onText: take,
    }),
  };
};

interface Request {
  isSubscribe: boolean;
  channel: Channel;
  ids: readonly string[];
}

/** A string is the reason for a refusal. */
function readRequest(text: string): Request | string {
  let frame: unknown;
  try {
    frame = JSON.parse(text);
  } catch {
    // Reported to the reader that sent the message.
    return 'failed to parse the request';
  }
  const request = requestSchema.safeParse(frame);
  if (!request.success) return 'type, channel and product_ids are expected';
  const channel = CHANNELS.find((known) => known === request.data.channel);
  if (channel === undefined) return `${request.data.channel} is not a valid channel`;
  const isSubscribe = request.data.type === 'subscribe';
  if (channel === 'heartbeats') return { isSubscribe, channel, ids: [HEARTBEATS] };
  // USDC products are served as USD ones.
  const ids = (request.data.product_ids ?? []).map((id) => id.replace(/-USDC$/, '-USD'));
  return ids.length === 0 ? 'product_ids are missing' : { isSubscribe, channel, ids };
}

/** Channels with subscriptions, each with its products. */
function subscribed({ subscriptions }: Reader): Record<string, readonly string[]> {
  const named = CHANNELS.map((channel) => [channel, [...subscriptions[channel]]] as const);
  return Object.fromEntries(named.filter(([, ids]) => ids.length > 0));
}

function bookEvent(type: 'snapshot' | 'update', id: string, rows: readonly BookChange[], eventMs: number): object {
  const eventTime = microTime(eventMs);
  const updates = rows.map(({ side, price, size }) => ({
    side: side === 'bid' ? 'bid' : 'offer',
    event_time: eventTime,
    price_level: decimalText(price),
    new_quantity: decimalText(size),
  }));
  return { type, product_id: id, updates };
}

/** Without the yearly figures, because no candle here reaches back so far. */
function tickerEvent(type: 'snapshot' | 'update', product: CoinbaseProduct, { book, last }: ProductState): object {
  const day = product.day();
  const [bid, ask] = [book.bids[0], book.asks[0]];
  const open = day?.open ?? last.price;
  const ticker = {
    type: 'ticker',
    product_id: product.id,
    price: decimalText(last.price),
    volume_24_h: decimalText(day?.volume ?? 0),
    low_24_h: decimalText(Math.min(day?.low ?? last.price, last.price)),
    high_24_h: decimalText(Math.max(day?.high ?? last.price, last.price)),
    price_percent_chg_24_h: decimalText(Number((100 * (last.price / open - 1)).toFixed(8))),
    best_bid: decimalText(bid?.price ?? 0),
    best_bid_quantity: decimalText(bid?.size ?? 0),
    best_ask: decimalText(ask?.price ?? 0),
    best_ask_quantity: decimalText(ask?.size ?? 0),
  };
  return { type, tickers: [ticker] };
}
