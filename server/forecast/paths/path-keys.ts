/**
 * One secret key for each day of the market, shared by all processes through the database. It is part of the seed of
 * drawn paths, and published when the day's last forecast is over: docs/decisions/096-keys-of-drawn-paths.md
 */
import { randomBytes } from 'node:crypto';
import * as z from 'zod/mini';
import { dayOf } from '#domain/record/ledger/day-statement.ts';
import { type Database, SERVICE } from '../../platform/database/database.ts';

/** @param t0  epoch seconds of the last closed candle. @returns 32 bytes in hex */
export type PathKeyOf = (t0: number) => Promise<string>;

const HELD_DAYS = 4;
const keySchema = z.object({ key: z.string().check(z.regex(/^[0-9a-f]{64}$/)) });

/**
 * Each day's key is read once and cached, so only the day's first forecast waits for the database. If a read fails, the
 * next forecast tries again.
 */
export function openPathKeys(database: Database): PathKeyOf {
  const held = new Map<string, Promise<string>>();

  async function read(day: string): Promise<string> {
    const text = `select encode(private.path_key_of($1::text::date, decode($2::text, 'hex')), 'hex') as key`;
    const [row] = await database.query(SERVICE, text, [day, randomBytes(32).toString('hex')]);
    return keySchema.parse(row).key;
  }

  return (t0) => {
    const day = dayOf(t0 * 1000);
    const known = held.get(day);
    if (known !== undefined) return known;
    const key = read(day);
    held.set(day, key);
    key.catch(() => held.delete(day));
    const [oldest = day] = held.keys();
    if (held.size > HELD_DAYS) held.delete(oldest);
    return key;
  };
}
