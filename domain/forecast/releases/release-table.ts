/** How much more prices move around a scheduled release: models/releases.json, fitted by `npm run lab -- measure releases`. */
import * as z from 'zod/mini';
import { RELEASE_KINDS, type ReleaseKind } from '../../market/calendar/release-kinds.ts';
import type { AssetClass } from '../../market/symbols.ts';

/** Minutes after a release (negative: before it) at which a column of the table begins; the last number ends the last column. */
export const COLUMN_STARTS_MIN = [-5, -1, 0, 1, 2, 5, 10, 20, 35, 60] as const;
export const [FIRST_MIN] = COLUMN_STARTS_MIN;
export const END_MIN = COLUMN_STARTS_MIN[9];
export const COLUMN_COUNT = COLUMN_STARTS_MIN.length - 1;

const factors = z.array(z.number().check(z.gte(1), z.lte(20))).check(z.length(COLUMN_COUNT));

export const releaseTableSchema = z.strictObject({
  /** `releases-<first ten digits of the SHA-256 of the file's JSON without this field>` */
  version: z.string().check(z.regex(/^releases-[0-9a-f]{10}$/)),
  columnStartsMin: z
    .array(z.int())
    .check(z.refine((starts) => starts.join() === COLUMN_STARTS_MIN.join(), 'other columns than this code reads')),
  /** Factors on the deviation of a minute's return, for each column; a kind that is missing changes nothing. */
  kinds: z.partialRecord(z.enum(RELEASE_KINDS), factors),
});
export type ReleaseTable = z.infer<typeof releaseTableSchema>;

/** Kinds that move shares, metals, energy and the dollar index too. Only of coins are there enough releases to measure others. */
const KINDS_OF_ALL_MARKETS: ReadonlySet<ReleaseKind> = new Set([
  'fed-statement',
  'inflation',
  'jobs',
  'fed-press-conference',
]);

/** The factor on the deviation of the minute that begins `minutes` after a release; 1 for a kind that moves nothing. */
export function minuteFactor(table: ReleaseTable, kind: ReleaseKind, assetClass: AssetClass, minutes: number): number {
  if (assetClass !== 'crypto' && !KINDS_OF_ALL_MARKETS.has(kind)) return 1;
  const column = COLUMN_STARTS_MIN.findLastIndex((start) => minutes >= start);
  return table.kinds[kind]?.[column] ?? 1;
}
