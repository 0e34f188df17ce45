/** The list of a user's saved predictions: its counts are made in SQL, and must be those that the cards show. */
import { expect, test } from 'vitest';
import type { Candle } from '#domain/market/candle.ts';
import { bandCoverage } from '#domain/record/scoring/band-coverage.ts';
import { scorePath } from '#domain/record/scoring/scoring.ts';
import { predictionHistory } from '../../server/forecast/predictions/prediction-history-store.ts';
import { OWNER } from '../../server/platform/database/database.ts';
import { describeEachDatabase } from '../support/database/each-database.ts';
import { openedForTests } from '../support/run/opened-for-tests.ts';
import { aUser } from '../support/worlds/prediction-world.ts';
import { openQuotaBooks } from '../support/worlds/quota-books.ts';
import { aReservation, candlesToSave } from '../support/worlds/reservations.ts';

describeEachDatabase('the list of saved predictions', (kind) => {
  const books = openedForTests(() => openQuotaBooks(kind));

  async function save(userId: string, minute: number) {
    const wanted = aReservation(userId, minute);
    await books().store.reserve(wanted);
    await books().store.markCandlesSent(wanted.id, 50);
    return { row: await books().store.record(userId, candlesToSave(wanted)), band: wanted.shared.start.band };
  }

  /** Half of the closes lie beyond the edge of the 80% band. */
  function outcomeOf({ row, band }: Awaited<ReturnType<typeof save>>) {
    const path = (row.data as Candle[]).slice(-50);
    const outcome = path.map((candle, i) => {
      const close = i % 2 === 0 ? (band.upper80[i] ?? 0) : (band.upper80[i] ?? 0) * 1.5;
      return { ...candle, open: close, high: close, low: close, close };
    });
    return { path, outcome, lastClose: (row.data as Candle[])[149]?.close ?? 0 };
  }

  test('counts closes inside the bands as the cards do, an edge as inside, and has both errors', async () => {
    const { database } = books();
    const { id: userId } = await aUser(database, 'bobcat');
    const saved = await save(userId, 1);
    const { path, outcome, lastClose } = outcomeOf(saved);
    const score = scorePath({ lastClose, path, outcome });
    await database.query(
      OWNER,
      `update public.prediction_outcomes set state = 'known', resolved_at = now(), candles = $2::text::jsonb,
         score = $3::text::jsonb where prediction_id = $1::text::uuid`,
      [saved.row.id, JSON.stringify(outcome), JSON.stringify(score)],
    );

    const { rows, total } = await predictionHistory(database, userId);

    const expected = bandCoverage(
      saved.band,
      outcome.map(({ close }) => close),
    );
    expect(total).toBe(1);
    expect(expected.within80).toBe(25);
    expect(rows).toEqual([
      {
        id: saved.row.id,
        market: 'BTC',
        model: 'kat1',
        timeframe: '1min',
        madeAt: new Date(saved.row.created_at).toISOString(),
        state: 'known',
        inside80: expected.within80,
        inside95: expected.within95,
        pathErrorBp: expect.closeTo(score.path.maeBp, 9),
        lastCloseErrorBp: expect.closeTo(score.lastClose.maeBp, 9),
      },
    ]);
  });

  test('lists the newest first without another user’s, and claims nothing without bands or an outcome', async () => {
    const { database } = books();
    const [ann, bob] = [await aUser(database, 'bobcat'), await aUser(database, 'bobcat')];
    const [older, newer] = [await save(ann.id, 2), await save(ann.id, 3)];
    await save(bob.id, 4);
    await database.query(
      OWNER,
      `update public.user_predictions set created_at = created_at - interval '1 hour', band = null
        where id = $1::text::uuid`,
      [older.row.id],
    );

    const { rows, total } = await predictionHistory(database, ann.id);

    expect([total, ...rows.map(({ id }) => id)]).toEqual([2, newer.row.id, older.row.id]);
    for (const row of rows)
      expect(row).toMatchObject({ state: 'waiting', inside80: null, inside95: null, pathErrorBp: null });
    expect(await predictionHistory(database, '00000000-0000-4000-8000-000000000000')).toEqual({ rows: [], total: 0 });
  });
});
