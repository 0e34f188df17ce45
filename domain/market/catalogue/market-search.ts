/** Finds products by what people type: a code, the start or a part of one, or a coin's name. */
import type { Listing } from './listing.ts';

export interface MarketIndex {
  /** The best `limit` first; for an empty query the ten of the picker, then popular ones. */
  search(query: string, limit: number): Listing[];
}

interface Entry {
  listing: Listing;
  /** Upper case, without separators. */
  codes: readonly string[];
  name: string;
}

/** @param listings  popular ones first; that order decides between two equally good ones */
export function indexMarkets(listings: readonly Listing[]): MarketIndex {
  const entries = listings.map(entryOf);
  return {
    search(query, limit) {
      if (query.trim() === '') return listings.slice(0, limit);
      const wanted = plain(query);
      if (wanted === '') return [];
      const levels: Listing[][] = [[], [], [], [], []];
      for (const entry of entries) levels[levelOf(entry, wanted)]?.push(entry.listing);
      return levels.flat().slice(0, limit);
    },
  };
}

function entryOf(listing: Listing): Entry {
  const { symbol, base, name } = listing;
  return { listing, codes: [...new Set([base, plain(symbol.label), plain(symbol.sym)])], name: plain(name) };
}

/** 0 is best; 5 is no match. */
function levelOf({ codes, name }: Entry, wanted: string): number {
  if (codes.includes(wanted)) return 0;
  if (codes.some((code) => code.startsWith(wanted))) return 1;
  if (name.startsWith(wanted)) return 2;
  if (codes.some((code) => code.includes(wanted))) return 3;
  return name.includes(wanted) ? 4 : 5;
}

/** People write separators differently: LINK/USD, LINK-USD, link usd. Letters of every script count. */
function plain(text: string): string {
  return text.toUpperCase().replace(/[^\p{L}\p{N}]/gu, '');
}
