/** The figures of the page and of the operator, computed from the record as it grows. */
import { beforeEach, expect, test } from 'vitest';
import type * as z from 'zod/mini';
import { EXTREMES } from '#domain/record/figures/record-card.ts';
import { trackBlocks } from '#domain/record/figures/track-blocks.ts';
import { trackParts } from '#domain/record/figures/track-figures.ts';
import { type recordCardSchema, trackSummarySchema } from '#domain/record/figures/track-summary.ts';
import { revealTimeS } from '#domain/record/ledger/reveal.ts';
import { SCORED_BARS } from '#domain/record/scoring/scoring.ts';
import { releaseStore } from '../../server/market/calendar/release-store.ts';
import { readRecordFacts } from '../../server/operations/snapshot.ts';
import { asOwner } from '../../server/platform/database/database.ts';
import { insertRecords, makeRecords } from '../../server/record/testing/record-fixtures.ts';
import { openTestDatabase } from '../support/database/database.ts';
import { describeOneDatabase } from '../support/database/each-database.ts';
import { emptyRecord } from '../support/database/empty-record.ts';
import { openedForTests } from '../support/run/opened-for-tests.ts';
import {
  DAY_SLOTS,
  type FigureWorld,
  insertScores,
  judged,
  openFigures,
  SMALL,
  SMALL_A_SLOT,
  START_S,
  scoresOf,
} from './support/data/record-figures.ts';

describeOneDatabase('figures of the record', (kind) => {
  const database = openedForTests(() => openTestDatabase(kind));
  let world: FigureWorld;
  beforeEach(async () => {
    await emptyRecord(database());
    world = openFigures(database());
  });

  test("returns a period's figures and counts, with as many worst as best forecasts", async () => {
    const records = makeRecords({ ...SMALL, slots: 4 * DAY_SLOTS });
    const scores = scoresOf(records);
    await insertRecords(world.database, records);
    await insertScores(world.database, records, scores, (seq) => seq <= records.bodies.length - 40);
    world.nowMs = (START_S + 4 * 86_400) * 1000;

    await world.round();

    const response = await world.get('/record/summary.json?period=30d');
    expect(response.headers.get('access-control-allow-origin')).toBe('*');
    expect(response.headers.get('cache-control')).toBe('public, max-age=30');
    const summary = trackSummarySchema.parse(await response.json());
    const issued = 4 * DAY_SLOTS * SMALL_A_SLOT;
    const voided = scores.slice(0, -40).filter((score) => 'void' in score).length;
    expect(summary.counts).toEqual({
      expected: issued,
      issued,
      known: issued - 40 - voided,
      void: voided,
      waiting: 40,
    });
    expect(summary.voidReasons).toEqual({ 'candles-missing': voided });
    const own = judged(records, scores).map((one, i) =>
      i < records.bodies.length - 40 ? one : { ...one, score: null },
    );
    const parts = await trackParts(trackBlocks(own));
    expect(summary).toMatchObject(JSON.parse(JSON.stringify(parts)));
    expect(summary.models[0]?.all.cover80?.interval).not.toBeNull();
    const sealed = records.bodies.filter((body) => revealTimeS(body) * 1000 > world.nowMs).length;
    expect(summary.sealed).toBe(sealed);
    expect(summary.latest.map(({ seq }) => seq)).toEqual(Array.from({ length: 12 }, (_, i) => issued - sealed - i));
    expect(summary.best).toHaveLength(EXTREMES);
    expect(summary.worst).toHaveLength(EXTREMES);
    const loss = ({ pathBp, actualBp }: z.infer<typeof recordCardSchema>) =>
      Math.abs((actualBp?.at(-1) ?? 0) - (pathBp.at(-1) ?? 0)) - Math.abs(actualBp?.at(-1) ?? 0);
    expect(Math.max(...summary.best.map(loss))).toBeLessThan(0);
    expect(Math.min(...summary.worst.map(loss))).toBeGreaterThan(0);
    expect(summary.worst.map(loss)).toEqual(summary.worst.map(loss).toSorted((a, b) => b - a));

    const etag = response.headers.get('etag') ?? '';
    expect((await world.get('/record/summary.json?period=30d', { 'if-none-match': etag })).status).toBe(304);
  });

  test('counts what bands held when something was released between a forecast and its bar', async () => {
    const records = makeRecords({ ...SMALL, slots: DAY_SLOTS });
    const scores = scoresOf(records);
    await insertRecords(world.database, records);
    await insertScores(world.database, records, scores, () => true);
    // 8:30 in New York, on a Monday.
    const cpiS = START_S + 13.5 * 3600;
    const learn = (title: string, timeS: number, learntS: number) =>
      releaseStore(world.database, 'live').learnAll(
        { live: [{ timeS, currency: 'USD', title }], covered: { fromS: timeS, toS: timeS + 1 }, planned: [] },
        learntS * 1000,
      );
    // From here on: earlier forecasts did not know it.
    const knownS = cpiS - 40 * 60;
    await learn('CPI m/m', cpiS, knownS);
    // Learnt when it was past, so that no forecast knew it.
    await learn('ISM Services PMI', START_S + 15 * 3600, START_S + 16 * 3600);
    world.nowMs = (START_S + 86_400) * 1000;

    await world.round();

    const summary = trackSummarySchema.parse(await (await world.get('/record/summary.json?period=30d')).json());
    const expected = SCORED_BARS.map((bar, at) => {
      const inside = records.bodies.flatMap(({ slot, issued }, i) => {
        const score = scores[i];
        const isBefore = slot <= cpiS && cpiS < slot + bar * 60 && issued >= knownS * 1000;
        return !isBefore || score === undefined || 'void' in score ? [] : [score.inside];
      });
      const share = (key: 'shown80' | 'shown95') => inside.filter((flags) => flags[key][at]).length / inside.length;
      return { bar, n: inside.length, cover80: share('shown80'), cover95: share('shown95') };
    });
    expect(summary.byRelease).toEqual([{ kind: 'inflation', releases: 1, bars: expected }]);
    expect(expected.map(({ n }) => n)[4]).toBeGreaterThan(20);
  });

  test('counts empty slots as missed, separates kinds of market, and answers for an empty record', async () => {
    const records = makeRecords({ ...SMALL, slots: 12 });
    await insertRecords(world.database, records);
    const other = makeRecords({
      ...SMALL,
      slots: 3,
      market: 'simulated',
      after: { seq: records.bodies.length, hash: records.hashes.at(-1) ?? '' },
      firstSlotS: START_S + 12 * 300,
    });
    await insertRecords(world.database, other);
    world.nowMs = (START_S + 20 * 300) * 1000 - 1;
    await asOwner(world.database).query(
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

    await world.round();

    const answer = async (query: string) =>
      trackSummarySchema.parse(await (await world.get(`/record/summary.json${query}`)).json());
    const { counts, market, period, missReasons } = await answer('');
    expect(missReasons).toEqual({ 'candle-late': 2, 'forecast-failed': 1 });
    expect({ market, period }).toEqual({ market: 'live', period: '7d' });
    expect(counts).toEqual({
      expected: 20 * SMALL_A_SLOT,
      issued: 12 * SMALL_A_SLOT,
      known: 0,
      void: 0,
      waiting: 12 * SMALL_A_SLOT,
    });
    expect((await answer('?market=simulated')).counts).toMatchObject({
      expected: 3 * SMALL_A_SLOT,
      issued: 3 * SMALL_A_SLOT,
    });
    const none = await answer('?market=replayed&period=365d');
    expect(none.counts).toEqual({ expected: 0, issued: 0, known: 0, void: 0, waiting: 0 });
    expect(none.models).toEqual([]);
  });

  test('recomputes an old answer, more often for a shorter period', async () => {
    const records = makeRecords({ ...SMALL, slots: 2 });
    await insertRecords(world.database, records);
    const computed = async () =>
      Promise.all((['7d', '30d', '365d'] as const).map((period) => world.summaries.computedMs('live', '1min', period)));
    await world.round();
    const first = world.nowMs;
    world.nowMs += 60_000;
    await world.round();
    expect(await computed()).toEqual([world.nowMs, first, first]);
    world.nowMs = first + 5 * 60_000;
    await world.round();
    expect(await computed()).toEqual([world.nowMs, world.nowMs, first]);
    world.nowMs = first - 86_400_000;
    await world.round();
    expect(await computed()).toEqual([world.nowMs, world.nowMs, world.nowMs]);
  });

  test('reports to the operator what was issued, missed and scored within a day', async () => {
    const records = makeRecords({ ...SMALL, slots: 2 * DAY_SLOTS });
    await insertRecords(world.database, records);
    await insertScores(world.database, records, scoresOf(records), (seq) => seq <= 2000);
    await asOwner(world.database).query(
      `insert into private.track_misses (market_kind, slot_s, sym, model, role, reason)
       select 'live', slot, 'SOLUSDT.P', 'lion', 'serving', 'venue-unavailable'
         from unnest(array[$1::bigint, $1::bigint - 300, $1::bigint - 90000]) slot`,
      [world.nowMs / 1000 - 600],
    );

    const facts = await readRecordFacts(world.database, world.nowMs);

    const day = scoresOf(records).slice(DAY_SLOTS * SMALL_A_SLOT, 2000);
    const voided = day.filter((score) => 'void' in score).length;
    expect(facts).toEqual({
      issued: DAY_SLOTS * SMALL_A_SLOT,
      known: day.length - voided,
      void: voided,
      missed: 2,
      newestAtMs: records.bodies.at(-1)?.issued,
      sealedHourS: null,
      signedDay: null,
    });
  });
});
