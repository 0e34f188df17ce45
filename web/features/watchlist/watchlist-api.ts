/** The watchlist of an account, which the database keeps, and the rows of any list. */
import * as z from 'zod/mini';
import { type WatchRow, watchRowsSchema } from '#domain/watchlist/watch-row.ts';
import { pairKey, type WatchedPair, type Watchlist, watchlistSchema } from '#domain/watchlist/watchlist.ts';
import { fetchJson } from '../../platform/calls/fetch-json.ts';
import { callTables } from '../../platform/supabase.ts';

const NOT_LOADED = 'We couldn’t load your watchlist.';
const NOT_SAVED = 'We couldn’t save your watchlist.';
const NO_PRICES = 'We couldn’t load the prices of your watchlist.';

export type ListChange = 'add' | 'remove' | 'order';

/** @throws Error with a message for users; the signal's reason */
export async function fetchWatchlist(signal: AbortSignal): Promise<WatchedPair[]> {
  const { data } = await callTables(NOT_LOADED, signal, (client, limited) =>
    client.from('watched_pairs').select('sym,timeframe').order('place').retry(false).abortSignal(limited),
  );
  return listOf(data);
}

/** @returns the whole list as it is now  @throws Error with a message for users */
export async function changeWatchlist(change: ListChange, pairs: Watchlist): Promise<WatchedPair[]> {
  const { data } = await callTables(NOT_SAVED, new AbortController().signal, (client, limited) =>
    client.rpc(`${change}_watched_pairs`, { p_pairs: pairs }).retry(false).abortSignal(limited),
  );
  return listOf(data);
}

function listOf(data: unknown): WatchedPair[] {
  return z.parse(watchlistSchema, data);
}

/** @param pairs  at least one  @throws CallError with a message for users; the signal's reason */
export async function fetchWatchRows(pairs: Watchlist, signal: AbortSignal): Promise<readonly WatchRow[]> {
  const keys = pairs.map((pair) => encodeURIComponent(pairKey(pair))).join(',');
  return fetchJson(`/market/watch?pairs=${keys}`, {
    signal,
    failure: { code: 'watchlist', message: NO_PRICES },
    read: (body) => watchRowsSchema.parse(body).rows,
  });
}
