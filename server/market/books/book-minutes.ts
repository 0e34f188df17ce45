/** Stores spread and depth of the live order books once a minute. Nothing reads them yet but training. */
import type { OrderBook } from '#domain/market/book/order-book.ts';
import { MINUTE_S } from '#domain/market/candle.ts';
import type { Core } from '../../core.ts';
import { asOwner } from '../../platform/database/database.ts';
import { jobStore } from '../../platform/processes/job-store.ts';
import { type Job, startJob } from '../../platform/processes/schedule.ts';
import type { OpenBooks } from './book-source.ts';

export interface BookMinutesDeps extends Pick<Core, 'database' | 'clock' | 'log'> {
  books: Pick<OpenBooks, 'product'>;
  productIds: readonly string[];
}

export interface BookRow {
  product: string;
  bid: number;
  ask: number;
  /** Base asset within DEPTH_BP of the side's best price. */
  bid_depth: number;
  ask_depth: number;
}

const DEPTH_BP = 10;
/** Levels looked at: a side of BTC-USD has some hundred within ten basis points. */
const MAX_LEVELS = 2000;
const KEPT_DAYS = 400;
const DAY_S = 86_400;

export function startBookMinutes(deps: BookMinutesDeps): Job {
  return startJob({
    name: 'book-minutes',
    periodMs: MINUTE_S * 1000,
    store: jobStore(deps.database),
    log: deps.log,
    async run() {
      await storeBookMinute(deps);
      return undefined;
    },
  });
}

/** A book that is stale, missing or crossed has no row for the minute. */
export async function storeBookMinute({ database, clock, books, productIds }: BookMinutesDeps): Promise<void> {
  const rows = productIds.flatMap((product) => {
    const live = books.product(product);
    const book = live?.isFresh ? live.soundBook : null;
    return (book && bookRow(product, book)) ?? [];
  });
  const minuteS = Math.floor(clock.nowMs() / 1000 / MINUTE_S) * MINUTE_S;
  await asOwner(database).query(
    `with old as (delete from private.book_minutes where minute_s < $3::bigint)
     insert into private.book_minutes (product, minute_s, bid, ask, bid_depth, ask_depth)
     select product, $2::bigint, bid, ask, bid_depth, ask_depth
       from jsonb_to_recordset($1::text::jsonb) as r (product text, bid float8, ask float8, bid_depth real, ask_depth real)
     on conflict (product, minute_s) do nothing`,
    [JSON.stringify(rows), minuteS, minuteS - KEPT_DAYS * DAY_S],
  );
}

/** Null for a side without levels. */
export function bookRow(product: string, book: OrderBook): BookRow | null {
  const [bids, asks] = [book.top('bid', MAX_LEVELS), book.top('ask', MAX_LEVELS)];
  const [bid, ask] = [bids[0]?.price, asks[0]?.price];
  if (bid === undefined || ask === undefined || bid >= ask) return null;
  const reach = DEPTH_BP / 10_000;
  const sum = (levels: typeof bids): number => levels.reduce((total, { size }) => total + size, 0);
  return {
    product,
    bid,
    ask,
    bid_depth: sum(bids.filter(({ price }) => price >= bid * (1 - reach))),
    ask_depth: sum(asks.filter(({ price }) => price <= ask * (1 + reach))),
  };
}
