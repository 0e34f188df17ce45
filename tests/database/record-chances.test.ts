/** Chances in the ledger: written once, waiting until their windows have closed, scored, summed and counted. */
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type Candle, MINUTE_S } from '#domain/market/candle.ts';
import { windowEndS } from '#domain/record/chances/chance-moments.ts';
import { chanceScoreSchema } from '#domain/record/chances/chance-score.ts';
import { decileOf } from '#domain/record/chances/chance-sums.ts';
import { CHANCE_UNITS } from '#domain/record/ledger/chance-text.ts';
import type { CandlePast } from '../../server/market/candles/past-candles.ts';
import { type Database, OWNER } from '../../server/platform/database/database.ts';
import { chanceBlockStore, scoredChances } from '../../server/record/chances/chance-block-store.ts';
import { rollUpChances } from '../../server/record/chances/chance-figures-job.ts';
import { ledgerStore } from '../../server/record/ledger/ledger-store.ts';
import { openScoring } from '../../server/record/scoring/score-records.ts';
import { scoreStore } from '../../server/record/scoring/score-store.ts';
import {
  CHANCES_START_S,
  type GeneratedChances,
  makeChances,
  scoreOf,
} from '../../server/record/testing/chance-fixtures.ts';
import { insertRecords, makeRecords } from '../../server/record/testing/record-fixtures.ts';
import { openTestDatabase, testLog } from '../support/database/database.ts';
import { describeEachDatabase } from '../support/database/each-database.ts';

const never = new AbortController().signal;
const HOUR_S = 3600;

describeEachDatabase('chances of the public record', (databaseKind) => {
  let database: Database;

  beforeEach(async () => {
    database = await openTestDatabase(databaseKind);
  });
  afterEach(() => database?.close());

  const scores = () =>
    database.query<{ seq: number; state: string; void_reason: string | null; score: unknown }>(
      OWNER,
      'select seq, state, void_reason, score from private.track_scores order by seq',
    );

  /** One round of scoring at `nowS`, with the candles that have closed by then. */
  async function score({ candles }: GeneratedChances, nowS: number, isThere: (candle: Candle) => boolean = () => true) {
    const series = (sym: string) => ({
      marketKind: 'live' as const,
      venueId: 'one',
      candles: (candles.get(sym) ?? []).filter((one) => one.time + MINUTE_S <= nowS && isThere(one)),
    });
    const past: CandlePast = { recent: async ({ sym }) => series(sym), stored: async ({ sym }) => [series(sym)] };
    const clock = { nowMs: () => nowS * 1000 };
    const deps = { past, clock, marketClock: clock, log: testLog, kindOf: () => 'live' as const, tableOf: () => null };
    return await openScoring(scoreStore(database), deps).scoreDue(never);
  }

  test('are appended once, and chained with forecasts', async () => {
    const store = ledgerStore(database);
    const records = makeRecords({ syms: ['BTCUSDT.P'], models: ['lion'] });
    await insertRecords(database, records);
    const { chances } = makeChances();

    expect(await store.appendChances(chances)).toMatchObject({ skipped: 0 });
    expect(await store.appendChances(chances)).toEqual({ appended: [], skipped: chances.length });

    expect(chances).toHaveLength(9);
    expect(
      await database.query(
        OWNER,
        'select count(*)::int as count, count(distinct window_min)::int as kinds from private.track_records',
      ),
    ).toEqual([{ count: 10, kinds: 3 }]);
    expect(await database.query(OWNER, 'select count(*)::int as count from private.track_documents')).toEqual([
      { count: 0 },
    ]);
  });

  test('are scored when their window has closed, and not before', async () => {
    const generated = makeChances();
    await ledgerStore(database).appendChances(generated.chances);

    expect(await score(generated, CHANCES_START_S + 299)).toMatchObject({ known: 0 });
    expect(await score(generated, CHANCES_START_S + 300)).toMatchObject({ known: 2 });
    expect(await score(generated, CHANCES_START_S + 900)).toMatchObject({ known: 7 });
    expect(await score(generated, CHANCES_START_S + HOUR_S)).toMatchObject({ known: 0, void: 0, later: 0 });

    const written = await scores();
    for (const { seq, state, score: stored } of written) {
      const chance = generated.chances[seq - 1];
      if (chance === undefined) throw new Error('no such chance');
      expect([state, chanceScoreSchema.parse(stored)]).toEqual(['known', scoreOf(generated.candles, chance)]);
    }
    expect(written).toHaveLength(9);
  });

  test('are void when a minute of their window has no candle, and only those', async () => {
    const generated = makeChances();
    await ledgerStore(database).appendChances(generated.chances);
    // The second minute of the second window of five.
    const gapS = CHANCES_START_S + 6 * MINUTE_S;

    await score(generated, CHANCES_START_S + 900, ({ time }) => time !== gapS);
    await score(generated, CHANCES_START_S + 900 + 2 * HOUR_S, ({ time }) => time !== gapS);

    const isHit = ({ slot, window }: GeneratedChances['chances'][number]) =>
      slot - (slot % (window * 60)) <= gapS && windowEndS(slot, window) > gapS;
    expect((await scores()).map(({ void_reason }) => void_reason)).toEqual(
      generated.chances.map((chance) => (isHit(chance) ? 'candles-missing' : null)),
    );
  });

  test('are void when no one traded after the moment: the market was halted', async () => {
    const generated = makeChances();
    const halted = new Map(
      [...generated.candles].map(([sym, all]) => [
        sym,
        all.map((one) => ({
          ...one,
          volume: one.time >= CHANCES_START_S + 180 && one.time < CHANCES_START_S + 300 ? 0 : 1,
        })),
      ]),
    );
    await ledgerStore(database).appendChances(generated.chances);
    await score({ ...generated, candles: halted }, CHANCES_START_S + 900);

    const reasons = (await scores()).map(({ void_reason }) => void_reason);
    expect(reasons.map((reason, i) => [generated.chances[i]?.slot, generated.chances[i]?.window, reason])).toEqual(
      generated.chances.map(({ slot, window }) => [
        slot,
        window,
        slot === CHANCES_START_S + 180 && window === 5 ? 'market-closed' : null,
      ]),
    );
  });

  test('are summed step by step as in one go, and counted by decile once scored', async () => {
    const generated = makeChances({ quarters: 8, syms: ['BTCUSDT.P', 'ETHUSDT.P'] });
    const { appendChances } = ledgerStore(database);
    const blocks = chanceBlockStore(database);
    const plain = async () =>
      (await Promise.all(([5, 15] as const).map((window) => blocks.blocks('live', window, 0)))).flat();
    const half = generated.chances.length / 2;

    await appendChances(generated.chances.slice(0, half));
    await rollUpChances(blocks, never, 7);
    expect(await scoredChances(database, 'live', 0)).toMatchObject(Array(50).fill({ count: 0 }));
    await score(generated, CHANCES_START_S + HOUR_S);
    await appendChances(generated.chances.slice(half));
    await rollUpChances(blocks, never, 7);
    await score(generated, CHANCES_START_S + 3 * HOUR_S);
    await rollUpChances(blocks, never, 7);
    const stepwise = await plain();
    await database.query(OWNER, 'delete from private.track_chance_blocks');
    await rollUpChances(blocks, never);

    expect(await plain()).toEqual(stepwise);
    const counted = await scoredChances(database, 'live', 0);
    for (const { window, minute, decile, count, happened } of counted) {
      const own = generated.chances.filter(
        (one) =>
          one.window === window &&
          (one.slot % (window * 60)) / 60 === minute &&
          decileOf(one.chance / CHANCE_UNITS) === decile,
      );
      expect([count, happened]).toEqual([
        own.length,
        own.filter((one) => scoreOf(generated.candles, one).isAbove).length,
      ]);
    }
    expect(counted.reduce((sum, { count }) => sum + count, 0)).toBe(generated.chances.length);
    expect(await scoredChances(database, 'simulated', 0)).toEqual([]);
  });
});
