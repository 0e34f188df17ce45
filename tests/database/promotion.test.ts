/** Which records decide a promotion: both models' on the same slot, symbol and kind of market, and no others. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { RecordBody } from '#domain/record/ledger/ledger.ts';
import { SCORED_BARS } from '#domain/record/scoring/scoring.ts';
import { pairedScores } from '../../scripts/promotion/paired-scores.ts';
import { asOwner, type Database } from '../../server/platform/database/database.ts';
import {
  FIRST_SLOT_S,
  insertRecords,
  makeRecords,
  type RecordPlan,
} from '../../server/record/testing/record-fixtures.ts';
import { openTestDatabase } from '../support/database/database.ts';
import { describeBothAtNight } from '../support/database/day-database.ts';

const SHADOW = 'bobcat-2000000002';
const SERVING = 'bobcat-2000000001';
const PAIRING = {
  model: 'bobcat',
  marketKind: 'live',
  shadowVersion: SHADOW,
  servingVersion: SERVING,
  fromS: 0,
} as const;
const perBar = <T>(value: T): T[] => SCORED_BARS.map(() => value);

describeBothAtNight('pairs of records', (kind) => {
  let database: Database;
  let after: NonNullable<RecordPlan['after']> | null = null;

  beforeAll(async () => {
    database = await openTestDatabase(kind);
    const bodies = [
      ...(await issue({ version: SERVING })),
      ...(await issue({ version: SHADOW, role: 'shadow' })),
      // None of these forms a pair: another version, another market, or later than the serving model's last.
      ...(await issue({ version: 'bobcat-2000000003', role: 'shadow' })),
      ...(await issue({ version: SHADOW, role: 'shadow', market: 'simulated' })),
      ...(await issue({ version: SHADOW, role: 'shadow', firstSlotS: FIRST_SLOT_S + 40 * 300 })),
    ];
    await score(bodies);
  });
  afterAll(() => database?.close());

  async function issue(plan: RecordPlan): Promise<RecordBody[]> {
    // All recorded after the last of the slots, because time never goes back in the chain.
    const change = ({ seq }: RecordBody) => ({ issued: (FIRST_SLOT_S + 86_400) * 1000 + seq });
    const records = makeRecords({
      change,
      slots: 20,
      syms: ['BTCUSDT.P', 'ETHUSDT.P'],
      models: ['bobcat'],
      after,
      ...plan,
    });
    await insertRecords(database, { ...records });
    after = { seq: records.bodies.at(-1)?.seq ?? 0, hash: records.hashes.at(-1) ?? '' };
    return records.bodies;
  }

  /** Slots of the first hour are void for the shadow; it scores 90 where the serving model scores 100. */
  async function score(bodies: readonly RecordBody[]): Promise<void> {
    const rows = bodies.map(({ seq, role, slot }) => {
      const isShadow = role === 'shadow';
      if (isShadow && slot < FIRST_SLOT_S + 3600)
        return { seq, state: 'void', void_reason: 'candles-missing', score: null };
      const crps = { shown: perBar(1), model: perBar(isShadow ? 90 : 100), ewma: perBar(1), har: perBar(1) };
      const [shown80, shown95, model80, model95] = [false, false, isShadow, true].map(perBar);
      const inside = { shown80, shown95, model80, model95 };
      return { seq, state: 'known', void_reason: null, score: { crps, inside } };
    });
    await asOwner(database).query(
      `insert into private.track_scores (seq, state, void_reason, score)
       select seq, state, void_reason, score from jsonb_to_recordset($1::text::jsonb) as r (
         seq bigint, state text, void_reason text, score jsonb)`,
      [JSON.stringify(rows)],
    );
  }

  test('sum by block and symbol the slots that both models were scored on', async () => {
    const blocks = await pairedScores(database, PAIRING);

    expect(blocks.map(({ blockS, sym, slots }) => [blockS, sym, slots])).toEqual([
      [FIRST_SLOT_S - 3 * 3600, 'BTCUSDT.P', 8],
      [FIRST_SLOT_S - 3 * 3600, 'ETHUSDT.P', 8],
    ]);
    expect(blocks[0]?.shadow).toEqual({ crps: perBar(720), in80: perBar(8), in95: perBar(8) });
    expect(blocks[0]?.serving).toEqual({ crps: perBar(800), in80: perBar(0), in95: perBar(8) });
  });

  test('exclude slots before the start, and other serving versions', async () => {
    const later = await pairedScores(database, { ...PAIRING, fromS: FIRST_SLOT_S + 3600 + 5 * 300 });
    expect(later.map(({ slots }) => slots)).toEqual([3, 3]);
    expect(await pairedScores(database, { ...PAIRING, servingVersion: 'bobcat-2000000009' })).toEqual([]);
  });
});
