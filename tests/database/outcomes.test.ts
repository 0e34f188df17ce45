/** Predictions that are saved, wait, and are resolved: on real rows, with candles that the test generates. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { Candle } from '#domain/market/candle.ts';
import type { MarketKind } from '#domain/market/symbols.ts';
import { outcomeRowSchema } from '#domain/record/scoring/outcome.ts';
import { openPredictionStore } from '../../server/forecast/predictions/prediction-store.ts';
import type { CandlePast, PastSeries } from '../../server/market/candles/past-candles.ts';
import { type Database, OWNER } from '../../server/platform/database/database.ts';
import { outcomeStore } from '../../server/record/outcome-store.ts';
import { resolveOutcomes } from '../../server/record/outcomes.ts';
import { openTestDatabase, testLog } from '../support/database/database.ts';
import { createDatabaseUser, type TestUser } from '../support/database/database-users.ts';
import { describeEachDatabase } from '../support/database/each-database.ts';
import { subscribe } from '../support/worlds/prediction-world.ts';
import { aReservation, candlesToSave } from '../support/worlds/reservations.ts';

const never = new AbortController().signal;
/** The start event of every reservation by default. */
const KIND = 'simulated';

// Runs on both kinds: triggers begin and end the waiting, and each driver carries the JSON.
describeEachDatabase('outcomes', (kind) => {
  let database: Database;
  let ada: TestUser;
  let minute = 0;

  beforeAll(async () => {
    database = await openTestDatabase(kind);
    ada = await createDatabaseUser(database, 'ada@example.com');
    await subscribe(database, ada.id, 'lion', null, null);
    await database.query(OWNER, 'update private.plan_limits set per_day = 100000, per_month = 100000');
  });
  afterAll(() => database?.close());
  beforeEach(() => database.query(OWNER, 'delete from public.user_predictions'));

  /**
   * Streams and saves a prediction as the server does. @returns its id, its reservation and when its last minute ends
   */
  async function save(marketKind: MarketKind = KIND) {
    minute += 1;
    const predictions = openPredictionStore({ database });
    const wanted = aReservation(ada.id, minute);
    const shared = { ...wanted.shared, id: randomUUID(), start: { ...wanted.shared.start, marketKind } };
    const reservation = { ...wanted, shared };
    await predictions.reserve(reservation);
    await predictions.markCandlesSent(reservation.id, 50);
    const row = await predictions.record(ada.id, candlesToSave(reservation));
    return { id: row.id, reservation, endS: reservation.t0 + 51 * 60 };
  }

  /** The market moved as forecast, one up. */
  const candlesAfter = ({ reservation }: Awaited<ReturnType<typeof save>>): Candle[] => [
    ...reservation.shared.history,
    ...reservation.shared.forecast.map((c) => ({
      ...c,
      open: c.open + 1,
      high: c.high + 1,
      low: c.low + 1,
      close: c.close + 1,
    })),
  ];

  function pastOf(recent: PastSeries | null, stored: PastSeries[] = []) {
    const reads = { recent: 0, stored: 0 };
    const past: CandlePast = {
      recent: async () => {
        reads.recent += 1;
        return recent;
      },
      stored: async () => {
        reads.stored += 1;
        return stored;
      },
    };
    return { past, reads };
  }

  const seriesOf = (candles: Candle[], marketKind: MarketKind = KIND): PastSeries => ({
    marketKind,
    venueId: 'one',
    candles,
  });
  /** A waiting prediction is first checked when due, which is later here: these reservations were made long ago. */
  const LATE_S = 3600;
  function resolve(past: CandlePast, nowS: number) {
    const clocks = [{ nowMs: () => nowS * 1000 }];
    return resolveOutcomes(outcomeStore(database), { past, clocks, log: testLog }, never);
  }
  const rows = () =>
    database.query(
      ada.caller,
      'select prediction_id, state, void_reason, candles, score, market_kind, due_at, resolved_at from public.prediction_outcomes',
    );

  test('begin to wait when a prediction is saved, with its market kind and due time', async () => {
    const one = await save('live');

    const [row] = await rows();
    expect(row).toMatchObject({ prediction_id: one.id, state: 'waiting', market_kind: 'live', resolved_at: null });
    expect(Date.parse(String(row?.due_at)) / 1000).toBeGreaterThanOrEqual(one.endS);
    expect(outcomeRowSchema.parse(row).state).toBe('waiting');
  });

  test('store the real candles and the score once the minutes are over, for good', async () => {
    const one = await save();
    const { past } = pastOf(seriesOf(candlesAfter(one)));

    expect(await resolve(past, one.endS - 1)).toEqual({ known: 0, void: 0, later: 0 });
    expect(await resolve(past, one.endS + LATE_S)).toEqual({ known: 1, void: 0, later: 0 });
    const [row] = await rows();
    expect(await resolve(pastOf(null).past, one.endS + 2 * LATE_S)).toEqual({ known: 0, void: 0, later: 0 });

    const parsed = outcomeRowSchema.parse(row);
    expect(parsed.state === 'known' && parsed.candles).toEqual(candlesAfter(one).slice(150));
    expect(parsed.state === 'known' && parsed.score.path.maeBp).toBeGreaterThan(0);
    expect(await rows()).toEqual([row]);
  });

  test('stay unchanged when a second process resolves the same ones', async () => {
    const one = await save();
    const { past } = pastOf(seriesOf(candlesAfter(one)));
    const store = outcomeStore(database);
    const due = await store.due((one.endS + LATE_S) * 1000, 10);
    await resolve(past, one.endS + LATE_S);
    const before = await rows();

    await store.resolve([{ predictionId: due[0]?.predictionId ?? '', state: 'void', reason: 'candles-gone' }], 0);

    expect(await rows()).toEqual(before);
  });

  test('are checked again later when undecided, at increasing intervals', async () => {
    const one = await save();
    const { past, reads } = pastOf(null);
    const firstS = one.endS + LATE_S;

    expect(await resolve(past, firstS)).toEqual({ known: 0, void: 0, later: 1 });
    expect(await resolve(past, firstS + 60)).toEqual({ known: 0, void: 0, later: 0 });
    expect(await resolve(past, firstS + 900)).toEqual({ known: 0, void: 0, later: 1 });
    expect(reads.recent).toBe(2);
    expect(await resolve(pastOf(seriesOf(candlesAfter(one))).past, firstS + 2000)).toMatchObject({ known: 1 });
  });

  test('never use live candles for a simulated prediction, which becomes void', async () => {
    const one = await save('simulated');
    const { past } = pastOf(seriesOf(candlesAfter(one), 'live'), [seriesOf(candlesAfter(one), 'live')]);

    expect(await resolve(past, one.endS + LATE_S)).toEqual({ known: 0, void: 0, later: 1 });
    expect(await resolve(past, one.endS + 90_000)).toEqual({ known: 0, void: 1, later: 0 });
    expect(await rows()).toMatchObject([{ state: 'void', void_reason: 'other-market', candles: null, score: null }]);
  });

  test('resolve 601 predictions with one read of each source after a standstill', async () => {
    const first = await save();
    await database.query(
      OWNER,
      `with more as (
         insert into public.user_predictions (user_id, cryptocurrency, model, data)
         select p.user_id, p.cryptocurrency, p.model, p.data from public.user_predictions p, generate_series(1, 600) returning id)
       insert into public.prediction_outcomes (prediction_id, user_id, market_kind, sym, join_s, due_at, next_try_at)
       select more.id, o.user_id, o.market_kind, o.sym, o.join_s, o.due_at, o.next_try_at from more, public.prediction_outcomes o`,
    );
    const { past, reads } = pastOf(null, [seriesOf(candlesAfter(first))]);

    expect(await resolve(past, first.endS + LATE_S)).toEqual({ known: 601, void: 0, later: 0 });
    expect(reads.recent).toBe(1);
    // One for each batch of 250.
    expect(reads.stored).toBe(3);
  });

  test('are delayed for a symbol with unreadable candles, but for no other', async () => {
    const [broken, whole] = [await save(), await save()];
    await database.query(OWNER, `update public.prediction_outcomes set sym = 'ETHUSDT.P' where prediction_id = $1`, [
      broken.id,
    ]);
    const { past } = pastOf(seriesOf(candlesAfter(whole)));
    const failing: CandlePast = {
      ...past,
      recent: (symbol, signal) =>
        symbol.sym === 'ETHUSDT.P' ? Promise.reject(new TypeError('a bug')) : past.recent(symbol, signal),
    };

    expect(await resolve(failing, whole.endS + LATE_S)).toEqual({ known: 1, void: 0, later: 1 });
    expect(await resolve(failing, whole.endS + LATE_S)).toEqual({ known: 0, void: 0, later: 0 });
    expect(await resolve(pastOf(seriesOf(candlesAfter(broken))).past, whole.endS + 2 * LATE_S)).toMatchObject({
      known: 1,
    });
  });

  test('are void as unreadable for a prediction with invalid candles', async () => {
    await save();
    await database.query(OWNER, `update public.user_predictions set data = jsonb_set(data, '{160,close}', '-1')`);

    expect(await resolve(pastOf(null).past, Date.now() / 1000 + 7200)).toEqual({ known: 0, void: 1, later: 0 });
    expect(await rows()).toMatchObject([{ void_reason: 'unreadable' }]);
  });
});
