/**
 * Any sequence of reserving, sending, saving, failing, settling and waiting, compared with a plain model: the
 * remainder is the limit minus what is held and what is spent, never below zero, and no reservation makes two rows.
 * Forecasts of three timeframes whose candles open at the same second are never mixed.
 */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { PLANS } from '#domain/billing/plans.ts';
import { isAppError } from '#domain/errors/app-error.ts';
import type { Candle } from '#domain/market/candle.ts';
import { barSecondsOf, TIMEFRAMES, type Timeframe } from '#domain/market/timeframes.ts';
import type { NewReservation } from '../../server/forecast/predictions/prediction-store.ts';
import { SERVICE } from '../../server/platform/database/database.ts';
import { describeBothAtNight } from '../support/database/day-database.ts';
import { openedForTests } from '../support/run/opened-for-tests.ts';
import { isNight, sampleSize } from '../support/run/test-size.ts';
import { aUser, subscribe } from '../support/worlds/prediction-world.ts';
import { openQuotaBooks } from '../support/worlds/quota-books.ts';
import { aReservation, candlesToSave, reserveAsUser } from '../support/worlds/reservations.ts';

/** By day every run uses the same commands. */
const SEED = 20_261_123;
const MINUTE_MS = 60_000;
const DAY_MS = 1440 * MINUTE_MS;
const LIFE_MS = 10 * MINUTE_MS;
const LIMITS = PLANS.bobcat;

type Command =
  | { do: 'reserve'; minute: number; timeframe: Timeframe }
  | { do: 'send'; pick: number; count: number }
  | { do: 'save'; pick: number }
  | { do: 'saveChanged'; pick: number }
  | { do: 'saveAsAnother'; pick: number }
  | { do: 'fail'; pick: number }
  | { do: 'delete'; pick: number }
  | { do: 'settle' }
  /** Steps whose sums reach neither ten minutes nor midnight, so that the test's own milliseconds decide nothing. */
  | { do: 'wait'; minutes: number };

const pick = fc.nat({ max: 30 });
const command: fc.Arbitrary<Command> = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record({
      do: fc.constant('reserve' as const),
      minute: fc.nat({ max: 7 }),
      timeframe: fc.constantFrom(...TIMEFRAMES),
    }),
  },
  {
    weight: 5,
    arbitrary: fc.record({ do: fc.constant('send' as const), pick, count: fc.constantFrom(1, 7, 49, 50, 50) }),
  },
  { weight: 4, arbitrary: fc.record({ do: fc.constant('save' as const), pick }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('saveChanged' as const), pick }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('saveAsAnother' as const), pick }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('fail' as const), pick }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('delete' as const), pick }) },
  { weight: 2, arbitrary: fc.constant({ do: 'settle' as const }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('wait' as const), minutes: fc.constantFrom(3, 11, 300) }) },
);

interface Held {
  wanted: NewReservation;
  atMs: number;
  state: 'reserved' | 'spent' | 'released';
  sent: number;
  /** Rows made so far, including deleted ones. */
  rows: number;
  isDeleted: boolean;
}

/** The rules as a list. */
class Model {
  readonly held: Held[] = [];
  nowMs: number;

  constructor(startMs: number) {
    this.nowMs = startMs;
  }

  get used(): Held[] {
    return this.held.filter((one) => one.state !== 'released');
  }

  left(): { remainingDaily: number; remainingMonthly: number } {
    const today = Math.floor(this.nowMs / DAY_MS);
    const usedToday = this.used.filter((one) => Math.floor(one.atMs / DAY_MS) === today).length;
    return { remainingDaily: LIMITS.perDay - usedToday, remainingMonthly: LIMITS.perMonth - this.used.length };
  }

  settle(): void {
    for (const one of this.held) {
      if (one.state !== 'reserved' || this.nowMs < one.atMs + LIFE_MS) continue;
      if (one.sent > 0) this.spend(one);
      else one.state = 'released';
    }
  }

  spend(one: Held): void {
    one.state = 'spent';
    one.rows += 1;
  }

  /** @returns the result of reserving */
  reserve(wanted: NewReservation): string {
    const before = this.held.map((one) => ({ ...one }));
    this.settle();
    if (this.used.some((one) => isSame(one.wanted, wanted))) return 'existing';
    const { remainingDaily, remainingMonthly } = this.left();
    if (remainingMonthly > 0 && remainingDaily > 0) {
      this.held.push({ wanted, atMs: this.nowMs, state: 'reserved', sent: 0, rows: 0, isDeleted: false });
      return 'reserved';
    }
    // A refusal rolls back the settling it began with.
    this.held.splice(0, this.held.length, ...before);
    return remainingMonthly > 0 ? 'quota/daily-spent' : 'quota/monthly-spent';
  }

  /** Compares by content: a forecast released and reserved again is the same 200 candles. */
  save(wanted: NewReservation): string {
    const one = this.used.find((held) => isSame(held.wanted, wanted));
    if (!one || one.sent < 50 || one.isDeleted) return 'prediction/not-streamed';
    if (one.state === 'reserved') this.spend(one);
    return 'saved';
  }
}

// On PGlite only at night: by day tests/parity and pgTAP run the same functions there.
describeBothAtNight('quota model', (kind) => {
  const books = openedForTests(() => openQuotaBooks(kind));

  test('matches the model after every command', async () => {
    // Starts half a minute past noon, so that no sum of the waits comes near midnight.
    const noonMs = Math.floor(Date.now() / DAY_MS) * DAY_MS + DAY_MS / 2 + MINUTE_MS / 2;

    await fc.assert(
      fc.asyncProperty(fc.array(command, { minLength: 15, maxLength: 45 }), async (commands) => {
        books().clock.offsetMs = noonMs - Date.now();
        const { id } = await aUser(books().database, 'free');
        await subscribe(books().database, id, 'bobcat', noonMs / 1000 - 86_400, noonMs / 1000 + 60 * 86_400);
        const model = new Model(noonMs);
        for (const one of commands) {
          await run(one, id, model);
          expect(await books().store.quotaOf(id), JSON.stringify(one)).toMatchObject(model.left());
        }
        await expectRows(id, model);
      }),
      { numRuns: sampleSize(10, 25), ...(isNight ? {} : { seed: SEED }) },
    );
  });

  async function run(command: Command, userId: string, model: Model): Promise<void> {
    const { clock, store } = books();
    if (command.do === 'wait') {
      clock.offsetMs += command.minutes * MINUTE_MS;
      model.nowMs += command.minutes * MINUTE_MS;
    } else if (command.do === 'settle') {
      await store.settle();
      model.settle();
    } else if (command.do === 'reserve') {
      const wanted = aReservation(userId, command.minute, command.timeframe);
      const answer = await codeOf(
        reserveAsUser(store, wanted).then(({ created }) => (created ? 'reserved' : 'existing')),
      );
      expect(answer).toBe(model.reserve(wanted));
    } else {
      const one = model.held[command.pick % Math.max(1, model.held.length)];
      if (one) await runOn(command, one, userId, model);
    }
  }

  async function runOn(command: Command, one: Held, userId: string, model: Model): Promise<void> {
    const { database, store } = books();
    const prediction = candlesToSave(one.wanted);
    if (command.do === 'send') {
      const isSent = await store.markCandlesSent(one.wanted.id, command.count);
      expect(isSent).toBe(one.state !== 'released');
      if (isSent) one.sent = Math.max(one.sent, command.count);
    } else if (command.do === 'fail') {
      await store.release(one.wanted.id);
      if (one.state === 'reserved' && one.sent === 0) one.state = 'released';
    } else if (command.do === 'save') {
      expect(await codeOf(store.record(userId, prediction).then(() => 'saved'))).toBe(model.save(one.wanted));
    } else if (command.do === 'saveAsAnother') {
      const others = TIMEFRAMES.filter((timeframe) => timeframe !== one.wanted.timeframe);
      for (const timeframe of others)
        expect(await codeOf(store.record(userId, { ...prediction, timeframe }))).toBe('prediction/not-streamed');
    } else if (command.do === 'saveChanged') {
      const data = prediction.data.map((candle, i) => (i === 199 ? { ...candle, high: candle.high * 1.001 } : candle));
      expect(await codeOf(store.record(userId, { ...prediction, data }))).toBe('prediction/not-streamed');
    } else if (command.do === 'delete' && one.state === 'spent' && !one.isDeleted) {
      const text = `delete from public.user_predictions
        where user_id = $1 and data -> 149 -> 'time' = to_jsonb($2::bigint) and timeframe = $3`;
      await database.query(SERVICE, text, [userId, one.wanted.t0, one.wanted.timeframe]);
      one.isDeleted = true;
    }
  }

  async function expectRows(userId: string, model: Model): Promise<void> {
    const rows = await books().database.query<{ timeframe: string; data: Candle[]; outcome: string; dueS: number }>(
      SERVICE,
      `select p.timeframe, p.data, o.timeframe as outcome, extract(epoch from o.due_at)::float8 as "dueS"
         from public.user_predictions p join public.prediction_outcomes o on o.prediction_id = p.id
        where p.user_id = $1`,
      [userId],
    );
    const expected = model.held.filter((one) => one.rows > 0 && !one.isDeleted).map(({ wanted }) => wanted);
    const saved = rows.map(({ timeframe, data }) => textOf(timeframe, data));
    const wanted = expected.map(({ timeframe, shared }) => textOf(timeframe, [...shared.history, ...shared.forecast]));
    expect(saved.sort()).toEqual(wanted.sort());
    for (const { timeframe, data, outcome, dueS } of rows) {
      expect(outcome).toBe(timeframe);
      const lastS = data.at(-1)?.time ?? 0;
      expect(dueS).toBeGreaterThanOrEqual(lastS + barSecondsOf(outcome as Timeframe));
    }
    expect(model.held.every((one) => one.rows <= 1)).toBe(true);
  }
});

/** A user reserves once for a candle of a timeframe. */
function isSame(a: NewReservation, b: NewReservation): boolean {
  return a.t0 === b.t0 && a.timeframe === b.timeframe;
}

/** A saved row's timeframe and prices, whatever the order of its fields. */
function textOf(timeframe: string, candles: readonly Candle[]): string {
  return JSON.stringify([timeframe, candles.map(({ time, open, high, low, close }) => [time, open, high, low, close])]);
}

async function codeOf(work: Promise<unknown>): Promise<unknown> {
  try {
    return await work;
  } catch (error) {
    if (isAppError(error)) return error.code;
    throw error;
  }
}
