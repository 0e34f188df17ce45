/** Books come as a snapshot, then as batches of absolute sizes without sequence numbers. */
import { FEED_CHANNELS, type FeedChannel, type UpdateMessage } from '#domain/market/book/coinbase-messages.ts';
import { levelText, parseFeedRequest, type ReadFeedRequest } from '#domain/market/book/coinbase-messages-served.ts';
import type { BookChange, BookLevel } from '#domain/market/book/order-book.ts';
import { decimalText } from '#domain/market/codecs/decimal-text.ts';
import { type OpenDialect, refuseUpgrade } from '../../dialect.ts';
import { type Line, openLines } from '../../simulation/lines.ts';
import {
  type CoinbaseProduct,
  crossingBid,
  microTime,
  openCoinbaseProducts,
  type ProductState,
} from './coinbase-products.ts';
import { answerCoinbaseRest } from './coinbase-rest.ts';

const SIGNED_CHANNELS: readonly string[] = ['level2', 'level3', 'full', 'user'];
/** A connection without a subscription within this time is closed. */
const FIRST_REQUEST_MS = 5000;
const UNSIGNED =
  'level2, level3, and full channels now require authentication. https://docs.cloud.coinbase.com/exchange/docs/websocket-auth';

type Subscription = `${string} ${FeedChannel}`;

interface Reader {
  line: Line;
  /** Closes a connection that never subscribes; the first subscription clears it. */
  silence: NodeJS.Timeout;
  subscriptions: Set<Subscription>;
}

export const coinbaseDialect: OpenDialect = (parts) => {
  const lines = openLines('coinbase', parts);
  const readers = new Set<Reader>();
  const products = openCoinbaseProducts(parts, {
    hasReaders: (id) => [...readers].some((reader) => FEED_CHANNELS.some((channel) => reads(reader, id, channel))),
    onChanges(product, changes, state) {
      const update = toUpdate(product.id, changes, lines.eventMs(product.id));
      const crossed = () => toUpdate(product.id, [...changes, crossingBid(state.book)], lines.eventMs(product.id));
      for (const reader of readers)
        if (reads(reader, product.id, 'level2_batch')) reader.line.send(update, { productId: product.id, crossed });
    },
    onTrade(product, state) {
      const ticker = toTicker(product, state, lines.eventMs(product.id, state.last.timeMs));
      for (const reader of readers)
        if (reads(reader, product.id, 'ticker')) reader.line.send(ticker, { productId: product.id });
    },
    onSecond() {
      const heartbeats = new Map<string, object>();
      for (const reader of readers)
        for (const id of productsOf(reader, 'heartbeat')) {
          const product = products.find(id);
          // Delisted while it was read: the venue sends nothing more.
          if (product === null) continue;
          const heartbeat = heartbeats.get(id) ?? toHeartbeat(id, product.state(), lines.eventMs(id));
          heartbeats.set(id, heartbeat);
          reader.line.send(heartbeat, { productId: id });
        }
    },
  });

  function take(reader: Reader, text: string): void {
    const request = parseFeedRequest(text);
    if (typeof request === 'string') {
      reader.line.send({ type: 'error', message: request });
      return;
    }
    if (request.type === 'subscribe') clearTimeout(reader.silence);
    const refusal = request.type === 'subscribe' ? refusalOf(reader, request) : null;
    if (refusal !== null) {
      reader.line.send({ type: 'error', ...refusal });
      return;
    }
    const subscriptions = request.channels.flatMap(({ name, productIds }) => {
      const channel = FEED_CHANNELS.find((known) => known === name);
      return channel === undefined ? [] : productIds.map((id) => ({ id, channel }));
    });
    for (const { id, channel } of subscriptions) {
      if (request.type === 'subscribe') reader.subscriptions.add(`${id} ${channel}`);
      else reader.subscriptions.delete(`${id} ${channel}`);
    }
    reader.line.send(toAck(reader));
    if (request.type === 'subscribe') for (const { id, channel } of subscriptions) greet(reader, id, channel);
  }

  /** One invalid part refuses the whole request. */
  function refusalOf(reader: Reader, request: ReadFeedRequest): { message: string; reason: string } | null {
    const failed = (reason: string) => ({ message: 'Failed to subscribe', reason });
    if (request.channels.length === 0) return failed('No channels provided');
    for (const { name, productIds } of request.channels) {
      if (SIGNED_CHANNELS.includes(name)) return failed(UNSIGNED);
      if (!FEED_CHANNELS.some((known) => known === name)) return failed(`${name} is not a valid channel`);
      if (productIds.length === 0) return failed(`You need to specify at least one product ID for channel ${name}`);
      for (const id of productIds) {
        if (products.find(id) === null) return failed(`${id} is not a valid product`);
        if (reader.line.refuses(id)) return failed(`too many subscriptions for ${id}`);
      }
    }
    return null;
  }

  function greet({ line }: Reader, id: string, channel: FeedChannel): void {
    const product = products.find(id);
    const state = product?.state() ?? null;
    if (product === null || state === null) return;
    const { bids, asks } = state.book;
    if (channel === 'level2_batch') {
      const crossed = () => toSnapshot(id, [crossingBid(state.book), ...bids], asks);
      line.send(toSnapshot(id, bids, asks), { productId: id, crossed });
    } else if (channel === 'ticker')
      line.send(toTicker(product, state, lines.eventMs(id, state.last.timeMs)), { productId: id });
  }

  return {
    name: 'coinbase',
    answer: (request) => answerCoinbaseRest(request, parts),
    accept(request, socket, head) {
      if (URL.parse(request.url ?? '', 'ws://localhost')?.pathname !== '/') {
        refuseUpgrade(socket);
        return;
      }
      lines.accept(request, socket, head, (line) => {
        const silence = setTimeout(() => line.close(), FIRST_REQUEST_MS).unref();
        const reader: Reader = { line, silence, subscriptions: new Set() };
        readers.add(reader);
        return {
          onText: (text) => take(reader, text),
          onClose() {
            clearTimeout(silence);
            readers.delete(reader);
          },
        };
      });
    },
    cutAll: lines.cutAll,
    async close() {
      products.close();
      await lines.close();
    },
  };
};

function reads(reader: Reader, productId: string, channel: FeedChannel): boolean {
  return reader.subscriptions.has(`${productId} ${channel}`);
}

function productsOf({ subscriptions }: Reader, channel: FeedChannel): string[] {
  const end = ` ${channel}`;
  return [...subscriptions].filter((s) => s.endsWith(end)).map((s) => s.slice(0, -end.length));
}

function toAck(reader: Reader): object {
  const channels = FEED_CHANNELS.map((name) => ({ name, product_ids: productsOf(reader, name) }));
  return { type: 'subscriptions', channels: channels.filter(({ product_ids }) => product_ids.length > 0) };
}

function toSnapshot(productId: string, bids: readonly BookLevel[], asks: readonly BookLevel[]): object {
  return { type: 'snapshot', product_id: productId, bids: bids.map(levelText), asks: asks.map(levelText) };
}

function toUpdate(productId: string, changes: readonly BookChange[], eventMs: number): UpdateMessage {
  return {
    type: 'l2update',
    product_id: productId,
    changes: changes.map((change) => [change.side === 'bid' ? 'buy' : 'sell', ...levelText(change)]),
    time: microTime(eventMs),
  };
}

/** Rises with market time, and skips numbers by design. */
function sequenceOf({ last }: ProductState): number {
  return last.id * 10;
}

function toTicker(product: CoinbaseProduct, state: ProductState, eventMs: number): object {
  const { last, book } = state;
  const [bid, ask] = [book.bids[0], book.asks[0]];
  const day = product.day();
  return {
    type: 'ticker',
    sequence: sequenceOf(state),
    product_id: product.id,
    price: decimalText(last.price),
    open_24h: decimalText(day?.open ?? 0),
    volume_24h: decimalText(day?.volume ?? 0),
    low_24h: decimalText(Math.min(day?.low ?? last.price, last.price)),
    high_24h: decimalText(Math.max(day?.high ?? last.price, last.price)),
    // No reader uses it, so thirty days are assumed to equal the last one.
    volume_30d: decimalText(Math.round((day?.volume ?? 0) * 30)),
    best_bid: decimalText(bid?.price ?? 0),
    best_bid_size: decimalText(bid?.size ?? 0),
    best_ask: decimalText(ask?.price ?? 0),
    best_ask_size: decimalText(ask?.size ?? 0),
    side: last.side,
    time: microTime(eventMs),
    trade_id: last.id,
    last_size: decimalText(last.size),
  };
}

function toHeartbeat(productId: string, state: ProductState | null, eventMs: number): object {
  return {
    type: 'heartbeat',
    sequence: state === null ? 0 : sequenceOf(state),
    last_trade_id: state?.last.id ?? 0,
    product_id: productId,
    time: microTime(eventMs),
  };
}
