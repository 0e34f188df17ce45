/** Permissions of several users, read in one statement. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { ReservationKey } from '../../server/forecast/predictions/prediction-store.ts';
import { describeEachDatabase } from '../support/database/each-database.ts';
import { openPredictionWorld, type PredictionWorld } from '../support/worlds/prediction-world.ts';

describeEachDatabase('permissions', (kind) => {
  let world: PredictionWorld;
  beforeAll(async () => {
    world = await openPredictionWorld(kind);
  });
  afterAll(() => world?.close());

  test('equal those of each user alone, in their order', async () => {
    const users = [await world.user('lion'), await world.user('admin'), await world.user('free')];
    const market = { exc: 'BINANCE', sym: 'BTCUSDT.P', timeframe: '1min' } as const;
    const keys: ReservationKey[] = ['kat1', 'kat2_4'].flatMap((model) =>
      users.map(({ id: userId }) => ({ userId, model, ...market })),
    );

    const together = await world.predictions.permissionsOf(keys);

    const alone = await Promise.all(keys.map((key) => world.predictions.permissionOf(key)));
    expect(together).toEqual(alone);
    expect(new Set(together.map(({ kind: permission }) => permission)).size).toBe(3);
    expect(await world.predictions.permissionsOf([])).toEqual([]);
  });
});
