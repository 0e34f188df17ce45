/**
 * Every product of the connected venues, in memory. Read at the first need, then once an hour, and every five minutes
 * while products are read; all callers share one reading. A venue that fails keeps its last list, and a product that leaves a list stays known as delisted.
 */
import { AppError } from '#domain/errors/app-error.ts';
import { type Listing, listingsOf } from '#domain/market/catalogue/listing.ts';
import type { CatalogueMarket, CatalogueVenue } from '#domain/market/catalogue/market.ts';
import { indexMarkets, type MarketIndex } from '#domain/market/catalogue/market-search.ts';
import { findSymbol, isSpecified, SYMBOLS } from '#domain/market/symbols.ts';
import { unlessAborted, within } from '#domain/time/deadline.ts';
import type { Logger } from '../../platform/telemetry/log.ts';
import type { LoadList } from './product-lists.ts';
import type { SymbolLookup } from './symbol-lookup.ts';

export interface MarketCatalogue extends SymbolLookup {
  /** The best first. Waits for the first reading. @throws AppError `venue/unavailable` when nothing could be read */
  search(query: string, limit: number, signal: AbortSignal): Promise<Listing[]>;
  /** True while the venue trades it by its last list. Never waits. */
  isTradedAt(venue: string, sym: string): boolean;
  /** The venue's own name of a product; null for one that it does not list. */
  productIdAt(venue: string, sym: string): string | null;
  /** Reads the lists again, at most once a minute: a venue may have listed or delisted a product since. */
  refresh(): Promise<void>;
  /** As `endOf`, after the lists were read again: for a product whose candles are late. */
  confirmedEnd(sym: string): Promise<AppError | null>;
  state(): CatalogueState;
  close(): void;
}

export interface CatalogueState {
  products: number;
  /** By venue: seconds since its list was read; null before. */
  ageS: Readonly<Partial<Record<CatalogueVenue, number | null>>>;
  /** Rows of the last lists that could not be read. */
  malformed: number;
}

export interface CatalogueOptions {
  /** The venue that is read first in front. */
  lists: ReadonlyMap<CatalogueVenue, LoadList>;
  log: Logger;
  timing?: Partial<typeof TIMING> | undefined;
  /** Monotonic milliseconds; a test passes its own. */
  monotonicMs?: (() => number) | undefined;
}

const TIMING = {
  everyMs: 3_600_000,
  /** The same while products are read, so that an end is known soon. */
  readEveryMs: 300_000,
  /** Between two readings on demand; shorter while a venue's list is missing. */
  pauseMs: 60_000,
  retryMs: 10_000,
  /** Longest wait of a caller for a reading. */
  patienceMs: 9000,
};

interface VenueList {
  markets: readonly CatalogueMarket[];
  malformed: number;
  readAtMs: number;
}

export function openMarketCatalogue(options: CatalogueOptions): MarketCatalogue {
  const { lists, log, monotonicMs = () => performance.now() } = options;
  const timing = { ...TIMING, ...options.timing };
  const closing = new AbortController();
  const read = new Map<CatalogueVenue, VenueList>();
  let listings = new Map<string, Listing>();
  let index: MarketIndex = indexMarkets([]);
  /** By venue: each product's row. */
  let byVenue = new Map<string, ReadonlyMap<string, CatalogueMarket>>();
  let reading: Promise<void> | null = null;
  let triedAtMs = Number.NEGATIVE_INFINITY;
  /** When a product beside the ten was last requested. */
  let usedAtMs = Number.NEGATIVE_INFINITY;
  setMarkets();

  function setMarkets(): void {
    const ordered = [...lists.keys()].flatMap((venue) => read.get(venue)?.markets ?? []);
    const all = listingsOf(ordered);
    listings = new Map(all.map((listing) => [listing.symbol.sym, listing]));
    index = indexMarkets(all);
    byVenue = new Map([...read].map(([venue, { markets }]) => [venue, new Map(markets.map((m) => [m.sym, m]))]));
  }

  async function readOne(venue: CatalogueVenue, load: LoadList): Promise<void> {
    try {
      const { markets, malformed } = await load(closing.signal);
      // An empty list is a fault of the venue: everything would look delisted.
      if (markets.length === 0) throw new AppError('venue/unavailable', { details: { reason: 'an empty list' } });
      const before = read.get(venue)?.markets ?? [];
      read.set(venue, { markets: withDelisted(markets, before), malformed, readAtMs: monotonicMs() });
      if (malformed > 0) log.warn({ venue, malformed }, 'products of a venue could not be read');
    } catch (error) {
      if (!closing.signal.aborted) log.warn({ err: error, venue }, 'a list of products could not be read');
    }
  }

  async function readAll(): Promise<void> {
    triedAtMs = monotonicMs();
    await Promise.all([...lists].map(([venue, load]) => readOne(venue, load)));
    setMarkets();
  }

  function refresh(): Promise<void> {
    if (reading !== null) return reading;
    const pauseMs = isWhole() ? timing.pauseMs : timing.retryMs;
    if (closing.signal.aborted || monotonicMs() - triedAtMs < pauseMs) return Promise.resolve();
    reading = readAll().finally(() => {
      reading = null;
    });
    return reading;
  }

  /** No caller waits longer than `patienceMs`, and one who leaves does not end the reading for the others. */
  async function waited(work: Promise<void>, signal: AbortSignal): Promise<void> {
    await within(unlessAborted(work, signal), timing.patienceMs);
  }

  const isWhole = (): boolean => read.size === lists.size;

  async function loaded(signal: AbortSignal): Promise<void> {
    if (read.size === 0) await waited(refresh(), signal);
    // A venue that failed is tried again beside the callers.
    else if (!isWhole()) void refresh();
  }

  async function find(sym: string, signal: AbortSignal): Promise<Listing | null> {
    await loaded(signal);
    const known = listings.get(sym);
    if (known !== undefined) return known;
    await waited(refresh(), signal);
    return listings.get(sym) ?? null;
  }

  function unread(): AppError {
    return new AppError('venue/unavailable', { details: { reason: 'the list of products could not be read' } });
  }

  function endOf(sym: string): AppError | null {
    const listing = isSpecified(sym) ? undefined : listings.get(sym);
    if (listing?.status === 'delisted') return new AppError('market/delisted', { details: { sym } });
    if (listing?.status === 'halted') return new AppError('market/halted', { details: { sym } });
    return null;
  }

  const renewal = setInterval(() => {
    // No caller has needed it yet.
    if (triedAtMs === Number.NEGATIVE_INFINITY) return;
    const isUsed = monotonicMs() - usedAtMs < timing.readEveryMs;
    if (isUsed || monotonicMs() - triedAtMs >= timing.everyMs) void refresh();
  }, timing.readEveryMs).unref();

  return {
    async tradedSymbol(exc, sym, signal) {
      if (isSpecified(sym)) return findSymbol(exc, sym);
      usedAtMs = monotonicMs();
      const listing = await find(sym, signal);
      if (listing === null && read.size === 0 && lists.size > 0) throw unread();
      if (listing === null || !listing.exchanges.includes(exc)) return null;
      const end = endOf(sym);
      if (end !== null) throw end;
      return listing.symbol;
    },
    async savedSymbol(sym, signal) {
      const specified = SYMBOLS.find((symbol) => symbol.sym === sym);
      if (specified !== undefined) return specified;
      const listing = await find(sym, signal);
      if (listing === null && !isWhole()) throw unread();
      return listing?.symbol ?? null;
    },
    knownSymbol: (sym) => listings.get(sym)?.symbol ?? null,
    async search(query, limit, signal) {
      await loaded(signal);
      if (read.size === 0 && lists.size > 0 && query !== '') throw unread();
      return index.search(query, limit);
    },
    isTradedAt: (venue, sym) => byVenue.get(venue)?.get(sym)?.status === 'trading',
    productIdAt: (venue, sym) => byVenue.get(venue)?.get(sym)?.productId ?? null,
    refresh,
    endOf,
    async confirmedEnd(sym) {
      await refresh();
      return endOf(sym);
    },
    state() {
      const nowMs = monotonicMs();
      const ages = [...lists.keys()].map((venue): [CatalogueVenue, number | null] => {
        const readAtMs = read.get(venue)?.readAtMs;
        return [venue, readAtMs === undefined ? null : Math.round((nowMs - readAtMs) / 1000)];
      });
      const malformed = [...read.values()].reduce((sum, list) => sum + list.malformed, 0);
      return { products: listings.size, ageS: Object.fromEntries(ages), malformed };
    },
    close() {
      closing.abort();
      clearInterval(renewal);
    },
  };
}

/** Venues drop a product from their list some time after its end. */
function withDelisted(
  markets: readonly CatalogueMarket[],
  before: readonly CatalogueMarket[],
): readonly CatalogueMarket[] {
  const listed = new Set(markets.map(({ sym }) => sym));
  const left = before.filter(({ sym }) => !listed.has(sym));
  return [...markets, ...left.map((market): CatalogueMarket => ({ ...market, status: 'delisted' }))];
}
