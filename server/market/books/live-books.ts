import type { IncomingMessage } from 'node:http';
import { isSpecified, SYMBOLS } from '#domain/market/symbols.ts';
import type { Core } from '../../core.ts';
import { callerAddress } from '../../platform/http/guards/forwarded-address.ts';
import type { RelayLimits, SocketRelayOptions } from '../../platform/sockets/socket-relay.ts';
import { openCandleTickers } from '../candles/candle-tickers.ts';
import type { FailoverHistory } from '../candles/failover-history.ts';
import type { SymbolLookup } from '../catalogue/symbol-lookup.ts';
import type { MarketSource } from '../market-source.ts';
import { openSharedBooks } from '../sharing/shared-books.ts';
import type { MarketSharing } from '../sharing/sharing.ts';
import type { SocketTiming } from '../venues/transport/upstream-socket.ts';
import { type BookRelay, openBookRelay, type RelayProducts } from './book-relay.ts';
import type { BookSource, OpenBooks } from './book-source.ts';
import { coinbaseExchange } from './coinbase-exchange.ts';
import { openReadBooks } from './read-books.ts';

export interface SocketAccess {
  isOwnHost(host: string): boolean;
  allowedOrigins: readonly string[];
  trustedProxies: number;
  limits?: Partial<RelayLimits> | undefined;
}

export interface LiveBooksOptions extends Pick<Core, 'clock' | 'log'> {
  source: Pick<MarketSource, 'addresses' | 'recordedAtS'>;
  history: Pick<FailoverHistory, 'latest' | 'watch' | 'hasVenue'>;
  socketAccess: SocketAccess;
  /** Products besides the ten; absent: none. */
  symbols?: SymbolLookup | undefined;
  /** Null: this process reads the venue for itself only. */
  sharing?: MarketSharing | null | undefined;
  bookEveryMs?: (() => number) | undefined;
  admit?: SocketRelayOptions['admit'];
  socketTiming?: Partial<SocketTiming> | undefined;
}

export interface LiveBooks extends BookRelay {
  /** Of the picker's coins, open from the start. */
  books: Pick<OpenBooks, 'product'>;
  bookProductIds: readonly string[];
}

export function openLiveBooks(options: LiveBooksOptions): LiveBooks {
  const { socketAccess, clock, log, history, symbols: lookup } = options;
  const ended = new AbortController();
  const { signal } = ended;
  const bookProductIds = SYMBOLS.flatMap(({ bookProductId }) => bookProductId ?? []);
  const symbols = SYMBOLS.filter((symbol) => history.hasVenue(symbol));
  const source = coinbaseExchange({
    wsUrl: options.source.addresses.coinbase.wsUrl,
    log,
    socketTiming: options.socketTiming,
  });
  // Opened at start: the first reader waits for no connection, and four books cost less than one percent of a core.
  const books = openBooks(options, source, bookProductIds, signal);
  const relay = openBookRelay({
    bookProductIds,
    books,
    tickers: openCandleTickers({
      history,
      symbols,
      signal,
      log,
      knownSymbol: lookup?.knownSymbol,
      recordedAtS: options.source.recordedAtS,
    }),
    candlesAloneIds: SYMBOLS.filter(({ bookProductId }) => bookProductId !== null).map(({ sym }) => sym),
    unconnectedIds: SYMBOLS.filter((symbol) => !symbols.includes(symbol)).map(({ sym }) => sym),
    products: lookup && productsOf(lookup, source, signal),
    clock,
    log,
    isOwnHost: socketAccess.isOwnHost,
    allowedOrigins: socketAccess.allowedOrigins,
    addressOf: (request: IncomingMessage) => callerAddress(request, socketAccess.trustedProxies),
    limits: socketAccess.limits,
    bookEveryMs: options.bookEveryMs,
    admit: options.admit,
  });
  return {
    ...relay,
    books,
    bookProductIds,
    close() {
      ended.abort();
      relay.close();
    },
  };
}

function productsOf(lookup: SymbolLookup, source: BookSource, signal: AbortSignal): RelayProducts {
  /** The spot pair of a book, which is in the catalogue under its own code: LINK-USD is LINKUSD. */
  const codeOf = (productId: string): string => productId.replace('-', '');
  return {
    isKnown(productId) {
      const symbol = lookup.knownSymbol(codeOf(productId));
      if (codeOf(productId) !== productId) return symbol?.bookProductId === productId;
      // The ten have their own names here: a book's product, or their code where there is none.
      return symbol !== null && !isSpecified(productId);
    },
    books: openReadBooks({ source, signal }),
    // A reader then gets the same refusal as for any other unknown name.
    find: (productId) =>
      lookup.savedSymbol(codeOf(productId), signal).then(
        () => undefined,
        () => undefined,
      ),
  };
}

function openBooks(
  { sharing = null }: LiveBooksOptions,
  source: BookSource,
  productIds: readonly string[],
  signal: AbortSignal,
): OpenBooks {
  return sharing === null ? source.open(productIds, signal) : openSharedBooks({ sharing, source, productIds, signal });
}
