/**
 * The public `level2_batch` channel sends changes twenty times a second over one connection for all products. Updates
 * carry no number, so a loss shows only in the book itself; an unsound book reopens the connection.
 */
import {
  applyChanges,
  parseFeedMessage,
  requestText,
  type TickerEvent,
} from '#domain/market/book/coinbase-messages.ts';
import type { OrderBook } from '#domain/market/book/order-book.ts';
import type { Logger } from '../../platform/telemetry/log.ts';
import { openUpstreamSocket, type SocketTiming } from '../venues/transport/upstream-socket.ts';
import type { BookCounters, BookSource, LiveProduct, OpenBooks } from './book-source.ts';
import { FeedDelay } from './feed-delay.ts';
import { BOOK_TIMING, type BookTiming, ProductBook } from './product-book.ts';
import { openProductRequests, type ProductRequestTiming, refusedDelayMs } from './product-requests.ts';

/** Receives the meaning of a frame. Ignores products we did not request. */
export interface FrameSink {
  snapshot(productId: string, bids: readonly unknown[], asks: readonly unknown[]): void;
  update(productId: string, change: (book: OrderBook) => void): void;
  ticker(ticker: TickerEvent): void;
  /** @param sentMs  by the venue's clock; NaN if it is unreadable */
  heartbeat(productId: string, lastTradeId: number, sentMs: number): void;
  refused(message: string): void;
  malformed(): void;
}

export interface CoinbaseExchangeOptions {
  wsUrl: string;
  log: Logger;
  timing?: Partial<BookFeedTiming> | undefined;
  socketTiming?: Partial<SocketTiming> | undefined;
}

export interface BookFeedTiming extends BookTiming, ProductRequestTiming {
  watchMs: number;
  /** Books are requested again this often, ±10%, because a lost update below the best price shows nowhere. */
  renewMs: number;
}

/** The snapshot of the largest book takes a few megabytes. */
const MAX_MESSAGE_BYTES = 32 << 20;
const TIMING: BookFeedTiming = { ...BOOK_TIMING, refusedMs: 10_000, spacingMs: 750, watchMs: 250, renewMs: 3_600_000 };
/** Heartbeats arrive every second: without any message for this long, the connection is dead. */
const SOCKET_TIMING: Partial<SocketTiming> = { stuckMs: 15_000 };

const CHANNELS = ['level2_batch', 'ticker', 'heartbeat'] as const;

export function coinbaseExchange(options: CoinbaseExchangeOptions): BookSource {
  return {
    id: 'coinbase-exchange',
    attribution: 'Coinbase Exchange',
    open: (productIds, signal) => openBooks(productIds, signal, options),
  };
}

function openBooks(productIds: readonly string[], signal: AbortSignal, options: CoinbaseExchangeOptions): OpenBooks {
  const { wsUrl: url, log } = options;
  const timing = { ...TIMING, ...options.timing };
  const products = new Map(productIds.map((id) => [id, new ProductBook(timing, performance.now())]));
  const counted = {
    connections: 0,
    gaps: 0,
    malformed: 0,
    refusals: 0,
    crossed: 0,
    disagreed: 0,
    unresponsive: 0,
    missing: 0,
    renewed: 0,
  };
  const delay = new FeedDelay();
  let refusedInRow = 0;
  let renewAtMs = Number.POSITIVE_INFINITY;

  const sink: FrameSink = {
    snapshot(id, bids, asks) {
      refusedInRow = 0;
      requests.serve(id);
      products.get(id)?.load(bids, asks, performance.now());
    },
    update: (id, change) => products.get(id)?.update(change, performance.now()),
    ticker: (ticker) => products.get(ticker.productId)?.applyTicker(ticker, performance.now()),
    heartbeat(id, lastTradeId, sentMs) {
      const nowMs = performance.now();
      products.get(id)?.heartbeat(nowMs, lastTradeId, delay.of(sentMs, nowMs));
    },
    refused(message) {
      counted.refusals += 1;
      log.error({ url, message: message.slice(0, 300) }, 'the order book was refused');
      // A connection that still serves a book stays open: the refusal concerned another request.
      const isServing = [...products.values()].some((product) => product.isAlive(performance.now()) && product.isSound);
      if (requests.isRequestingOne || !isServing) requests.refuse(message);
    },
    malformed() {
      counted.malformed += 1;
    },
  };

  const requests = openProductRequests({
    productIds,
    textFor: (ids) => requestText('subscribe', ids, CHANNELS),
    send: (text) => socket.send(text),
    onAllRefused() {
      socket.reconnect(refusedDelayMs(timing.refusedMs, refusedInRow));
      refusedInRow += 1;
    },
    timing,
  });

  function resetAll(): void {
    for (const product of products.values()) product.reset(performance.now());
  }

  const socket = openUpstreamSocket({
    url,
    log,
    signal,
    maxMessageBytes: MAX_MESSAGE_BYTES,
    timing: { ...SOCKET_TIMING, ...options.socketTiming },
    greeting() {
      counted.connections += 1;
      delay.reset();
      // Randomised, so that a venue's clients do not all reconnect at the same time.
      renewAtMs = performance.now() + timing.renewMs * (0.9 + 0.2 * Math.random());
      resetAll();
      return requests.greeting();
    },
    onMessage: (text) => readExchangeFrame(text, sink),
    onLost() {
      renewAtMs = Number.POSITIVE_INFINITY;
      requests.lost();
      resetAll();
    },
  });

  const watch = setInterval(() => {
    if (performance.now() > renewAtMs) {
      counted.renewed += 1;
      renewAtMs = Number.POSITIVE_INFINITY;
      log.info({ url }, 'renewing the order books, as scheduled');
      resetAll();
      socket.reconnect();
      return;
    }
    for (const [productId, product] of products) {
      if (requests.isRefused(productId)) continue;
      const fault = product.fault(performance.now());
      if (fault === null) continue;
      counted[fault] += 1;
      log.warn({ url, productId, fault }, 'the order book is inconsistent, requesting it again');
      product.penalize();
      resetAll();
      socket.reconnect();
      return;
    }
  }, timing.watchMs).unref();
  signal.addEventListener('abort', () => [clearInterval(watch), requests.lost()], { once: true });

  return {
    product: (productId) => liveProduct(products.get(productId)),
    counters(): BookCounters {
      const rejected = [...products.values()].reduce((sum, product) => sum + product.book.rejected, 0);
      return { ...counted, malformed: counted.malformed + rejected };
    },
  };
}

export function readExchangeFrame(text: string, sink: FrameSink): void {
  const event = parseFeedMessage(text);
  if (event.kind === 'update') sink.update(event.productId, (book) => applyChanges(book, event.changes));
  else if (event.kind === 'ticker') sink.ticker(event);
  else if (event.kind === 'heartbeat') sink.heartbeat(event.productId, event.lastTradeId, Date.parse(event.time));
  else if (event.kind === 'snapshot') sink.snapshot(event.productId, event.bids, event.asks);
  else if (event.kind === 'error') sink.refused(`${event.message} ${event.reason}`.trim());
  else if (event.kind === 'malformed') sink.malformed();
}

function liveProduct(product: ProductBook | undefined): LiveProduct | null {
  if (product === undefined) return null;
  return {
    revision: product.revision,
    soundBook: product.isSound ? product.book : null,
    ticker: product.ticker,
    lastTradeId: product.lastTradeId,
    isFresh: product.isFresh(performance.now()),
    idleMs: product.idleMs(performance.now()),
  };
}
