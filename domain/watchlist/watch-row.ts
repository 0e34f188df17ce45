/** GET /market/watch: one row for each requested pair, in the order of the request. */
import * as z from 'zod/mini';
import { MARKET_KINDS } from '../market/symbols.ts';
import { barRangeSchema, RANGE_GAPS } from './bar-range.ts';
import { watchedPairSchema } from './watchlist.ts';

const price = z.number().check(z.positive());

const known = z.extend(watchedPairSchema, {
  state: z.literal('known'),
  label: z.string(),
  /** The coin's name; empty when unknown. */
  name: z._default(z.string(), ''),
  exc: z.string(),
  decimals: z.int(),
  /** The open minute's last trade, else the last close. */
  price,
  /** Against the price 24 hours ago, or the oldest known one; null without any. */
  change24h: z.nullable(z.number()),
  /** Closes of 24 hours, oldest first. */
  line: z.array(price),
  /** Opening second of the last closed minute. */
  asOfS: z.int(),
  isOpen: z.boolean(),
  isStale: z.boolean(),
  marketKind: z.enum(MARKET_KINDS),
  attribution: z.string(),
  delayS: z.number(),
  /** Null while the market is closed, the prices are stale, or for the reason in `rangeGap`. */
  range: z.nullable(barRangeSchema),
  rangeGap: z.nullable(z.enum(RANGE_GAPS)),
});
export type KnownRow = z.infer<typeof known>;

/** `loading`: request it again in a second. `unavailable`: no venue answers. `unknown`: no venue of ours trades it now. */
const other = z.extend(watchedPairSchema, { state: z.enum(['loading', 'unavailable', 'unknown']) });

export const watchRowSchema = z.union([known, other]);
export type WatchRow = z.infer<typeof watchRowSchema>;

export const watchRowsSchema = z.object({ rows: z.array(watchRowSchema) });
