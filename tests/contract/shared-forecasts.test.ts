/** A forecast is stored once, however many users reserve it, and each of them gets it whole. */
import { expect, test } from 'vitest';
import { MODELS } from '#domain/forecast/models.ts';
import { openPredictionStore } from '../../server/forecast/predictions/prediction-store.ts';
import { OWNER } from '../../server/platform/database/database.ts';
import { describeBothAtNight } from '../support/database/day-database.ts';
import { openedForTests } from '../support/run/opened-for-tests.ts';
import { aUser } from '../support/worlds/prediction-world.ts';
import { openQuotaBooks } from '../support/worlds/quota-books.ts';
import { aReservation, candlesToSave, reserveAsUser } from '../support/worlds/reservations.ts';

// On PostgreSQL by day, since PGlite never has several processes. quota-races.test.ts runs on both.
describeBothAtNight('stored forecasts', (kind) => {
  const books = openedForTests(() => openQuotaBooks(kind));
  const sql = (text: string) => books().database.query<{ count: string }>(OWNER, text);
  const count = async () => Number((await sql('select count(*) as count from private.kept_forecasts'))[0]?.count);

  /** Reserved by two processes in turn; the second computed the same forecast itself. */
  async function reserved(minute: number, viewers: number) {
    const stores = [books().store, openPredictionStore({ database: books().database })];
    return Promise.all(
      Array.from({ length: viewers }, async (_, i) => {
        const { id: userId } = await aUser(books().database, 'lion');
        const wanted = aReservation(userId, minute);
        const store = stores[i % 2] ?? books().store;
        const { reservation } = await reserveAsUser(store, wanted);
        return { userId, store, wanted, reservation };
      }),
    );
  }

  test('stores one row for all viewers of a minute across processes, and each saves it whole', async () => {
    const before = await count();

    const viewers = await reserved(1, 6);

    expect((await count()) - before).toBe(1);
    for (const { userId, store, wanted, reservation } of viewers) {
      expect(await store.find(userId, reservation.id)).toEqual(reservation);
      const read = await store.read(userId, reservation.id, 50);
      expect(read?.start).toEqual({ ...wanted.shared.start, reservationId: reservation.id });
      expect(read?.forecast).toEqual(wanted.shared.forecast);
      const row = await store.record(userId, candlesToSave(wanted));
      expect(row.data).toEqual([...wanted.shared.history, ...wanted.shared.forecast]);
    }
    expect(new Set(viewers.map(({ reservation }) => reservation.id)).size).toBe(6);
  });

  test('stores a forecast again when the restored database no longer has it', async () => {
    const [first] = await reserved(2, 1);
    await sql('delete from private.prediction_reservations');
    await sql('delete from private.kept_forecasts');
    const { id: userId } = await aUser(books().database, 'lion');
    const wanted = { ...aReservation(userId, 2), shared: first?.wanted.shared ?? aReservation(userId, 2).shared };

    const { reservation, created } = await reserveAsUser(first?.store ?? books().store, wanted);

    expect([created?.forecast, await count()]).toEqual([wanted.shared.forecast, 1]);
    expect((await books().store.read(userId, reservation.id, 1))?.forecast).toEqual(wanted.shared.forecast);
  });

  test('refuses a reservation without a forecast or with an unknown one', async () => {
    const { id: userId } = await aUser(books().database, 'lion');
    for (const forecastId of ['null', 'gen_random_uuid()']) {
      const call = `select * from private.reserve_prediction(gen_random_uuid(), '${userId}', '${MODELS.bobcat.backendName}',
        '1', 'BINANCE', 'BTCUSDT.P', 'BTC', 60, ${forecastId})`;
      await expect(sql(call)).rejects.toThrow(/violates (check|foreign key) constraint/);
    }
    expect(await books().store.quotaOf(userId)).toMatchObject({ remainingDaily: 15 });
  });
});
