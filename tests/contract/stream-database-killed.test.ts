/** The embedded database's thread killed during a stream: the viewer notices a pause at most. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openPgliteDatabase, type PgliteDatabase } from '../../server/platform/database/pglite/pglite-database.ts';
import { pgliteTemplate, testLimits } from '../support/database/database.ts';
import { candlesOf, openPredictionWorld, type PredictionWorld } from '../support/worlds/prediction-world.ts';

const dataDir = mkdtempSync(join(tmpdir(), 'kat-killed-'));
let database: PgliteDatabase;
let world: PredictionWorld;

beforeAll(async () => {
  const limits = testLimits();
  database = await openPgliteDatabase({ ...limits, dataDir, dumpFile: await pgliteTemplate() });
  world = await openPredictionWorld(database, 10);
});
afterAll(async () => {
  await world?.close();
  rmSync(dataDir, { recursive: true, force: true });
});

test('delivers and saves all 50 candles for one unit when killed between two of them', async () => {
  const user = await world.user('bobcat');
  const reader = await world.stream(user);
  const start = await reader.next();
  await reader.next();

  await database.crash();
  const candles = candlesOf(await reader.rest());
  const stored = await world.fetchAgain(user, start?.id?.split(':')[0] ?? '');
  const saved = await world.save(user, [...stored.history, ...stored.forecast]);

  expect(candles).toHaveLength(49);
  expect(saved).toMatchObject({ ok: true });
  expect(await world.savedRows(user)).toHaveLength(1);
  expect(await world.left(user)).toEqual({ daily: 9, monthly: 59 });
});

test('streams or refuses clearly when killed during the opening, and charges one unit', async () => {
  const user = await world.user('bobcat');

  const [opening] = await Promise.all([
    world
      .stream(user)
      .then((reader) => reader.rest())
      .catch(String),
    database.crash(),
  ]);
  const again = candlesOf(await (await world.stream(user)).rest());

  expect(typeof opening === 'string' ? opening : candlesOf(opening).length).toSatisfy(
    (answer) => answer === 50 || String(answer).includes('database/unavailable'),
  );
  expect(again).toHaveLength(50);
  expect(await world.left(user)).toEqual({ daily: 9, monthly: 59 });
});
