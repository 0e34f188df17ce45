/** The page's figures: made from the record as it grows, the same however often and from wherever they are made. */
import { afterEach, beforeEach, expect, test } from 'vitest';
import * as z from 'zod/mini';
import { BLOCK_S } from '#domain/record/bootstrap.ts';
import type { RecordScore, RecordVoidReason } from '#domain/record/record-score.ts';
import { scoreRecord } from '#domain/record/score-record.ts';
import { type JudgedRecord, trackBlocks } from '#domain/record/track-blocks.ts';
import { trackParts } from '#domain/record/track-figures.ts';
import { recordCardSchema, trackSummarySchema } from '#domain/record/track-summary.ts';
import { readRecordFacts } from '../../server/operations/record-figures-store.ts';
import { asOwner, type Database } from '../../server/platform/database.ts';
import { errorResponse } from '../../server/platform/http-errors.ts';
import { type CountDownload, downloadLimit } from '../../server/record/download-limit.ts';
import { type BlockStore, blockStore } from '../../server/record/figures/block-store.ts';
import { CSV_HEAD } from '../../server/record/figures/day-csv.ts';
import { figureRoutes } from '../../server/record/figures/figure-routes.ts';
import { type FigureStores, makeFigures } from '../../server/record/figures/record-figures.ts';
import { rollUp } from '../../server/record/figures/roll-up.ts';
import { summaryStore } from '../../server/record/figures/summary-store.ts';
import {
  aBaselineTable,
  insertRecords,
  type MadeRecords,
  makeRecords,
  outcomeOf,
} from '../../server/record/made-up-records.ts';
import { openTestDatabase, testLog } from '../support/database.ts';
import { describeOneDatabase } from '../support/each-database.ts';

const never = new AbortController().signal;
const table = aBaselineTable();
/** A Monday, and the beginning of a block. */
const START_S = Date.parse('2025-11-10T00:00:00Z') / 1000;
const DAY_SLOTS = 288;
const small = { firstSlotS: START_S, syms: ['BTCUSDT.P', 'ETHUSDT.P'], models: ['bobcat', 'lion'] } as const;

type Outcome = RecordScore | { void: RecordVoidReason };

function scoresOf(made: MadeRecords): Outcome[] {
  return made.bodies.map(
    (body, i): Outcome =>
      i % 17 === 3 ? { void: 'candles-missing' } : scoreRecord(body, outcomeOf(made, body), table),
  );
}

async function insertScores(
  database: Database,
  made: MadeRecords,
  scores: readonly Outcome[],
  seqs: (seq: number) => boolean,
) {
  const rows = made.bodies.flatMap(({ seq }, i): Record<string, unknown>[] => {
    const score = scores[i];
    if (!seqs(seq) || score === undefined) return [];
    return 'void' in score ? [{ seq, state: 'void', reason: score.void }] : [{ seq, state: 'known', score }];
  });
  await asOwner(database).query(
    `insert into private.track_scores (seq, state, void_reason, score)
     select seq, state, reason, score from jsonb_to_recordset($1::text::jsonb) as r (seq bigint, state text, reason text, score jsonb)`,
    [JSON.stringify(rows)],
  );
}

describeOneDatabase('figures of the record', (kind) => {
  let database: Database;
  let blocks: BlockStore;
  let stores: FigureStores;
  /** Both clocks. */
  let nowMs: number;
  const clock = { nowMs: () => nowMs };

  beforeEach(async () => {
    database = await openTestDatabase(kind);
    blocks = blockStore(database);
    stores = { blocks, summaries: summaryStore(database) };
    nowMs = (START_S + 2 * 86_400) * 1000;
  });
  afterEach(() => database?.close());

  const round = () => makeFigures(stores, { clock, marketClock: clock, kindOf: () => 'live', log: testLog }, never);
  const stored = async () => plain(await blocks.blocks('live', 0));
  const app = (countDownload: CountDownload = async () => {}) => {
    const deps = { database, clock, log: testLog, marketKind: 'live' as const, siteDir: '/nowhere' };
    const routes = figureRoutes({ ...deps, countDownload });
    routes.onError((error) => errorResponse(error));
    return routes;
  };
  const get = async (path: string, headers: Record<string, string> = {}) =>
    await app().request(`http://localhost${path}`, { headers });

  test('blocks grow with what is issued and judged, step by step as all at once, and from nothing again', async () => {
    const made = makeRecords({ ...small, slots: DAY_SLOTS });
    const scores = scoresOf(made);
    const whole = plain(trackBlocks(judged(made, scores)));
    await insertRecords(database, made);

    expect((await rollUp(blocks, never, 100)).blocks).toBeGreaterThan(4);
    expect((await stored()).map(({ sums }) => sums[0])).toEqual(Array.from({ length: 16 }, () => 72));
    for (const part of [0, 1, 2]) {
      await insertScores(database, made, scores, (seq) => seq % 3 === part);
      await rollUp(blocks, never, 300);
    }
    expect(await stored()).toEqual(whole);

    expect(await rollUp(blocks, never)).toEqual({ blocks: 0, kinds: new Set() });
    await asOwner(database).query('delete from private.track_blocks');
    await rollUp(blocks, never, 500);
    expect(await stored()).toEqual(whole);
  });

  test('a round that ends in the middle, and two at once, leave what one round leaves', async () => {
    const made = makeRecords({ ...small, slots: DAY_SLOTS });
    const scores = scoresOf(made);
    await insertRecords(database, made);
    await insertScores(database, made, scores, () => true);
    const failing: BlockStore = {
      ...blocks,
      write: async (rows) => {
        if ((await stored()).length > 0) throw new Error('killed');
        await blocks.write(rows);
      },
    };

    await expect(rollUp(failing, never, 200)).rejects.toThrow('killed');
    await Promise.all([rollUp(blocks, never, 150), rollUp(blockStore(database), never, 400)]);

    expect(await stored()).toEqual(plain(trackBlocks(judged(made, scores))));
  });

  test('sums of a release that had others are forgotten and made again', async () => {
    const made = makeRecords({ ...small, slots: 100 });
    await insertRecords(database, made);
    await rollUp(blocks, never);
    const before = await stored();
    await blocks.forgetOthers();
    expect(await stored()).toEqual(before);

    await asOwner(database).query(
      `update private.track_blocks set sums = '[1, 2]' where block_s = $1::bigint and sym = 'BTCUSDT.P'`,
      [START_S],
    );
    await blocks.forgetOthers();

    expect(await stored()).toEqual([]);
    await rollUp(blocks, never);
    expect(await stored()).toEqual(before);
  });

  test('what an older look would write does not take back what a newer one wrote', async () => {
    const made = makeRecords({ ...small, slots: 10 });
    const scores = scoresOf(made);
    await insertRecords(database, made);
    await rollUp(blocks, never);
    const before = await blocks.blocks('live', 0);
    await insertScores(database, made, scores, () => true);
    await rollUp(blocks, never);
    const after = await stored();

    await blocks.write(before);

    expect(await stored()).toEqual(after);
  });

  test('the answer holds the figures of the period, its counts, and as many worst as best', async () => {
    const made = makeRecords({ ...small, slots: 4 * DAY_SLOTS });
    const scores = scoresOf(made);
    await insertRecords(database, made);
    await insertScores(database, made, scores, (seq) => seq <= made.bodies.length - 40);
    nowMs = (START_S + 4 * 86_400) * 1000;

    await round();

    const response = await get('/record/summary.json?period=30d');
    expect(response.headers.get('access-control-allow-origin')).toBe('*');
    expect(response.headers.get('cache-control')).toBe('public, max-age=30');
    const summary = trackSummarySchema.parse(await response.json());
    const issued = 4 * DAY_SLOTS * 4;
    const voided = scores.slice(0, -40).filter((score) => 'void' in score).length;
    expect(summary.counts).toEqual({
      expected: issued,
      issued,
      known: issued - 40 - voided,
      void: voided,
      waiting: 40,
    });
    expect(summary.voidReasons).toEqual({ 'candles-missing': voided });
    const own = judged(made, scores).map((one, i) => (i < made.bodies.length - 40 ? one : { ...one, score: null }));
    const parts = await trackParts(trackBlocks(own));
    expect(summary).toMatchObject(JSON.parse(JSON.stringify(parts)));
    expect(summary.models[0]?.all.cover80?.interval).not.toBeNull();
    expect(summary.latest.map(({ seq }) => seq)).toEqual(Array.from({ length: 12 }, (_, i) => issued - i));
    expect(summary.best).toHaveLength(6);
    expect(summary.worst).toHaveLength(6);
    const loss = ({ pathBp, actualBp }: z.infer<typeof recordCardSchema>) =>
      Math.abs((actualBp?.at(-1) ?? 0) - (pathBp.at(-1) ?? 0)) - Math.abs(actualBp?.at(-1) ?? 0);
    expect(Math.max(...summary.best.map(loss))).toBeLessThan(0);
    expect(Math.min(...summary.worst.map(loss))).toBeGreaterThan(0);
    expect(summary.worst.map(loss)).toEqual(summary.worst.map(loss).toSorted((a, b) => b - a));

    const etag = response.headers.get('etag') ?? '';
    expect((await get('/record/summary.json?period=30d', { 'if-none-match': etag })).status).toBe(304);
  });

  test('slots without a record count as missed, kinds of market stay apart, and an empty record answers', async () => {
    const made = makeRecords({ ...small, slots: 12 });
    await insertRecords(database, made);
    const other = makeRecords({
      ...{ ...small, slots: 3, market: 'simulated', after: { seq: 48, hash: made.hashes.at(-1) ?? '' } },
      firstSlotS: START_S + 12 * 300,
    });
    await insertRecords(database, other);
    nowMs = (START_S + 20 * 300) * 1000 - 1;
    await asOwner(database).query(
      `insert into private.track_misses (market_kind, slot_s, sym, model, role, reason)
       select market, $1::bigint + slot * 300, sym, 'lion', role, reason from (values
         ('live', 12, 'BTCUSDT.P', 'serving', 'candle-late'), ('live', 13, 'BTCUSDT.P', 'serving', 'candle-late'),
         ('live', 13, 'ETHUSDT.P', 'serving', 'forecast-failed'),
         -- Before the first record; never issued; run unseen; written down after all; of another market; not over yet.
         ('live', -1, 'BTCUSDT.P', 'serving', 'clock-behind'), ('live', 13, 'SOLUSDT.P', 'serving', 'clock-behind'),
         ('live', 14, 'BTCUSDT.P', 'shadow', 'clock-behind'), ('live', 3, 'BTCUSDT.P', 'serving', 'clock-behind'),
         ('simulated', 14, 'BTCUSDT.P', 'serving', 'clock-behind'), ('live', 20, 'BTCUSDT.P', 'serving', 'clock-behind')
       ) as m (market, slot, sym, role, reason)`,
      [START_S],
    );

    await round();

    const answer = async (query: string) =>
      trackSummarySchema.parse(await (await get(`/record/summary.json${query}`)).json());
    const { counts, market, period, missReasons } = await answer('');
    expect(missReasons).toEqual({ 'candle-late': 2, 'forecast-failed': 1 });
    expect({ market, period }).toEqual({ market: 'live', period: '7d' });
    expect(counts).toEqual({ expected: 80, issued: 48, known: 0, void: 0, waiting: 48 });
    expect((await answer('?market=simulated')).counts).toMatchObject({ expected: 12, issued: 12 });
    const none = await answer('?market=replayed&period=365d');
    expect(none.counts).toEqual({ expected: 0, issued: 0, known: 0, void: 0, waiting: 0 });
    expect(none.models).toEqual([]);
  });

  test('an answer is made again when it has grown old, the shorter its period the sooner', async () => {
    const made = makeRecords({ ...small, slots: 2 });
    await insertRecords(database, made);
    const computed = async () =>
      Promise.all((['7d', '30d', '365d'] as const).map((period) => stores.summaries.computedMs('live', period)));
    await round();
    const first = nowMs;
    nowMs += 60_000;
    await round();
    expect(await computed()).toEqual([nowMs, first, first]);
    nowMs = first + 5 * 60_000;
    await round();
    expect(await computed()).toEqual([nowMs, nowMs, first]);
    nowMs = first - 86_400_000;
    await round();
    expect(await computed()).toEqual([nowMs, nowMs, nowMs]);
  });

  test('the operator is told what was issued, missed and judged within a day', async () => {
    const made = makeRecords({ ...small, slots: 2 * DAY_SLOTS });
    await insertRecords(database, made);
    await insertScores(database, made, scoresOf(made), (seq) => seq <= 2000);
    await asOwner(database).query(
      `insert into private.track_misses (market_kind, slot_s, sym, model, role, reason)
       select 'live', slot, 'SOLUSDT.P', 'lion', 'serving', 'venue-unavailable'
         from unnest(array[$1::bigint, $1::bigint - 300, $1::bigint - 90000]) slot`,
      [nowMs / 1000 - 600],
    );

    const told = await readRecordFacts(database, nowMs);

    const day = scoresOf(made).slice(DAY_SLOTS * 4, 2000);
    const voided = day.filter((score) => 'void' in score).length;
    expect(told).toEqual({
      ...{ issued: DAY_SLOTS * 4, known: day.length - voided, void: voided, missed: 2 },
      ...{ newestAtMs: made.bodies.at(-1)?.issued, sealedHourS: null, signedDay: null },
    });
  });

  test('cards are paged by number, newest first, of one symbol or model where asked', async () => {
    const made = makeRecords({ ...small, slots: 10 });
    await insertRecords(database, made);
    await insertScores(database, made, scoresOf(made), (seq) => seq <= 20);
    const cards = async (query: string) =>
      z.array(recordCardSchema).parse(await (await get(`/record/records.json${query}`)).json());

    expect((await cards('?limit=3')).map(({ seq }) => seq)).toEqual([40, 39, 38]);
    expect((await cards('?limit=3&before=38')).map(({ seq }) => seq)).toEqual([37, 36, 35]);
    expect(await cards('?before=1')).toEqual([]);
    const one = await cards('?sym=ETHUSDT.P&model=lion&limit=100');
    expect(one.map(({ seq }) => seq)).toEqual([40, 36, 32, 28, 24, 20, 16, 12, 8, 4]);
    expect(one.map(({ state }) => state).slice(0, 6)).toEqual([...Array.from({ length: 5 }, () => 'waiting'), 'known']);
    expect((await cards('?before=5'))[0]).toMatchObject({ seq: 4, state: 'void', voidReason: 'candles-missing' });
  });

  test('a day’s rows hold each record of the day and no other, at each scored bar', async () => {
    const made = makeRecords({ ...small, slots: 3 * DAY_SLOTS, models: ['bobcat'], syms: ['BTCUSDT.P'] });
    await insertRecords(database, made);
    const scores = scoresOf(made);
    await insertScores(database, made, scores, (seq) => seq <= 400);

    const response = await get('/record/days/2025-11-11.csv');
    const text = await response.text();

    expect(response.headers.get('content-type')).toContain('text/csv');
    expect(text.startsWith(CSV_HEAD)).toBe(true);
    const rows = text.trimEnd().split('\r\n').slice(1);
    expect(rows).toHaveLength(DAY_SLOTS * 5);
    const cells = rows.map((row) => row.split(','));
    const width = CSV_HEAD.split(',').length;
    expect(cells.every((row) => row.length === width)).toBe(true);
    expect(new Set(cells.map(([seq]) => seq)).size).toBe(DAY_SLOTS);
    expect([cells[0]?.[0], cells.at(-1)?.[0]]).toEqual([String(DAY_SLOTS + 1), String(2 * DAY_SLOTS)]);
    const at = CSV_HEAD.split(',').indexOf('crps shown [1e-8 ln]');
    const score = scores[DAY_SLOTS];
    if (score === undefined || 'void' in score) throw new Error('the first of the day is known');
    expect(cells.slice(0, 5).map((row) => Number(row[at]))).toEqual(score.crps.shown);
    expect(cells.at(-1)?.[at]).toBe('');
    expect((await get('/record/days/2025-11-13.csv')).status).toBe(404);
    expect((await get('/record/days/2025-11-09.csv')).status).toBe(404);
  });

  test('one address fetches so many whole days a minute, and is told when it may again; others are not held up', async () => {
    const made = makeRecords({ ...small, slots: 3, models: ['bobcat'], syms: ['BTCUSDT.P'] });
    await insertRecords(database, made);
    const routes = app(downloadLimit((c) => c.req.header('x-from') ?? '', { points: 2, perS: 60 }));
    const day = (from: string, path = '2025-11-10.csv') =>
      routes.request(`http://localhost/record/days/${path}`, { headers: { 'x-from': from } });

    for (const path of ['2025-11-10.csv', '2025-11-13.csv', '2025-11-10.csv']) await (await day('a', path)).text();
    const refused = await day('a');

    expect(refused.status).toBe(429);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(refused.headers.get('access-control-allow-origin')).toBe('*');
    expect((await day('b')).status).toBe(200);
  });

  test('questions that cannot be read are refused, and nothing else is looked at', async () => {
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
      expect([path, (await get(`/record/${path}`)).status]).toEqual([path, 400]);
    expect((await app().request('http://localhost/record/summary.json', { method: 'POST' })).status).toBe(405);
    expect((await get('/record/recompute.mjs')).status).toBe(404);
  });
});

function judged(made: MadeRecords, scores: readonly Outcome[]): JudgedRecord[] {
  return made.bodies.map((body, i) => ({ body, score: scores[i] ?? null }));
}

/** In the order that the database gives them. */
function plain(blocks: ReturnType<typeof trackBlocks>) {
  const key = ({ blockS, sym, model }: (typeof blocks)[number]) => `${blockS / BLOCK_S} ${sym} ${model}`;
  return blocks
    .map((block) => ({ ...block, sums: [...block.sums] }))
    .sort((a, b) =>
      key({ ...a, sums: new Float64Array() }).localeCompare(key({ ...b, sums: new Float64Array() }), 'en'),
    );
}
