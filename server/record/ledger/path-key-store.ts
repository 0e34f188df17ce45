/** Published keys of drawn paths: docs/decisions/096-keys-of-drawn-paths.md */
import * as z from 'zod/mini';
import { TIMEFRAMES } from '#domain/market/timeframes.ts';
import { DAY_S, dayStartS } from '#domain/record/ledger/day-statement.ts';
import type { PathKeyFile } from '#domain/record/ledger/record-files.ts';
import { revealAfterS } from '#domain/record/ledger/reveal.ts';
import { asOwner, type Database } from '../../platform/database/database.ts';

const rowSchema = z.object({ key: z.string(), createdMs: z.number() });

/** From the end of a day until its last forecast is over, of whatever candles. */
const LONGEST_MS = Math.max(...TIMEFRAMES.map(revealAfterS)) * 1000;

/**
 * Its key stays null while a forecast of the day may run. A day of a replayed market counts from when its key was made.
 * @param day  such as 2026-11-22. @returns null for a day without forecasts
 */
export async function readPathKey(database: Database, day: string, nowMs: number): Promise<PathKeyFile | null> {
  const [row] = await asOwner(database).query(
    `select encode(key, 'hex') as key, (extract(epoch from created_at) * 1000)::float8 as "createdMs"
       from private.path_keys where day = $1::text::date`,
    [day],
  );
  if (row === undefined) return null;
  const { key, createdMs } = rowSchema.parse(row);
  const opensMs = Math.max(createdMs, dayStartS(day) * 1000) + DAY_S * 1000 + LONGEST_MS;
  return { day, key: opensMs <= nowMs ? key : null, opens: Math.ceil(opensMs / 1000) };
}
