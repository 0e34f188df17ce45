/**
 * Three hundred products beside the ten symbols: real names of coins first, then invented ones, with invented figures.
 * Half of the perpetuals also trade against the dollar at Coinbase, where their order book is. The same for the same seed and opening time. Some are halted, delisted, hardly traded or a few hours old.
 */

import { MINUTE_S } from '#domain/market/candle.ts';
import {
  type CatalogueMarket,
  type CatalogueVenue,
  namesOf,
  type ProductKind,
} from '#domain/market/catalogue/market.ts';
import { productIdOf } from '#domain/market/codecs/binance-klines.ts';
import { bybitProductIdOf } from '#domain/market/codecs/bybit-klines.ts';
import { okxInstrumentIdOf } from '#domain/market/codecs/okx-candles.ts';
import { SYMBOLS } from '#domain/market/symbols.ts';
import { COINS } from '../simulation/coin-list.ts';
import { streamOf, uniformAt } from '../simulation/noise.ts';

export const PRODUCT_TRAITS = ['ordinary', 'thin', 'new', 'halted', 'delisted'] as const;
export type ProductTrait = (typeof PRODUCT_TRAITS)[number];

export interface GeneratedProduct {
  sym: string;
  label: string;
  base: string;
  quote: string;
  kind: ProductKind;
  trait: ProductTrait;
  tickSize: number;
  /** Typical price, and the standard deviation of one-minute log returns in basis points. */
  price: number;
  sdBp: number;
  listedAtS: number;
  /** There are no candles from here on; null: it keeps trading. */
  endsAtS: number | null;
  /** Each venue that lists it, with its name there. */
  venues: ReadonlyMap<CatalogueVenue, string>;
  /** Coinbase's name of the same coin's spot pair against the dollar; null for a perpetual without one. */
  bookId: string | null;
}

export const PRODUCT_COUNT = 300;
const PERPETUALS = 200;
/** Share of the perpetuals that have a spot pair at Coinbase. */
const BOOK_SHARE = 0.5;
/** One product in this many has each of the uncommon traits. */
const TRAIT_EVERY = 30;
const TRAIT_AT: ReadonlyMap<number, ProductTrait> = new Map([
  [7, 'delisted'],
  [13, 'new'],
  [17, 'halted'],
  [22, 'thin'],
]);
/** 1 October 2019: larger coins have been listed longer. */
const FIRST_LISTING_S = 1_569_888_000;
const LISTING_STEP_S = 7 * 86_400;
/** Ages of the new ones at the opening, in minutes: the first two are too young for a forecast. */
const NEW_AGES_MIN = [45, 100, 300, 1500, 4000, 10_000];
/** The first delisted one still trades at the opening, so that an end can be watched. */
const LEAVES_AFTER_S = 30 * MINUTE_S;
const ENDED_BEFORE_S = 3 * 86_400;
const HALTED_BEFORE_S = 3600;
const SYLLABLES = ['BA', 'DU', 'FE', 'GO', 'KI', 'LU', 'MO', 'NA', 'PI', 'RE', 'SO', 'TA', 'VE', 'WO', 'XI', 'ZU'];

/** @param openedS  market time at the opening, epoch seconds */
export function generatedProducts(seed: string, openedS: number): GeneratedProduct[] {
  const stream = streamOf(seed, 'products');
  const openedMinuteS = Math.floor(openedS / MINUTE_S) * MINUTE_S;
  const counts = new Map<ProductTrait, number>();
  return basesOf(stream).map(({ base, price }, i) => {
    const trait = TRAIT_AT.get(i % TRAIT_EVERY) ?? 'ordinary';
    const nth = counts.get(trait) ?? 0;
    counts.set(trait, nth + 1);
    const kind = i < PERPETUALS ? 'perpetual' : 'spot';
    const quote = kind === 'perpetual' ? 'USDT' : 'USD';
    const names = namesOf(base, quote, kind);
    if (names === null) throw new Error(`${base} cannot be a product`);
    return {
      ...names,
      base,
      quote,
      kind,
      trait,
      price,
      tickSize: tickOf(price),
      sdBp: 7 + 14 * uniformAt(stream ^ 1, i),
      listedAtS:
        trait === 'new'
          ? openedMinuteS - (NEW_AGES_MIN[nth % NEW_AGES_MIN.length] ?? 0) * MINUTE_S
          : FIRST_LISTING_S + i * LISTING_STEP_S * 0.9,
      endsAtS: endOf(trait, nth, openedMinuteS),
      venues: venuesOf({ sym: names.sym, base, quote, kind }, stream, i),
      bookId: kind === 'perpetual' && uniformAt(stream ^ 9, i) < BOOK_SHARE ? bookIdOf(base) : null,
    } satisfies GeneratedProduct;
  });
}

/** Coins that trade by the thousand are single ones at Coinbase, at another price. */
function bookIdOf(base: string): string | null {
  return base.startsWith('1000') ? null : `${base}-USD`;
}

/** A perpetual's spot pair as Coinbase lists it. */
export function spotPairAt(product: GeneratedProduct, nowS: number): CatalogueMarket | null {
  const { base, bookId, tickSize, listedAtS } = product;
  const names = namesOf(base, 'USD', 'spot');
  if (bookId === null || names === null || nowS < listedAtS) return null;
  const status = statusAt(product, nowS);
  const { sym } = names;
  return { venue: 'coinbase', sym, productId: bookId, base, quote: 'USD', kind: 'spot', status, tickSize, listedAtS };
}

/** The product as a venue lists it at a time. */
export function marketAt(product: GeneratedProduct, venue: CatalogueVenue, nowS: number): CatalogueMarket | null {
  const productId = product.venues.get(venue);
  // No venue lists a product before its first day.
  if (productId === undefined || nowS < product.listedAtS) return null;
  const { sym, base, quote, kind, tickSize, listedAtS } = product;
  return { venue, sym, productId, base, quote, kind, status: statusAt(product, nowS), tickSize, listedAtS };
}

export function statusAt({ trait, endsAtS }: GeneratedProduct, nowS: number): CatalogueMarket['status'] {
  if (endsAtS === null || nowS < endsAtS) return 'trading';
  return trait === 'halted' ? 'halted' : 'delisted';
}

function endOf(trait: ProductTrait, nth: number, openedS: number): number | null {
  if (trait === 'halted') return openedS - HALTED_BEFORE_S;
  if (trait !== 'delisted') return null;
  return nth === 0 ? openedS + LEAVES_AFTER_S : openedS - ENDED_BEFORE_S;
}

function basesOf(stream: number): { base: string; price: number }[] {
  const specified = new Set<string>(SYMBOLS.map(({ label }) => label));
  const bases = new Map<string, number>();
  for (const { symbol, basePrice, follows } of COINS) {
    const base = symbol.toUpperCase();
    if (follows === null && !specified.has(base)) bases.set(base, basePrice);
  }
  for (let i = 0; bases.size < PRODUCT_COUNT; i++) {
    const base = [0, 1, 2]
      .map((part) => SYLLABLES[Math.floor(uniformAt(stream ^ (part + 2), i) * SYLLABLES.length)])
      .join('');
    if (!bases.has(base)) bases.set(base, Number((10 ** (4 * uniformAt(stream ^ 5, i) - 3)).toPrecision(3)));
  }
  return [...bases].slice(0, PRODUCT_COUNT).map(([base, price]) => scaled(base, price));
}

/** Cheap coins trade by the thousand, so that a tick is a small part of the price. */
function scaled(base: string, price: number): { base: string; price: number } {
  return price < 0.0005 && !base.startsWith('1000') ? { base: `1000${base}`, price: price * 1000 } : { base, price };
}

/** A power of ten, a hundredth of a percent of the price at most. */
function tickOf(price: number): number {
  return Number(`1e${Math.floor(Math.log10(price * 1e-4))}`);
}

type Names = Pick<GeneratedProduct, 'sym' | 'base' | 'quote' | 'kind'>;

function venuesOf(names: Names, stream: number, i: number): ReadonlyMap<CatalogueVenue, string> {
  const { sym, base, quote, kind } = names;
  const all: [CatalogueVenue, string][] =
    kind === 'perpetual'
      ? [
          ['binance', productIdOf({ sym })],
          ['bybit', bybitProductIdOf({ sym })],
          ['okx', okxInstrumentIdOf({ sym })],
        ]
      : [
          ['coinbase', `${base}-${quote}`],
          ['kraken', `${base}${quote}`],
        ];
  const listing = all.filter((_, nth) => uniformAt(stream ^ (nth + 6), i) < 0.75);
  return new Map(listing.length === 0 ? all.slice(0, 1) : listing);
}
