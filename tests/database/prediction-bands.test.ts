/** Which bands a saved prediction has: those of its stream, also for predictions saved before bands were. */
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { OWNER } from '../../server/platform/database/database.ts';
import { describeEachDatabase } from '../support/database/each-database.ts';
import { openedForTests } from '../support/run/opened-for-tests.ts';
import { aUser } from '../support/worlds/prediction-world.ts';
import { openQuotaBooks } from '../support/worlds/quota-books.ts';
import { aReservation, candlesToSave } from '../support/worlds/reservations.ts';

const MIGRATION = new URL('../../supabase/migrations/20261201050000_prediction_bands.sql', import.meta.url);
/** The statement that gives bands to rows that the migration finds. */
const BACKFILL = /^update public\.user_predictions[\s\S]*/m.exec(readFileSync(MIGRATION, 'utf8'))?.[0] ?? '';

// Runs on both kinds, because the bands are read and checked in SQL.
describeEachDatabase('bands of saved predictions', (kind) => {
  const books = openedForTests(() => openQuotaBooks(kind));

  async function saved(minute: number) {
    const { id: userId } = await aUser(books().database, 'bobcat');
    const wanted = aReservation(userId, minute);
    await books().store.reserve(wanted);
    await books().store.markCandlesSent(wanted.id, 50);
    const row = await books().store.record(userId, candlesToSave(wanted));
    return { row, band: wanted.shared.start.band };
  }
  const bandOf = async (id: string) => {
    const [row] = await books().database.query(OWNER, 'select band from public.user_predictions where id = $1', [id]);
    return row?.band;
  };

  test('are those of the stream', async () => {
    const { row, band } = await saved(1);

    expect(row.band).toEqual(band);
    expect(await bandOf(row.id)).toEqual(band);
  });

  test('stand beside what the stream said of scheduled releases', async () => {
    const { id: userId } = await aUser(books().database, 'bobcat');
    const wanted = aReservation(userId, 5);
    const releases = {
      list: [{ atS: 1_790_000_000, kind: 'inflation', title: 'CPI m/m', name: 'US CPI' }],
      factor: 1.9,
      isComplete: true,
    };
    wanted.shared = { ...wanted.shared, start: { ...wanted.shared.start, releases } };
    await books().store.reserve(wanted);
    await books().store.markCandlesSent(wanted.id, 50);

    expect((await books().store.record(userId, candlesToSave(wanted))).releases).toEqual(releases);
    expect((await saved(6)).row.releases ?? null).toBeNull();
  });

  test('come back for predictions whose streams are still stored, and stay unknown for older ones', async () => {
    const [recent, old] = [await saved(2), await saved(3)];
    const { database } = books();
    await database.query(OWNER, 'update public.user_predictions set band = null');
    await database.query(
      OWNER,
      'update private.prediction_reservations set kept_forecast = null where prediction_id = $1',
      [old.row.id],
    );

    await database.query(OWNER, BACKFILL);

    expect(await bandOf(recent.row.id)).toEqual(recent.band);
    expect(await bandOf(old.row.id)).toBeNull();
  });
});
