import { setTimeout as wait } from 'node:timers/promises';
import pino from 'pino';
import { describe, expect, test } from 'vitest';
import { AppError } from '#domain/errors/app-error.ts';
import { NO_RELEASES } from '#domain/forecast/releases/forecast-releases.ts';
import type { StoredForecast } from '#domain/forecast/stream-message.ts';
import { symbolNamed } from '#domain/market/testing/symbol-named.ts';
import { NO_CORRECTION } from '#domain/record/bands/band-correction.ts';
import type { ServerEvent } from '../../platform/http/streams/event-stream.ts';
import type { Forecast } from '../forecast.ts';
import { generatedCandles } from '../models/generated-candles.ts';
import { type ReplayDeps, replayForAdmin, replayReservation, toSaved, toStart } from './forecast-stream.ts';

const ID = '22222222-2222-4222-8222-222222222222';
const never = new AbortController().signal;

describe('a reserved forecast', () => {
  test('consists of a start event and 50 candles, each with an id to resume from', async () => {
    const { deps, marks } = aStore();

    const events = await all(replayReservation(aReplay(), deps, never));

    expect(events[0]).toMatchObject({ event: 'start', id: `${ID}:0`, data: { reservationId: ID, ampPercent: 100 } });
    expect(events.slice(1).map((event) => event.id)).toEqual(Array.from({ length: 50 }, (_, i) => `${ID}:${i + 1}`));
    expect(events.slice(1).map((event) => event.data)).toEqual(aStoredForecast().forecast);
    expect(events[1]?.event).toBeUndefined();
    expect(marks).toEqual([1, 50]);
  });

  test('is recorded as begun before the viewer sees anything, and as complete before the last candle', async () => {
    const { deps, marks } = aStore();
    const seenAt: number[][] = [];

    for await (const _event of replayReservation(aReplay(), deps, never)) seenAt.push([...marks]);

    expect(seenAt[0]).toEqual([1]);
    expect(seenAt[49]).toEqual([1]);
    expect(seenAt[50]).toEqual([1, 50]);
  });

  test('resumes after the last seen candle, without a second start event', async () => {
    const { deps, marks } = aStore();

    const events = await all(replayReservation({ ...aReplay(47), seen: 47, created: null }, deps, never));

    expect(events.map((event) => event.id)).toEqual([`${ID}:48`, `${ID}:49`, `${ID}:50`]);
    expect(marks).toEqual([48, 50]);
  });

  test('sends nothing to a viewer who has seen all of it', async () => {
    const { deps } = aStore();

    expect(await all(replayReservation({ ...aReplay(), seen: 50 }, deps, never))).toEqual([]);
  });

  test('ends with the reason when its product ends, and gives the unit back although candles were sent', async () => {
    const { deps, marks, released, withdrawn } = aStore();
    let sent = 0;
    const endOf = (sym: string) => (sent > 4 ? new AppError('market/delisted', { details: { sym } }) : null);
    const read = async () => {
      for await (const _event of replayReservation(aReplay(), { ...deps, endOf }, never)) sent += 1;
    };

    await expect(read()).rejects.toMatchObject({ code: 'market/delisted' });

    expect([sent, marks, released, withdrawn]).toEqual([5, [1], [], [ID]]);
  });

  test('records how many candles a viewer received before disconnecting', async () => {
    const { deps, marks } = aStore();
    const events = replayReservation(aReplay(), deps, never);
    for (let i = 0; i < 6; i++) await events.next();

    await events.return(undefined);

    expect(marks).toEqual([1, 5]);
  });

  test('is released when the viewer disconnects before it begins', async () => {
    const { deps, marks, released } = aStore();

    await expect(all(replayReservation(aReplay(), deps, AbortSignal.abort()))).rejects.toThrow('aborted');

    expect([marks, released]).toEqual([[], [ID]]);
  });

  test('is released when it fails before the first candle, only by the request that reserved it', async () => {
    const { deps, released } = aStore(() => Promise.reject(new Error('disk full')));

    await expect(all(replayReservation(aReplay(), deps, never))).rejects.toThrow('disk full');
    await expect(all(replayReservation({ ...aReplay(), created: null }, deps, never))).rejects.toThrow('disk full');

    expect(released).toEqual([ID]);
  });

  test('waits for a restarting database, and continues', async () => {
    let calls = 0;
    const { deps } = aStore(async () => {
      calls += 1;
      if (calls === 2) throw new AppError('database/unavailable');
      return true;
    });

    const events = await all(replayReservation(aReplay(), deps, never));

    expect(events).toHaveLength(51);
    expect(calls).toBe(3);
  });

  test('is not sent once it was released', async () => {
    const { deps } = aStore(() => Promise.resolve(false));

    await expect(all(replayReservation(aReplay(), deps, never))).rejects.toThrow('forecast/unknown-reservation');
  });

  test('sends the first candle immediately and the others at the given pace', async () => {
    const { deps } = aStore();
    // Longer than any test may take.
    const slow = replayReservation({ ...aReplay(), bars: 4 }, { ...deps, paceMs: 3_600_000 }, never);
    const startedMs = performance.now();
    const paced = replayReservation({ ...aReplay(), bars: 4 }, { ...deps, paceMs: 200 }, never);

    const firstTwo = [await slow.next(), await slow.next()];
    await all(paced);

    expect(firstTwo.map(({ value }) => value?.event)).toEqual(['start', undefined]);
    expect(performance.now() - startedMs).toBeGreaterThanOrEqual(590);
  });

  test('sends as many candles together as it may, when the first of them is due', async () => {
    const { deps, marks } = aStore();
    const closed = new AbortController();
    // Longer than any test may take.
    const paced = (count: number) => ({ ...deps, paceMs: 3_600_000, candlesTogether: () => count });
    const threes = replayReservation(aReplay(), paced(3), closed.signal);
    const ids: (string | undefined)[] = [];
    for (let i = 0; i < 4; i++) ids.push((await threes.next()).value?.id);
    expect(ids).toEqual([0, 1, 2, 3].map((n) => `${ID}:${n}`));
    const fourth = threes.next();
    expect(await Promise.race([fourth, wait(20, 'waiting')])).toBe('waiting');
    closed.abort();
    await fourth;

    expect(await all(replayReservation(aReplay(), paced(60), never))).toHaveLength(51);
    expect(marks).toEqual([1, 3, 1, 50]);
  });

  test('ends immediately when the viewer disconnects between two candles', async () => {
    const { deps } = aStore();
    const closed = new AbortController();
    const events = replayReservation(aReplay(), { ...deps, paceMs: 60_000 }, closed.signal);
    await events.next();
    await events.next();

    const next = events.next();
    await wait(5);
    closed.abort();

    expect((await next).done).toBe(true);
  });
});

test('shows an admin the amplified forecast, without ids and without a reservation', async () => {
  const forecast = aForecast();

  const events = await all(replayForAdmin({ forecast, ampPercent: 0, bars: 50 }, { paceMs: 0 }, never));

  expect(events).toHaveLength(51);
  expect(events[0]).toMatchObject({ event: 'start', data: { reservationId: null, ampPercent: 0 } });
  expect(events.every((event) => event.id === undefined)).toBe(true);
  expect(events.slice(1).every((event) => (event.data as { close: number }).close === forecast.lastClose)).toBe(true);
});

function aStore(mark: () => Promise<boolean> = () => Promise.resolve(true)) {
  const marks: number[] = [];
  const released: string[] = [];
  const withdrawn: string[] = [];
  const deps: ReplayDeps = {
    log: pino({ level: 'silent' }),
    paceMs: 0,
    predictions: {
      markCandlesSent(_id, count) {
        marks.push(count);
        return mark();
      },
      async read(_userId, _id, count) {
        marks.push(count);
        return (await mark()) ? aStoredForecast() : null;
      },
      async release(id) {
        released.push(id);
      },
      async withdraw(id) {
        withdrawn.push(id);
      },
    },
  };
  return { deps, marks, released, withdrawn };
}

function aReplay(candlesSent = 0) {
  const key = { userId: 'ada', model: 'kat1', exc: 'BINANCE', sym: 'BTCUSDT.P', timeframe: '1min' as const };
  return { reservation: { id: ID, candlesSent, ...key }, bars: 50, seen: null, created: aStoredForecast() };
}

function aStoredForecast(): StoredForecast {
  const forecast = aForecast();
  return {
    state: 'reserved',
    start: toStart(forecast, ID, 100),
    history: forecast.history.map(toSaved),
    forecast: forecast.path.map(toSaved),
  };
}

function aForecast(): Forecast {
  const candles = generatedCandles({ seed: 'replay', count: 200 });
  const edge = Array.from({ length: 50 }, () => 100);
  return {
    symbol: symbolNamed('BTC'),
    exc: 'BINANCE',
    timeframe: '1min',
    model: 'bobcat',
    modelVersion: '1',
    t0: candles[149]?.time ?? 0,
    lastClose: candles[149]?.close ?? 0,
    issuedAtMs: 0,
    marketKind: 'simulated',
    releases: NO_RELEASES,
    varianceFactors: null,
    venueId: 'fake',
    weightsSha256: '',
    lookback: candles.slice(0, 150),
    history: candles.slice(0, 150),
    path: candles.slice(150),
    band: { lower80: edge, upper80: edge, lower95: edge, upper95: edge },
    correction: NO_CORRECTION,
    volatility: { minuteVariance: new Float64Array(50), upperQuantiles: [], rv50: 0, range50: 0 },
  };
}

async function all(events: AsyncIterable<ServerEvent>): Promise<ServerEvent[]> {
  const list: ServerEvent[] = [];
  for await (const event of events) list.push(event);
  return list;
}
