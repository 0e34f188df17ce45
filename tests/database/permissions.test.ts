/** Permissions of several users, read in one statement. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { NewReservation, ReservationKey } from '../../server/forecast/predictions/prediction-store.ts';
import { describeEachDatabase } from '../support/database/each-database.ts';
import { openPredictionWorld, type PredictionWorld } from '../support/worlds/prediction-world.ts';
import { aReservation, reserveAsUser } from '../support/worlds/reservations.ts';

async function received(world: PredictionWorld, wanted: NewReservation): Promise<NewReservation> {
  const { reservation } = await reserveAsUser(world.predictions, wanted);
  await world.predictions.markCandlesSent(reservation.id, 1);
  return wanted;
}

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

    const together = await world.predictions.questionPermissions(keys);

    const alone = await Promise.all(keys.map((key) => world.predictions.permissionOf(key)));
    expect(together).toMatchObject(alone);
    expect(new Set(together.map(({ kind: permission }) => permission)).size).toBe(3);
    expect(await world.predictions.questionPermissions([])).toEqual([]);
  });

  test('name the newest forecast that was received, once no prediction is left', async () => {
    const user = await world.user('bobcat');
    const [{ exc, sym, timeframe, model }] = [aReservation(user.id, 0)];
    const key = { userId: user.id, exc, sym, timeframe, model };
    const permission = async () => (await world.predictions.questionPermissions([key]))[0];
    for (let minute = 0; minute < 9; minute += 1) await received(world, aReservation(user.id, minute));
    expect(await permission()).toEqual({ kind: 'allowed' });

    const last = await received(world, aReservation(user.id, 9));
    expect(await permission()).toEqual({ kind: 'refused', code: 'quota/daily-spent', heldT0: last.t0 });
    const other = { ...key, sym: 'ETHUSDT.P' };
    expect(await world.predictions.questionPermissions([other])).toMatchObject([{ heldT0: null }]);
  });
});
