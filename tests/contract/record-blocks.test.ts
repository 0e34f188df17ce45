/** The sums behind the figures: the same however often and from wherever they are computed. */
import { beforeEach, expect, test } from 'vitest';
import { BLOCK_S } from '#domain/record/figures/bootstrap.ts';
import { trackBlocks } from '#domain/record/figures/track-blocks.ts';
import { SLOT_S } from '#domain/record/ledger/ledger.ts';
import { asOwner } from '../../server/platform/database/database.ts';
import { type BlockStore, blockStore } from '../../server/record/figures/block-store.ts';
import { rollUp } from '../../server/record/figures/record-figures.ts';
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
  plain,
  SMALL,
  SMALL_A_SLOT,
  START_S,
  scoresOf,
} from './support/data/record-figures.ts';

const BLOCK_SLOTS = BLOCK_S / SLOT_S;
const never = new AbortController().signal;

describeOneDatabase('sums of the record', (kind) => {
  const database = openedForTests(() => openTestDatabase(kind));
  let world: FigureWorld;
  beforeEach(async () => {
    await emptyRecord(database());
    world = openFigures(database());
  });

  test('computes the same blocks step by step, in one go, and again from nothing', async () => {
    const records = makeRecords({ ...SMALL, slots: DAY_SLOTS });
    const scores = scoresOf(records);
    const whole = plain(trackBlocks(judged(records, scores)));
    await insertRecords(world.database, records);

    expect((await rollUp(world.blocks, never, 100)).blocks).toBeGreaterThan(4);
    expect((await world.stored()).map(({ sums }) => sums[0])).toEqual(
      Array.from({ length: (DAY_SLOTS / BLOCK_SLOTS) * SMALL_A_SLOT }, () => BLOCK_SLOTS),
    );
    for (const part of [0, 1, 2]) {
      await insertScores(world.database, records, scores, (seq) => seq % 3 === part);
      await rollUp(world.blocks, never, 300);
    }
    expect(await world.stored()).toEqual(whole);

    expect(await rollUp(world.blocks, never)).toEqual({ blocks: 0, kinds: new Set() });
    await asOwner(world.database).query('delete from private.track_blocks');
    await rollUp(world.blocks, never, 500);
    expect(await world.stored()).toEqual(whole);
  });

  test('computes the same blocks after a failed round and with two simultaneous ones', async () => {
    const records = makeRecords({ ...SMALL, slots: DAY_SLOTS });
    const scores = scoresOf(records);
    await insertRecords(world.database, records);
    await insertScores(world.database, records, scores, () => true);
    const failing: BlockStore = {
      ...world.blocks,
      write: async (rows) => {
        if ((await world.stored()).length > 0) throw new Error('killed');
        await world.blocks.write(rows);
      },
    };

    await expect(rollUp(failing, never, 200)).rejects.toThrow('killed');
    await Promise.all([rollUp(world.blocks, never, 150), rollUp(blockStore(world.database), never, 400)]);

    expect(await world.stored()).toEqual(plain(trackBlocks(judged(records, scores))));
  });

  test("deletes sums in another release's format and computes them again", async () => {
    const records = makeRecords({ ...SMALL, slots: 100 });
    await insertRecords(world.database, records);
    await rollUp(world.blocks, never);
    const before = await world.stored();
    await world.blocks.forgetOthers();
    expect(await world.stored()).toEqual(before);

    await asOwner(world.database).query(
      `update private.track_blocks set sums = '[1, 2]' where block_s = $1::bigint and sym = 'BTCUSDT.P'`,
      [START_S],
    );
    await world.blocks.forgetOthers();

    expect(await world.stored()).toEqual([]);
    await rollUp(world.blocks, never);
    expect(await world.stored()).toEqual(before);
  });

  test('does not overwrite newer sums with older ones', async () => {
    const records = makeRecords({ ...SMALL, slots: 10 });
    const scores = scoresOf(records);
    await insertRecords(world.database, records);
    await rollUp(world.blocks, never);
    const before = await world.blocks.blocks('live', '1min', 0);
    await insertScores(world.database, records, scores, () => true);
    await rollUp(world.blocks, never);
    const after = await world.stored();

    await world.blocks.write(before);

    expect(await world.stored()).toEqual(after);
  });
});
