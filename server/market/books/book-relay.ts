/**
 * The site's live socket: order books, last prices, candles and heartbeats for every open page, in
 * Coinbase Exchange's message format. Pages get at most twenty updates a second, whatever the venue
 * sends; a slow page gets fewer, none delayed.
 */
import type { Server } from 'node:http';
import { RELAY_CHANNELS } from '#domain/market/book/coinbase-messages.ts';
import {
  aliveText,
  errorText,
  parseFeedRequest,
  subscriptionsText,
} from '#domain/market/book/coinbase-messages-served.ts';
import type { Clock } from '#domain/time/clock.ts';
import { frameOutbox, textFrame } from '../../platform/sockets/frame-outbox.ts';
import type { ReaderHandlers, RelayReader } from '../../platform/sockets/relay-reader.ts';
import { openSocketRelay, type RelayState, type SocketRelayOptions } from '../../platform/sockets/socket-relay.ts';
import { BookLane, LANE_CHANNELS, type LaneChannel, type LaneKind } from './book-relay-lane.ts';
import { type BookCounters, type OpenBooks, sumOfCounters, type TickerSource } from './book-source.ts';
import type { ReadBooks } from './read-books.ts';

export const RELAY_PATH = '/market/ws';

/** Every page gets an alive message three times before it would consider its connection dead. */
const TIMING = { frameMs: 50, heartbeatMs: 1000, aliveMs: 5000 };

export interface BookRelayOptions
  extends Pick<
    SocketRelayOptions,
    'log' | 'isOwnHost' | 'allowedOrigins' | 'addressOf' | 'limits' | 'outbox' | 'admit'
  > {
  bookProductIds: readonly string[];
  books: OpenBooks;
  tickers: TickerSource;
  /** Of the tickers' products, those whose price readers get from an order book: they have candles alone. */
  candlesAloneIds?: readonly string[] | undefined;
  /** Known products without a feed: refused by name, so that no page waits for them. */
  unconnectedIds?: readonly string[] | undefined;
  /** Products besides: their prices by code, and their books by the venue's name. Absent: none. */
  products?: RelayProducts | undefined;
  clock: Clock;
  timing?: Partial<typeof TIMING>;
  /** Minimum time between two updates of a book while the process is overloaded, milliseconds; 0: no limit. */
  bookEveryMs?: (() => number) | undefined;
}

export interface RelayProducts {
  /** A product's code, or the name of a book. */
  isKnown(productId: string): boolean;
  /** Open while they are read. */
  books: Pick<ReadBooks, 'open' | 'product' | 'keepOnly' | 'counters'>;
  /** Resolves when it is known whether there is such a product; never rejects. */
  find(productId: string): Promise<void>;
}

export interface BookRelayState extends RelayState {
  /** Written since the start. */
  frames: number;
  snapshots: number;
  /** Requests answered with an error. */
  wrongRequests: number;
  staleProducts: readonly string[];
  upstream: BookCounters;
}

export interface BookRelay {
  attach(server: Server): void;
  state(): BookRelayState;
  /** True while a page is connected. */
  hasReaders(): boolean;
  close(): void;
}

/** Time share of frames while the process is overloaded. With more, frames would fall further and further behind. */
const OVERLOADED_SHARE = 0.25;

const CHANNEL_NAMES: ReadonlyMap<string, LaneChannel> = new Map([
  ['level2', 'level2'],
  ['level2_batch', 'level2'],
  ['ticker', 'ticker'],
  ['ticker_batch', 'ticker'],
  ['heartbeat', 'heartbeat'],
  ['candles', 'candles'],
]);

export function openBookRelay(options: BookRelayOptions): BookRelay {
  const { books, tickers, clock, bookEveryMs = () => 0 } = options;
  const timing = { ...TIMING, ...options.timing };
  const unconnected = new Set(options.unconnectedIds);
  const counters = { frames: 0, snapshots: 0 };
  let wrongRequests = 0;
  const lanes = new Map([
    ...options.bookProductIds.map((id) => laneOf(new BookLane(id, 'book', () => books.product(id), counters))),
    ...tickers.productIds.map((id) => laneOf(new BookLane(id, kindOf(id), () => bareTicker(id), counters))),
  ]);

  function kindOf(tickerId: string): LaneKind {
    return options.candlesAloneIds?.includes(tickerId) === true ? 'candles' : 'candles-and-price';
  }

  /** Of the lanes, those of products besides: each exists while it has a reader. */
  const productLanes = new Set<string>();

  /** With their addresses, null if unknown. */
  const readers = new Map<RelayReader, string | null>();

  function laneFor(id: string): BookLane | undefined {
    const known = lanes.get(id);
    if (known !== undefined || !isProductName(id) || productLanes.size >= MAX_PRODUCT_LANES) return known;
    if (options.products?.isKnown(id) !== true) return undefined;
    const { books: own } = options.products;
    const lane = isBookName(id)
      ? new BookLane(id, 'book', () => own.product(id), counters)
      : new BookLane(id, 'candles-and-price', () => bareTicker(id), counters);
    lanes.set(id, lane);
    productLanes.add(id);
    return lane;
  }

  function dropUnread(): void {
    for (const id of productLanes) {
      if (lanes.get(id)?.isRead === true) continue;
      lanes.delete(id);
      productLanes.delete(id);
    }
    options.products?.books.keepOnly(productLanes);
  }

  /** Why a product's book cannot be opened now; null when it is open. One of the ten is always open. */
  function bookRefusal(reader: RelayReader, id: string): string | null {
    const isOwn = !isBookName(id) || options.bookProductIds.includes(id) || options.products?.isKnown(id) !== true;
    if (isOwn || lanes.get(id)?.has(reader, 'level2') === true) return null;
    const read = [...productLanes].filter((other) => isBookName(other) && lanes.get(other)?.has(reader, 'level2'));
    if (read.length >= MAX_BOOKS_PER_READER) return `${id} would be one order book too many for this connection`;
    const address = readers.get(reader) ?? null;
    if (address !== null && lanes.get(id)?.isRead !== true && booksOf(address) >= MAX_BOOKS_PER_ADDRESS)
      return `${id} would be one order book too many for this address`;
    const isOpen = options.products?.books.open(id, ownersOf) === true;
    return isOpen ? null : `${id} is not connected, too many order books are open`;
  }

  function booksOf(address: string): number {
    const isRead = (id: string): boolean =>
      isBookName(id) && readersOf(id).some((reader) => readers.get(reader) === address);
    return [...productLanes].filter(isRead).length;
  }

  /** The first of the book's readers: more make no difference. */
  function readersOf(id: string): RelayReader[] {
    const found: RelayReader[] = [];
    for (const reader of lanes.get(id)?.readers() ?? []) if (found.push(reader) === COUNTED_READERS) break;
    return found;
  }

  /** How many addresses read the book; each reader without a known one counts. */
  const ownersOf = (id: string): number => new Set(readersOf(id).map((reader) => readers.get(reader) ?? reader)).size;

  /** Codes of a request that may be products, and are not known yet. */
  function unknownCodes(text: string): string[] {
    const parsed = parseFeedRequest(text, RELAY_CHANNELS);
    if (options.products === undefined || typeof parsed === 'string' || parsed.type !== 'subscribe') return [];
    const ids = new Set(parsed.channels.flatMap(({ productIds }) => productIds));
    const isUnknown = (id: string): boolean => !lanes.has(id) && !unconnected.has(id) && isProductName(id);
    return [...ids].filter((id) => isUnknown(id) && options.products?.isKnown(id) !== true);
  }

  function answerRequest(reader: RelayReader, text: string): boolean {
    const answer = request(reader, text);
    reader.offer(textFrame(answer.text));
    if (answer.is === 'wrong') wrongRequests += 1;
    dropUnread();
    return answer.is !== 'wrong';
  }

  function bareTicker(id: string) {
    const figures = { ticker: tickers.latest(id), candles: tickers.candles(id), marketMs: tickers.marketMs(id) };
    return { revision: 0, soundBook: null, ...figures, isFresh: tickers.isFresh(id), idleMs: tickers.idleMs(id) };
  }

  function join(reader: RelayReader, address: string | null): ReaderHandlers {
    readers.set(reader, address);
    return {
      message(text) {
        const unknown = unknownCodes(text);
        if (unknown.length === 0) return answerRequest(reader, text);
        void Promise.all(unknown.map((id) => options.products?.find(id))).then(() => {
          if (readers.has(reader)) answerRequest(reader, text);
        });
        return true;
      },
      closed() {
        readers.delete(reader);
        for (const lane of lanes.values()) for (const channel of LANE_CHANNELS) lane.unsubscribe(reader, channel);
        dropUnread();
      },
    };
  }

  /** All of a request succeeds or none of it, as at the venue. */
  function request(reader: RelayReader, text: string): RequestAnswer {
    const parsed = parseFeedRequest(text, RELAY_CHANNELS);
    if (typeof parsed === 'string') return { is: 'wrong', text: errorText(parsed) };
    if (parsed.channels.length === 0) return refusal(parsed.type, 'no channels provided');
    const wanted: { lane: BookLane; channel: LaneChannel }[] = [];
    for (const { name, productIds } of parsed.channels) {
      const channel = CHANNEL_NAMES.get(name);
      if (channel === undefined) return refusal(parsed.type, `${name} is not a valid channel`);
      if (productIds.length === 0) return refusal(parsed.type, `no products for channel ${name}`);
      const isKnown = (id: string) =>
        parsed.type === 'subscribe' ? isOffered(id, channel) : laneFor(id) !== undefined;
      const unknown = productIds.filter((id) => !isKnown(id) && !unconnected.has(id));
      if (unknown.length > 0) return refusal(parsed.type, `${unknown.join(', ')} is not a valid product`);
      const missing = parsed.type === 'subscribe' ? productIds.filter((id) => unconnected.has(id)) : [];
      // Not the reader's fault: it may stay connected and request other products.
      if (missing.length > 0) return refusal(parsed.type, `${missing.join(', ')} is not connected`, 'unconnected');
      for (const id of productIds) {
        const lane = lanes.get(id);
        if (lane === undefined) continue;
        const full = parsed.type === 'subscribe' ? bookRefusal(reader, id) : null;
        if (full !== null) return refusal(parsed.type, full, 'unconnected');
        if (!lane.sends(channel) && parsed.type === 'subscribe')
          return refusal(parsed.type, `${id} has no ${channel === 'level2' ? 'order book' : channel}`);
        wanted.push({ lane, channel });
      }
    }
    for (const { lane, channel } of wanted) lane[parsed.type](reader, channel);
    return { is: 'right', text: subscriptionsText(subscriptionsOf(reader)) };
  }

  /** The price of a symbol with an order book has the book's name, and its code is no product there. */
  function isOffered(id: string, channel: LaneChannel): boolean {
    const lane = laneFor(id);
    return lane !== undefined && (lane.kind !== 'candles' || lane.sends(channel));
  }

  function subscriptionsOf(reader: RelayReader) {
    const channels = LANE_CHANNELS.map((name) => ({
      name,
      product_ids: [...lanes.values()].filter((lane) => lane.has(reader, name)).map((lane) => lane.productId),
    }));
    return channels.filter((channel) => channel.product_ids.length > 0);
  }

  const now = (): string => new Date(clock.nowMs()).toISOString();

  /** Sent to all readers; while updates are reduced, it also reports the update interval. */
  function sendAlive(): void {
    const frame = textFrame(aliveText(now(), sentEveryMs === 0 ? null : sentEveryMs));
    for (const reader of readers.keys()) reader.offer(frame);
  }

  const { log, isOwnHost, allowedOrigins, addressOf, limits, admit } = options;
  const outbox = options.outbox ?? frameOutbox({ share: () => (bookEveryMs() > 0 ? OVERLOADED_SHARE : 1) });
  const relay = openSocketRelay({
    path: RELAY_PATH,
    log,
    isOwnHost,
    allowedOrigins,
    addressOf,
    limits,
    outbox,
    admit,
    join,
  });
  let sentAtMs = Number.NEGATIVE_INFINITY;
  let sentEveryMs = 0;
  const frameTimer = setInterval(() => {
    const everyMs = bookEveryMs();
    if (everyMs !== sentEveryMs) {
      sentEveryMs = everyMs;
      sendAlive();
    }
    // The process cannot keep up: its readers get fewer updates, but no delayed ones.
    if (relay.isBehind() || performance.now() - sentAtMs < everyMs) return;
    sentAtMs = performance.now();
    for (const lane of lanes.values()) lane.sendUpdates(now());
  }, timing.frameMs).unref();
  const heartbeatTimer = setInterval(() => {
    for (const lane of lanes.values()) lane.sendHeartbeat(now());
  }, timing.heartbeatMs).unref();
  const aliveTimer = setInterval(sendAlive, timing.aliveMs).unref();

  return {
    attach: (server) => relay.attach(server),
    hasReaders: () => relay.state().connections > 0,
    state: () => ({
      ...relay.state(),
      ...counters,
      wrongRequests,
      staleProducts: [...lanes.values()].filter((lane) => lane.isStale).map((lane) => lane.productId),
      upstream: sumOfCounters(books.counters(), options.products?.books.counters() ?? null),
    }),
    close() {
      clearInterval(frameTimer);
      clearInterval(heartbeatTimer);
      clearInterval(aliveTimer);
      relay.close();
    },
  };
}

/** More than one page ever shows; hundreds of pages watch the same ones. */
const MAX_PRODUCT_LANES = 500;
const PRODUCT_CODE = /^[A-Z0-9]{3,18}(\.P)?$/;

/** As the venue of order books names a pair against the dollar. */
const BOOK_NAME = /^[A-Z0-9]{1,16}-USD$/;
/** A page shows one. */
const MAX_BOOKS_PER_READER = 4;
/** Books that one address may open, of the twenty that are open at a time. It may join what others read besides. */
const MAX_BOOKS_PER_ADDRESS = 8;
const COUNTED_READERS = 50;

function isBookName(id: string): boolean {
  return BOOK_NAME.test(id);
}

function isProductName(id: string): boolean {
  return PRODUCT_CODE.test(id) || isBookName(id);
}

function laneOf(lane: BookLane): [string, BookLane] {
  return [lane.productId, lane];
}

interface RequestAnswer {
  is: 'right' | 'wrong' | 'unconnected';
  text: string;
}

function refusal(type: 'subscribe' | 'unsubscribe', reason: string, is: RequestAnswer['is'] = 'wrong'): RequestAnswer {
  return { is, text: errorText(`Failed to ${type}`, reason) };
}
