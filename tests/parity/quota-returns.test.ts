/**
 * Which void predictions cost nothing: the rule in SQL compared with the page's, and how the job's verdicts change
 * the quota.
 */
import { expect, test } from 'vitest';
import { RETURNING_REASONS, VOID_REASONS } from '#domain/record/scoring/outcome.ts';
import { OWNER, SERVICE } from '../../server/platform/database/database.ts';
import { outcomeStore } from '../../server/record/outcome-store.ts';
import { describeEachDatabase } from '../support/database/each-database.ts';
import { openedForTests } from '../support/run/opened-for-tests.ts';
import { aUser } from '../support/worlds/prediction-world.ts';
import { openQuotaBooks } from '../support/worlds/quota-books.ts';
import { aReservation, candlesToSave } from '../support/worlds/reservations.ts';

// Runs on both kinds, because the rule's SQL is compared with its TypeScript.
describeEachDatabase('returns of quota', (kind) => {
  const books = openedForTests(() => openQuotaBooks(kind));

  async function save(userId: string, minute: number): Promise<string> {
    const wanted = aReservation(userId, minute);
    await books().store.reserve(wanted);
    await books().store.markCandlesSent(wanted.id, 50);
    return (await books().store.record(userId, candlesToSave(wanted))).id;
  }
  const returnedAt = (predictionId: string) =>
    books()
      .database.query(SERVICE, 'select returned_at from public.prediction_outcomes where prediction_id = $1', [
        predictionId,
      ])
      .then(([row]) => row?.returned_at);

  test.each(VOID_REASONS)('follow the same rule in SQL and on the page for %s', async (reason) => {
    const { id } = await aUser(books().database, 'bobcat');
    const predictionId = await save(id, 1);
    const store = outcomeStore(books().database);
    const before = await books().store.quotaOf(id);

    await store.resolve([{ predictionId, state: 'void', reason }], Date.now());
    await store.resolve([{ predictionId, state: 'void', reason: 'candles-gone' }], Date.now());

    const [row] = await books().database.query(OWNER, 'select private.returns_quota($1) as is_returning', [reason]);
    const isReturning = RETURNING_REASONS.includes(reason);
    expect(row?.is_returning).toBe(isReturning);
    expect(before).toMatchObject({ remainingDaily: 9, remainingMonthly: 59 });
    expect(await books().store.quotaOf(id)).toMatchObject(
      isReturning ? { remainingDaily: 10, remainingMonthly: 60 } : before,
    );
    expect((await returnedAt(predictionId)) !== null).toBe(isReturning);
  });

  test('happen never for a score, and once for two simultaneous verdicts', async () => {
    const { id } = await aUser(books().database, 'bobcat');
    const [scored, lost] = [await save(id, 1), await save(id, 2)];
    const store = outcomeStore(books().database);
    const candles = candlesToSave(aReservation(id, 1)).data.slice(150);

    await store.resolve(
      // The table only requires a score to be an object; its content does not matter here.
      [{ predictionId: scored, state: 'known', candles, score: JSON.parse('{}') }],
      Date.now(),
    );
    await Promise.all(
      [1, 2].map(() => store.resolve([{ predictionId: lost, state: 'void', reason: 'candles-missing' }], Date.now())),
    );

    expect(await books().store.quotaOf(id)).toMatchObject({ remainingDaily: 9, remainingMonthly: 59 });
  });

  test('do not happen for a month that is over', async () => {
    const { id } = await aUser(books().database, 'bobcat');
    const predictionId = await save(id, 1);
    books().clock.offsetMs += 40 * 86_400_000;

    await outcomeStore(books().database).resolve(
      [{ predictionId, state: 'void', reason: 'candles-gone' }],
      Date.now() + books().clock.offsetMs,
    );

    expect(await returnedAt(predictionId)).toBeNull();
    books().clock.offsetMs -= 40 * 86_400_000;
  });

  test('do not happen for a prediction that its owner deleted', async () => {
    const { id } = await aUser(books().database, 'bobcat');
    const predictionId = await save(id, 1);
    await books().database.query(SERVICE, 'delete from public.user_predictions where id = $1', [predictionId]);

    await outcomeStore(books().database).resolve([{ predictionId, state: 'void', reason: 'candles-gone' }], Date.now());

    expect(await books().store.quotaOf(id)).toMatchObject({ remainingDaily: 9, remainingMonthly: 59 });
  });
});
