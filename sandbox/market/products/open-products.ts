/** Opens a generated product when a client reads it, and forgets it when none has for a while. */

import type { Candle } from '#domain/market/candle.ts';
import { MINUTE_S } from '#domain/market/candle.ts';
import { cataloguedSymbol } from '#domain/market/catalogue/catalogued-symbol.ts';
import type { CatalogueMarket, CatalogueVenue } from '#domain/market/catalogue/market.ts';
import { productIdOf } from '#domain/market/codecs/binance-klines.ts';
import type { Clock } from '#domain/time/clock.ts';
import type { Faults, ListingEnd } from '../../faults/faults.ts';
import type { SandboxMarketSource } from '../market-source.ts';
import type { ListedSymbol } from '../market-sources.ts';
import { streamOf, uniformAt } from '../simulation/noise.ts';
import { simulatedSource } from '../simulation/simulation.ts';
import { ticksOf } from '../simulation/ticks.ts';
import { type GeneratedProduct, generatedProducts, marketAt, spotPairAt, statusAt } from './generated-products.ts';

export interface SandboxProducts {
  /** By a venue's own name; opens it. Undefined for an unknown, unlisted or delisted one. */
  find(venue: CatalogueVenue, productId: string): ListedSymbol | undefined;
  /** What a venue lists now. */
  markets(venue: CatalogueVenue): CatalogueMarket[];
  has(sym: string): boolean;
  /** How many are open. */
  readonly openCount: number;
  close(): void;
}

export interface SandboxProductsOptions {
  seed: string;
  clock: Clock;
  speed?: number | undefined;
  /** Products that a venue has delisted or halted on demand. Absent: none. */
  faults?: Pick<Faults, 'listingFault'> | undefined;
  /** A product that no client read for this long is forgotten. */
  idleMs?: number | undefined;
}

const IDLE_MS = 300_000;
/** Share of a hardly traded product's minutes that have a trade. */
const THIN_SHARE = 0.3;
/** A hardly traded product is searched this far back for its last trade. */
const MAX_QUIET_MIN = 240;

interface OpenProduct {
  listed: ListedSymbol;
  /** Monotonic. */
  usedAtMs: number;
}

export function openSandboxProducts(options: SandboxProductsOptions): SandboxProducts {
  const { seed, clock, speed, faults, idleMs = IDLE_MS } = options;
  const products = generatedProducts(seed, clock.nowMs() / 1000);
  const bySym = new Map(products.map((product) => [product.sym, product]));
  const spotPairs = new Set(products.flatMap((product) => product.bookId?.replace('-', '') ?? []));
  const byName = new Map(
    products.flatMap((product) => [
      ...[...product.venues].map(([venue, id]) => [`${venue} ${id}`, product] as const),
      ...(product.bookId === null ? [] : [[`coinbase ${product.bookId}`, product] as const]),
    ]),
  );
  const opened = new Map<string, OpenProduct>();
  /** The product as it is from then on. */
  const halted = new WeakMap<ListingEnd, ListedSymbol>();

  function listedOf(product: GeneratedProduct): ListedSymbol {
    const known = opened.get(product.sym);
    if (known !== undefined) {
      known.usedAtMs = performance.now();
      return known.listed;
    }
    const listed = openProduct(product, seed, speed);
    opened.set(product.sym, { listed, usedAtMs: performance.now() });
    return listed;
  }

  /** No candle opens in the minute in which it was halted, or later. */
  function haltedBy(end: ListingEnd, listed: ListedSymbol): ListedSymbol {
    const known = halted.get(end);
    if (known !== undefined) return known;
    const source = endingAt(listed.source, Math.floor(end.sinceMs / 1000 / MINUTE_S) * MINUTE_S);
    const stopped = { ...listed, source, ticks: ticksOf(listed.symbol, source, seed, speed) };
    halted.set(end, stopped);
    return stopped;
  }

  const sweep = setInterval(() => {
    for (const [sym, { usedAtMs }] of opened) if (performance.now() - usedAtMs >= idleMs) opened.delete(sym);
  }, idleMs / 4).unref();

  return {
    find(venue, productId) {
      const product = byName.get(`${venue} ${productId}`);
      const nowS = clock.nowMs() / 1000;
      if (product === undefined || nowS < product.listedAtS || statusAt(product, nowS) === 'delisted') return undefined;
      const end = faults?.listingFault(venue, productId) ?? null;
      if (end?.fault.what === 'delisted') return undefined;
      return end === null ? listedOf(product) : haltedBy(end, listedOf(product));
    },
    markets: (venue) =>
      products.flatMap((product) => {
        const nowS = clock.nowMs() / 1000;
        const spotPair = venue === 'coinbase' ? spotPairAt(product, nowS) : null;
        return [marketAt(product, venue, nowS), spotPair].flatMap((market) => {
          if (market === null) return [];
          const end = faults?.listingFault(venue, market.productId) ?? null;
          return end === null ? [market] : [{ ...market, status: end.fault.what }];
        });
      }),
    has: (sym) => bySym.has(sym) || spotPairs.has(sym),
    get openCount() {
      return opened.size;
    },
    close: () => clearInterval(sweep),
  };
}

function openProduct(product: GeneratedProduct, seed: string, speed?: number): ListedSymbol {
  const { sym, label, tickSize, price, sdBp, kind, base, quote, venues } = product;
  const symbol = {
    ...cataloguedSymbol({ label, exc: 'BINANCE', sym, tickSize }),
    bookProductId: kind === 'spot' && venues.has('coinbase') ? `${base}-${quote}` : null,
    sample: { price, sdBp },
  };
  const source = productSource(product, simulatedSource(symbol, seed), seed);
  return { symbol, productId: productIdOf(symbol), source, ticks: ticksOf(symbol, source, seed, speed) };
}

/** The simulated market between a product's first and last minute, with quiet minutes where it is hardly traded. */
export function productSource(
  product: GeneratedProduct,
  whole: SandboxMarketSource,
  seed: string,
): SandboxMarketSource {
  const { sym, trait, listedAtS, endsAtS } = product;
  const quiet = streamOf(seed, sym, 'quiet');
  const firstS = Math.max(whole.firstS, Math.ceil(listedAtS / MINUTE_S) * MINUTE_S);
  const isTraded = (timeS: number): boolean =>
    trait !== 'thin' || timeS === firstS || uniformAt(quiet, timeS / MINUTE_S) < THIN_SHARE;

  function lastTraded(timeS: number): Candle | null {
    for (let back = 0; back <= MAX_QUIET_MIN && timeS - back * MINUTE_S >= firstS; back++)
      if (isTraded(timeS - back * MINUTE_S)) return whole.candleAt(timeS - back * MINUTE_S);
    return null;
  }

  return {
    kind: 'simulated',
    firstS,
    candleAt(timeS) {
      if (!(timeS >= firstS) || (endsAtS !== null && timeS >= endsAtS)) return null;
      if (isTraded(timeS)) return whole.candleAt(timeS);
      const last = timeS % MINUTE_S === 0 ? lastTraded(timeS) : null;
      // As venues of perpetuals write a minute without a trade.
      return last === null ? null : flat(timeS, last.close);
    },
    sourceTimeOf: () => null,
  };
}

function endingAt(source: SandboxMarketSource, endsAtS: number): SandboxMarketSource {
  return { ...source, candleAt: (timeS) => (timeS < endsAtS ? source.candleAt(timeS) : null) };
}

function flat(time: number, close: number): Candle {
  return { time, open: close, high: close, low: close, close, volume: 0 };
}
