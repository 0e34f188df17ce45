import { asOwner, type Database } from '../database/database.ts';

/** Simulated and live figures never replace each other. */
export type FeedKind = 'live' | 'simulated';

export interface FeedValue {
  /** JSON, in the shape of our own API's response. */
  body: unknown;
  /** The source of the figures, as shown on screen. */
  attribution: string;
  fetchedAtMs: number;
}

export interface FeedStore {
  put(feed: string, value: FeedValue): Promise<void>;
  get(feed: string): Promise<FeedValue | null>;
}

export function feedStore(database: Database, kind: FeedKind): FeedStore {
  const queries = asOwner(database);
  return {
    async put(feed, { body, attribution, fetchedAtMs }) {
      await queries.query(
        `insert into private.feed_values (feed, market_kind, body, attribution, fetched_at)
         values ($1::text, $2::text, $3::jsonb, $4::text, $5::text::timestamptz)
         on conflict (feed, market_kind) do update
           set body = excluded.body, attribution = excluded.attribution, fetched_at = excluded.fetched_at`,
        [feed, kind, JSON.stringify(body), attribution, new Date(fetchedAtMs).toISOString()],
      );
    },
    async get(feed) {
      const [row] = await queries.query<{ body: unknown; attribution: string; fetched_ms: number }>(
        `select body, attribution, (extract(epoch from fetched_at) * 1000)::float8 as fetched_ms
           from private.feed_values where feed = $1::text and market_kind = $2::text`,
        [feed, kind],
      );
      return row === undefined ? null : { body: row.body, attribution: row.attribution, fetchedAtMs: row.fetched_ms };
    },
  };
}
