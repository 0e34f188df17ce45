/**
 * Many simultaneous requests for the last unit, the same row or the same expiry: each happens once. Runs on both
 * databases, whose locks differ.
 */
import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { isAppError } from '#domain/errors/app-error.ts';
import { describeEachDatabase } from '../support/database/each-database.ts';
import { openedForTests } from '../support/run/opened-for-tests.ts';
import { aUser } from '../support/worlds/prediction-world.ts';
import { openQuotaBooks } from '../support/worlds/quota-books.ts';
import { aReservation, candlesToSave, reserveAsUser } from '../support/worlds/reservations.ts';

// Runs on both kinds, because simultaneous reservations race for locks.
describeEachDatabase('quota races', (kind) => {
  const books = openedForTests(() => openQuotaBooks(kind));

  const outcomeOf = (userId: string, minute: number): Promise<string> =>
    reserveAsUser(books().store, aReservation(userId, minute)).then(
      ({ created }) => (created ? 'reserved' : 'existing'),
      (error) => (isAppError(error) ? error.code : Promise.reject(error)),
    );

  test("grants the day's last prediction to one of a hundred attempts", async () => {
    const { id } = await aUser(books().database, 'bobcat');
    for (let minute = 0; minute < 9; minute++) await outcomeOf(id, minute);

    const outcomes = await Promise.all(Array.from({ length: 100 }, (_, i) => outcomeOf(id, 100 + i)));

    expect(outcomes.filter((outcome) => outcome === 'reserved')).toHaveLength(1);
    expect(outcomes.filter((outcome) => outcome === 'quota/daily-spent')).toHaveLength(99);
    expect(await books().store.quotaOf(id)).toMatchObject({ remainingDaily: 0, remainingMonthly: 50 });
  });

  test('reserves once for fifty clicks in the same minute, and returns the same forecast to all', async () => {
    const { id } = await aUser(books().database, 'lion');

    const answers = await Promise.all(
      Array.from({ length: 50 }, () => reserveAsUser(books().store, aReservation(id, 7))),
    );

    expect(answers.filter((answer) => answer.created !== null)).toHaveLength(1);
    expect(new Set(answers.map((answer) => answer.reservation.id)).size).toBe(1);
    expect(await books().store.quotaOf(id)).toMatchObject({ remainingDaily: 14 });
  });

  test('makes one row when the same reservation is saved and settled at the same time', async () => {
    const users = await Promise.all(Array.from({ length: 10 }, () => aUser(books().database, 'lion')));
    const wanted = users.map((user) => aReservation(user.id, 3));
    for (const one of wanted) {
      await books().store.reserve(one);
      await books().store.markCandlesSent(one.id, 50);
    }
    books().clock.offsetMs += 11 * 60_000;

    const work = wanted.flatMap((one) => [
      books().store.record(one.userId, candlesToSave(one)),
      books().store.settle(),
      books().store.record(one.userId, candlesToSave(one)),
    ]);
    await Promise.all(work);

    const rows = await books().database.query(
      { role: 'service_role', claims: null },
      'select user_id, count(*)::int as rows from public.user_predictions where user_id = any ($1) group by user_id',
      [users.map((user) => user.id)],
    );
    expect(rows.map((row) => row.rows)).toEqual(Array.from({ length: 10 }, () => 1));
    for (const user of users) expect(await books().store.quotaOf(user.id)).toMatchObject({ remainingDaily: 14 });
  });

  test('grants a released unit once to twenty competing attempts', async () => {
    const { id } = await aUser(books().database, 'bobcat');
    const first = aReservation(id, 0);
    await books().store.reserve(first);
    for (let minute = 1; minute < 10; minute++) await outcomeOf(id, minute);

    const [, ...outcomes] = await Promise.all([
      books().store.release(first.id),
      ...Array.from({ length: 20 }, (_, i) => outcomeOf(id, 200 + i)),
    ]);
    const late = await outcomeOf(id, 300);

    const taken = [...outcomes, late].filter((outcome) => outcome === 'reserved');
    expect(taken).toHaveLength(1);
  });

  test('throws for a reservation of an unknown user', async () => {
    await expect(books().store.reserve(aReservation(randomUUID(), 0))).rejects.toThrow();
  });
});
