/** How bands learn from real records: in the chain's order, once each, by version, in whichever process. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Timeframe } from '#domain/market/timeframes.ts';
import { correctionFrom, gainsOf, learn, UNLEARNT } from '#domain/record/bands/adaptive-bands.ts';
import { NO_CORRECTION } from '#domain/record/bands/band-correction.ts';
import { NO_HASH } from '#domain/record/ledger/ledger.ts';
import { SCORED_BARS } from '#domain/record/scoring/scoring.ts';
import { asOwner, type Database } from '../../server/platform/database/database.ts';
import { type BandKey, bandCorrectionStore } from '../../server/record/bands/band-correction-store.ts';
import { learnBands, openBandCorrections } from '../../server/record/bands/band-corrections.ts';
import { type GeneratedRecords, insertRecords, makeRecords } from '../../server/record/testing/record-fixtures.ts';
import { openTestDatabase, testLog } from '../support/database/database.ts';
import { describeEachDatabase } from '../support/database/each-database.ts';

const never = new AbortController().signal;
const perBar = <T>(value: T): T[] => SCORED_BARS.map(() => value);

// Runs on both kinds, because processes that learn at the same moment race for locks.
describeEachDatabase('band corrections', (kind) => {
  let database: Database;
  let last: { seq: number; hash: string } = { seq: 0, hash: NO_HASH };
  let slotS = Date.parse('2026-03-01T00:00:00Z') / 1000;

  beforeAll(async () => {
    database = await openTestDatabase(kind);
  });
  afterAll(() => database?.close());

  /** Each test has its own version, and so its own learner. */
  const keyOf = (version: string, timeframe: Timeframe = '1min'): BandKey => ({
    marketKind: 'live',
    model: 'bobcat',
    sym: 'BTCUSDT.P',
    version,
    timeframe,
  });

  async function issue(slots: number, version: string, rest: object = {}): Promise<GeneratedRecords> {
    const plan = { slots, syms: ['BTCUSDT.P'], models: ['bobcat'] as const, version, after: last, firstSlotS: slotS };
    const records = makeRecords({ ...plan, ...rest });
    await insertRecords(database, records);
    last = { seq: records.bodies.at(-1)?.seq ?? 0, hash: records.hashes.at(-1) ?? '' };
    slotS = (records.bodies.at(-1)?.slot ?? slotS) + 3600;
    return records;
  }

  /** @param isInside whether both bands hold at every bar; null for a void record */
  async function score(seqs: readonly number[], isInside: boolean | null): Promise<void> {
    const flags = perBar(isInside ?? false);
    const inside = { shown80: flags, shown95: flags, model80: flags, model95: flags };
    const numbers = perBar(0);
    const whole = {
      actual: numbers,
      crps: { shown: numbers, model: numbers, ewma: numbers, har: numbers },
      inside,
      pit: numbers,
      isCopy: perBar(false),
      rv: 0,
      range: 0,
    };
    const rows = seqs.map((seq) =>
      isInside === null
        ? { seq, state: 'void', void_reason: 'candles-missing', score: null }
        : { seq, state: 'known', void_reason: null, score: whole },
    );
    await asOwner(database).query(
      `insert into private.track_scores (seq, state, void_reason, score)
       select seq, state, void_reason, score from jsonb_to_recordset($1::text::jsonb) as r (
         seq bigint, state text, void_reason text, score jsonb)`,
      [JSON.stringify(rows)],
    );
  }

  const stateOf = async (version: string) =>
    (await bandCorrectionStore(database).states([version])).find(({ key }) => key.version === version)?.state;
  const learnAll = (version: string) => learnBands(bandCorrectionStore(database), [keyOf(version)], never);
  const seqsOf = (records: GeneratedRecords): number[] => records.bodies.map(({ seq }) => seq);

  test("learn each scored record once in the chain's order, and nothing from void ones", async () => {
    const seqs = seqsOf(await issue(4, 'bobcat-1000000001'));
    await score(seqs.slice(2), true);
    expect(await learnAll('bobcat-1000000001')).toBe(0);

    await score(seqs.slice(0, 1), false);
    await score(seqs.slice(1, 2), null);
    expect(await learnAll('bobcat-1000000001')).toBe(4);
    expect(await learnAll('bobcat-1000000001')).toBe(0);

    const inside = (flag: boolean) => ({ shown80: perBar(flag), shown95: perBar(flag) });
    const wanted = [false, null, true, true].reduce(
      (state, flag, i) =>
        learn(state, { seq: seqs[i] ?? 0, inside: flag === null ? null : inside(flag) }, gainsOf('1min')),
      UNLEARNT,
    );
    expect(await stateOf('bobcat-1000000001')).toEqual(wanted);
  });

  test('wait two hours of market time for an unscored record, then skip it for good', async () => {
    const seqs = seqsOf(await issue(30, 'bobcat-1000000002'));
    await score(seqs.slice(1, 24), false);
    await learnAll('bobcat-1000000002');
    expect(await stateOf('bobcat-1000000002')).toBeUndefined();

    await score(seqs.slice(24, 25), false);
    await learnAll('bobcat-1000000002');
    expect(await stateOf('bobcat-1000000002')).toMatchObject({ learnt: 24, lastSeq: seqs[24] });

    await score(seqs.slice(0, 1), true);
    await learnAll('bobcat-1000000002');
    expect(await stateOf('bobcat-1000000002')).toMatchObject({ learnt: 24 });
  });

  test('learn separately by version and market kind, and never from a shadow', async () => {
    const seqs = [
      ...seqsOf(await issue(2, 'bobcat-1000000003', { role: 'shadow' })),
      ...seqsOf(await issue(2, 'bobcat-1000000003', { market: 'simulated' })),
      ...seqsOf(await issue(2, 'bobcat-1000000004')),
    ];
    await score(seqs, false);

    expect(await learnAll('bobcat-1000000003')).toBe(0);
    const simulated: BandKey = { ...keyOf('bobcat-1000000003'), marketKind: 'simulated' };
    expect(await learnBands(bandCorrectionStore(database), [simulated], never)).toBe(2);
    expect(await learnAll('bobcat-1000000004')).toBe(2);
  });

  test('learn each record once in simultaneous processes', async () => {
    const seqs = seqsOf(await issue(40, 'bobcat-1000000005'));
    await score(seqs, false);
    const processes = [1, 2, 3].map(() =>
      learnBands(bandCorrectionStore(database), [keyOf('bobcat-1000000005')], never),
    );
    const passed = await Promise.all(processes);

    expect(passed.reduce((sum, count) => sum + count, 0)).toBe(40);
    expect(await stateOf('bobcat-1000000005')).toMatchObject({ learnt: 40, lastSeq: seqs.at(-1) });
  });

  test('do not overwrite a newer state of another process', async () => {
    const [first = 0, second = 0] = seqsOf(await issue(2, 'bobcat-1000000006'));
    const store = bandCorrectionStore(database);
    const key = keyOf('bobcat-1000000006');
    const ahead = { ...UNLEARNT, learnt: 2, lastSeq: second };
    expect(await store.save([{ key, from: 0, state: ahead }])).toBe(1);

    expect(await store.save([{ key, from: 0, state: { ...UNLEARNT, learnt: 1, lastSeq: first } }])).toBe(0);
    expect(await store.save([{ key, from: first, state: { ...UNLEARNT, learnt: 1, lastSeq: first } }])).toBe(0);
    expect(await stateOf('bobcat-1000000006')).toEqual(ahead);
  });

  test.each(['5min', '15min'] as const)(
    'learn from records of %s apart from those of one minute',
    async (timeframe) => {
      const version = `bobcat-10000000${timeframe === '5min' ? '11' : '12'}`;
      // No two models share a version, but nothing may depend on that.
      const minutes = seqsOf(await issue(3, version));
      const longer = seqsOf(await issue(4, version, { timeframe }));
      await score([...minutes, ...longer], false);

      const learners = [keyOf(version), keyOf(version, timeframe)];
      expect(await learnBands(bandCorrectionStore(database), learners, never)).toBe(7);
      const states = await bandCorrectionStore(database).states([version]);
      const learntOf = (of: Timeframe) =>
        states.find(({ key }) => key.version === version && key.timeframe === of)?.state.learnt;
      expect([learntOf('1min'), learntOf(timeframe)]).toEqual([3, 4]);
      // A model of longer candles is not open before its first forecast.
      const bands = await openBandCorrections({ database, log: testLog, versionOf: () => null });
      try {
        expect(bands.of('live', 'bobcat', 'BTCUSDT.P', version)).toBe(NO_CORRECTION);
        expect(bands.of('live', 'bobcat', 'BTCUSDT.P', version, timeframe).p80[4]).toBeGreaterThan(1.02);
      } finally {
        await bands.close();
      }
    },
  );

  test('reach every process once any of them has learnt', async () => {
    const version = 'bobcat-1000000007';
    const versionOf = (model: string, timeframe: Timeframe) =>
      model === 'bobcat' && timeframe === '1min' ? version : null;
    const deps = { database, log: testLog, versionOf };
    const [one, other] = await Promise.all([openBandCorrections(deps), openBandCorrections(deps)]);
    try {
      expect(one.of('live', 'bobcat', 'BTCUSDT.P', version)).toBe(NO_CORRECTION);
      await score(seqsOf(await issue(30, version)), false);
      await learnAll(version);
      await Promise.all([one.refresh(), other.refresh()]);

      const shown = one.of('live', 'bobcat', 'BTCUSDT.P', version);
      expect(shown).toEqual(correctionFrom((await stateOf(version)) ?? UNLEARNT));
      expect(shown.p80[4]).toBeCloseTo(Math.exp(30 * 0.8 * 0.0033), 3);
      expect(other.of('live', 'bobcat', 'BTCUSDT.P', version)).toEqual(shown);
      expect(one.of('simulated', 'bobcat', 'BTCUSDT.P', version)).toBe(NO_CORRECTION);
    } finally {
      await Promise.all([one.close(), other.close()]);
    }
  });
});
