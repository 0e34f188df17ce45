/** Reads of the record: cards page by page, whole days, and refused queries. */
import type { Context } from 'hono';
import { beforeEach, expect, test } from 'vitest';
import * as z from 'zod/mini';
import { recordCardSchema } from '#domain/record/figures/track-summary.ts';
import { SCORED_BARS } from '#domain/record/scoring/scoring.ts';
import { rateCountStore } from '../../server/platform/http/guards/rate-count-store.ts';
import { sharedRateLimiters } from '../../server/platform/http/guards/shared-rate-limit.ts';
import { downloadLimit } from '../../server/record/download-limit.ts';
import { csvHead } from '../../server/record/figures/day-csv.ts';
import { insertRecords, makeRecords } from '../../server/record/testing/record-fixtures.ts';
import { openTestDatabase, testLog } from '../support/database/database.ts';
import { describeOneDatabase } from '../support/database/each-database.ts';
import { emptyRecord } from '../support/database/empty-record.ts';
import { openedForTests } from '../support/run/opened-for-tests.ts';
import {
  DAY_SLOTS,
  type FigureWorld,
  insertScores,
  openFigures,
  SMALL,
  SMALL_A_SLOT,
  scoresOf,
} from './support/data/record-figures.ts';

/** A caller's address, as our proxy would report it. */
const fromOf = (c: Context): string => c.req.header('x-from') ?? '';

describeOneDatabase('downloads of the record', (kind) => {
  const database = openedForTests(() => openTestDatabase(kind));
  let world: FigureWorld;
  beforeEach(async () => {
    await emptyRecord(database());
    world = openFigures(database());
  });

  test('returns cards by number, newest first, filtered by symbol or model', async () => {
    const records = makeRecords({ ...SMALL, slots: 10 });
    await insertRecords(world.database, records);
    await insertScores(world.database, records, scoresOf(records), (seq) => seq <= 5 * SMALL_A_SLOT);
    const cards = async (query: string) =>
      z.array(recordCardSchema).parse(await (await world.get(`/record/records.json${query}`)).json());

    const newest = 10 * SMALL_A_SLOT;
    expect((await cards('?limit=3')).map(({ seq }) => seq)).toEqual([newest, newest - 1, newest - 2]);
    expect((await cards(`?limit=3&before=${newest - 2}`)).map(({ seq }) => seq)).toEqual([
      ...[newest - 3, newest - 4, newest - 5],
    ]);
    expect(await cards('?before=1')).toEqual([]);
    const one = await cards('?sym=ETHUSDT.P&model=lion&limit=100');
    // The last record of each slot.
    expect(one.map(({ seq }) => seq)).toEqual(Array.from({ length: 10 }, (_, i) => newest - i * SMALL_A_SLOT));
    expect(one.map(({ state }) => state).slice(0, 6)).toEqual([...Array.from({ length: 5 }, () => 'waiting'), 'known']);
    expect((await cards('?before=5'))[0]).toMatchObject({ seq: 4, state: 'void', voidReason: 'candles-missing' });
  });

  test("returns a day's rows with exactly that day's records, at each scored bar", async () => {
    const records = makeRecords({ ...SMALL, slots: 3 * DAY_SLOTS, models: ['bobcat'], syms: ['BTCUSDT.P'] });
    await insertRecords(world.database, records);
    const scores = scoresOf(records);
    await insertScores(world.database, records, scores, (seq) => seq <= 400);

    const response = await world.get('/record/days/2025-11-11.csv');
    const text = await response.text();

    expect(response.headers.get('content-type')).toContain('text/csv');
    const head = csvHead('1min');
    expect(text.startsWith(head)).toBe(true);
    const rows = text.trimEnd().split('\r\n').slice(1);
    expect(rows).toHaveLength(DAY_SLOTS * SCORED_BARS.length);
    const cells = rows.map((row) => row.split(','));
    const width = head.split(',').length;
    expect(cells.every((row) => row.length === width)).toBe(true);
    expect(new Set(cells.map(([seq]) => seq)).size).toBe(DAY_SLOTS);
    expect([cells[0]?.[0], cells.at(-1)?.[0]]).toEqual([String(DAY_SLOTS + 1), String(2 * DAY_SLOTS)]);
    const at = head.split(',').indexOf('crps shown [1e-8 ln]');
    const score = scores[DAY_SLOTS];
    if (score === undefined || 'void' in score) throw new Error('the first of the day is known');
    expect(cells.slice(0, SCORED_BARS.length).map((row) => Number(row[at]))).toEqual(score.crps.shown);
    expect(cells.at(-1)?.[at]).toBe('');
    expect((await world.get('/record/days/2025-11-13.csv')).status).toBe(404);
    expect((await world.get('/record/days/2025-11-09.csv')).status).toBe(404);
  });

  test('limits whole days per address and minute with Retry-After, without delaying other addresses', async () => {
    const records = makeRecords({ ...SMALL, slots: 3, models: ['bobcat'], syms: ['BTCUSDT.P'] });
    await insertRecords(world.database, records);
    const routes = world.app(downloadLimit(fromOf, { limit: { points: 2, perS: 60 } }));
    const day = (from: string, path = '2025-11-10.csv') =>
      routes.request(`http://localhost/record/days/${path}`, { headers: { 'x-from': from } });

    for (const path of ['2025-11-10.csv', '2025-11-13.csv', '2025-11-10.csv']) await (await day('a', path)).text();
    const refused = await day('a');

    expect(refused.status).toBe(429);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(refused.headers.get('access-control-allow-origin')).toBe('*');
    expect((await day('b')).status).toBe(200);
  });

  test("counts an address's whole days across all processes", async () => {
    const records = makeRecords({ ...SMALL, slots: 3, models: ['bobcat'], syms: ['BTCUSDT.P'] });
    await insertRecords(world.database, records);
    const store = rateCountStore(world.database);
    const [one, another] = [1, 2].map(() => {
      const limiterOf = sharedRateLimiters({ store, secret: 'of all', log: testLog });
      return world.app(downloadLimit(fromOf, { limiterOf, limit: { points: 2, perS: 60 } }));
    });
    const statusAt = async (process: typeof one, from: string) =>
      (await process?.request('http://localhost/record/days/2025-11-10.csv', { headers: { 'x-from': from } }))?.status;

    expect([await statusAt(one, 'a'), await statusAt(another, 'a')]).toEqual([200, 200]);
    expect([await statusAt(one, 'a'), await statusAt(another, 'a')]).toEqual([429, 429]);
    expect(await statusAt(another, 'b')).toBe(200);
  });

  test('refuses an invalid query with 400, POST with 405 and an unknown file with 404', async () => {
    for (const path of [
      'summary.json?period=8d',
      'summary.json?market=mars',
      'summary.json?period=7d&period=30d',
      'summary.json?x=1',
      'records.json?limit=101',
      'records.json?limit=0',
      'records.json?before=-1',
      'records.json?before=1e3',
      "records.json?sym=BTC'--",
      'days/2025-02-30.csv',
      'days/2025-1-1.csv',
      'days/today.csv',
    ])
      expect([path, (await world.get(`/record/${path}`)).status]).toEqual([path, 400]);
    expect((await world.app().request('http://localhost/record/summary.json', { method: 'POST' })).status).toBe(405);
    expect((await world.get('/record/recompute.mjs')).status).toBe(404);
  });
});
