import * as z from 'zod/mini';
import { type WatchedPair, watchedPairSchema } from '#domain/watchlist/watchlist.ts';
import type { Database } from '../../platform/database/database.ts';
import { callerOf, type KeyOwner } from './key-owner.ts';

/** In the owner's order; read under row-level security. */
export async function ownWatchlist(database: Database, owner: KeyOwner): Promise<WatchedPair[]> {
  const rows = await database.query(
    callerOf(owner),
    'select sym, timeframe from public.watched_pairs where user_id = $1::text::uuid order by place',
    [owner.userId],
  );
  return z.array(watchedPairSchema).parse(rows);
}
