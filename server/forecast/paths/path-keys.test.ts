import { expect, test } from 'vitest';
import { AppError } from '#domain/errors/app-error.ts';
import type { Database } from '../../platform/database/database.ts';
import { openPathKeys } from './path-keys.ts';

const NOON_S = Date.parse('2026-11-22T12:00:00Z') / 1000;

/** Of a database that stores the first key of each day. */
function open() {
  const stored = new Map<string, string>();
  const state = { reads: 0, isAway: false };
  const query = async (_caller: unknown, _text: string, [day, key]: readonly string[]) => {
    state.reads += 1;
    if (state.isAway) throw new AppError('database/unavailable');
    if (!stored.has(String(day))) stored.set(String(day), String(key));
    return [{ key: stored.get(String(day)) }];
  };
  const database = { query } as unknown as Database;
  return { state, database, keyOf: openPathKeys(database) };
}

test('reads the key of a UTC day once, and another one for the next day', async () => {
  const { state, keyOf } = open();

  const [noon, evening, tomorrow] = [await keyOf(NOON_S), await keyOf(NOON_S + 43_199), await keyOf(NOON_S + 43_200)];

  expect(noon).toMatch(/^[0-9a-f]{64}$/);
  expect([evening, tomorrow === noon, state.reads]).toEqual([noon, false, 2]);
});

test('shares the key with another process', async () => {
  const { database, keyOf } = open();
  expect(await openPathKeys(database)(NOON_S)).toBe(await keyOf(NOON_S));
});

test('reads again after a failure', async () => {
  const { state, keyOf } = open();
  state.isAway = true;
  await expect(keyOf(NOON_S)).rejects.toMatchObject({ code: 'database/unavailable' });

  state.isAway = false;
  expect(await keyOf(NOON_S)).toMatch(/^[0-9a-f]{64}$/);
});
