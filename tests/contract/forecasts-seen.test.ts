/**
 * Over any schedule of opening, dropping, resuming, rereading, reading with a key, downloading the account, settling,
 * waiting and changing between two processes, the forecasts of which a user has seen anything never exceed the units spent on them.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import pino from 'pino';
import { expect, test } from 'vitest';
import { symbolNamed } from '#domain/market/testing/symbol-named.ts';
import { exportStream } from '../../server/account/export/export-function.ts';
import { toShared } from '../../server/forecast/stream/forecast-stream.ts';
import { openStream, readStreamQuery } from '../../server/forecast/stream/open-stream.ts';
import { onlyBobcat } from '../../server/forecast/testing/fake-forecasts.ts';
import { ONLY_SPECIFIED } from '../../server/market/catalogue/symbol-lookup.ts';
import { latestForecasts } from '../../server/programs/readings/latest-forecasts.ts';
import { describeBothAtNight } from '../support/database/day-database.ts';
import { openedForTests } from '../support/run/opened-for-tests.ts';
import { isNight, sampleSize } from '../support/run/test-size.ts';
import { readEvents } from '../support/wire/event-reader.ts';
import { openPredictionWorld, STREAM, type TestUser } from '../support/worlds/prediction-world.ts';
import { aReservation, reserveAsUser } from '../support/worlds/reservations.ts';

/** By day every run uses the same schedules. */
const SEED = 20_261_124;
const MINUTE_MS = 60_000;
const LIFE_MINUTES = 10;
/** Not Bitcoin, whose forecast every key may read. */
const ETHER = symbolNamed('ETH');
const OWN_STREAM = STREAM.replace('BTCUSDT.P', ETHER.sym);
const silent = pino({ level: 'silent' });
const never = new AbortController().signal;

type Step =
  /** A stream that the client drops after so many events; the first is `start`. */
  | { do: 'open'; events: number }
  /** A connection lost after the reservation and before the first event. */
  | { do: 'drop' }
  | { do: 'resume'; pick: number; seen: number; events: number }
  | { do: 'read'; pick: number }
  | { do: 'list' }
  /** What `/api/v1/forecasts/latest`, its bands and the tools of `/mcp` answer. */
  | { do: 'key' }
  | { do: 'download' }
  | { do: 'settle' }
  | { do: 'switch' }
  | { do: 'turn' }
  | { do: 'wait'; minutes: number };

const events = fc.constantFrom(0, 1, 2, 7, 51);
const pick = fc.nat({ max: 20 });
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ do: fc.constant('open' as const), events }) },
  { weight: 4, arbitrary: fc.constant({ do: 'drop' as const }) },
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constant('resume' as const), pick, seen: fc.constantFrom(0, 1, 49, 50), events }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('read' as const), pick }) },
  { weight: 1, arbitrary: fc.constant({ do: 'list' as const }) },
  { weight: 4, arbitrary: fc.constant({ do: 'key' as const }) },
  { weight: 4, arbitrary: fc.constant({ do: 'download' as const }) },
  { weight: 2, arbitrary: fc.constant({ do: 'settle' as const }) },
  { weight: 4, arbitrary: fc.constant({ do: 'switch' as const }) },
  { weight: 6, arbitrary: fc.constant({ do: 'turn' as const }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('wait' as const), minutes: fc.constantFrom(1, 11) }) },
);

test('leaves reading stored forecasts to a function of the database, which counts them', () => {
  const files = readdirSync('server', { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.ts'));
  const naming = files.filter((name) => readFileSync(join('server', name), 'utf8').includes('kept_forecasts'));
  // It deletes old ones.
  expect(naming).toEqual(['operations/old-rows.ts']);
});

// On one kind by day: quota-races.test.ts runs what locks on both.
describeBothAtNight('forecasts that leave the server', (kind) => {
  const world = openedForTests(() => openPredictionWorld(kind));

  test('never shows a user of two processes more forecasts than they paid for', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 6, maxLength: 24 }), async (steps) => {
        const user = await world().user('bobcat');
        const before = (await world().left(user)).monthly;
        const reader = await aReader(user);
        for (const one of steps) await reader.take(one);

        world().moveClock((LIFE_MINUTES + 1) * MINUTE_MS);
        await world().predictions.settle();
        const spent = Number(before) - Number((await world().left(user)).monthly);
        expect(reader.seen.size, JSON.stringify(steps)).toBeLessThanOrEqual(spent);
      }),
      { numRuns: sampleSize(12, 60), ...(isNight ? {} : { seed: SEED }) },
    );
  });

  test('releases the unit of a stream that its client leaves before the first candle', async () => {
    const user = await world().user('bobcat');
    const reader = await aReader(user);
    const before = await world().left(user);
    const leaving = new AbortController();
    const query = readStreamQuery(new URLSearchParams(OWN_STREAM.split('?')[1]));
    const request = { userId: user.id, query, lastEventId: null, signal: leaving.signal };
    const { predictions, forecasts } = world();
    const events = await openStream(request, { predictions, forecasts, registry: onlyBobcat, log: silent });
    expect((await world().left(user)).daily).toBe(Number(before.daily) - 1);

    leaving.abort();
    await expect(events(leaving.signal)[Symbol.asyncIterator]().next()).rejects.toThrow('aborted');

    expect(await world().left(user)).toEqual(before);
    await reader.take({ do: 'key' });
    expect(reader.seen.size).toBe(0);
  });

  test('shows a key nothing of a forecast before its first candle, and all of it afterwards', async () => {
    const user = await world().user('bobcat');
    const reader = await aReader(user);

    await reader.take({ do: 'drop' });
    await reader.take({ do: 'key' });
    expect(reader.seen.size).toBe(0);

    await reader.take({ do: 'open', events: 2 });
    reader.seen.clear();
    await reader.take({ do: 'key' });
    expect(reader.seen.size).toBe(1);
  });

  test('exports a streamed forecast, and nothing of one dropped before its first candle', async () => {
    const user = await world().user('bobcat');
    const reader = await aReader(user);

    await reader.take({ do: 'drop' });
    await reader.take({ do: 'download' });
    expect(reader.seen.size).toBe(0);

    await reader.take({ do: 'open', events: 51 });
    reader.seen.clear();
    await reader.take({ do: 'download' });
    expect(reader.seen.size).toBe(1);
  });

  /** One user with a program that stores every answer. */
  async function aReader(user: TestUser) {
    /** Finds the forecast to which a candle or a band belongs by its content; null: no one forecast alone has it. */
    const owners = new Map<string, number | null>();
    const seen = new Set<number>();
    const reservations: string[] = [];

    async function known() {
      const forecast = await world().forecasts.current('BINANCE', ETHER, 'bobcat', never);
      for (const name of [...forecast.path.map(nameOf), String(forecast.band.upper95)]) {
        const owner = owners.get(name);
        owners.set(name, owner === undefined || owner === forecast.t0 ? forecast.t0 : null);
      }
      // Real candles are public; now and then one equals a candle of an earlier forecast.
      for (const candle of forecast.history) owners.set(nameOf(candle), null);
      return forecast;
    }

    function note(value: unknown): void {
      if (typeof value !== 'object' || value === null) return;
      const owner = owners.get(nameOf(value)) ?? owners.get(String(value));
      if (owner != null) seen.add(owner);
      for (const part of Object.values(value)) note(part);
    }

    async function watch(path: string, headers: Record<string, string>, count: number): Promise<void> {
      const leaving = new AbortController();
      const response = await world().get(path, user.token, headers, leaving.signal);
      if (response.ok) {
        const stream = readEvents(response);
        for (let i = 0; i < count; i += 1) {
          const event = await stream.next();
          if (event === null) break;
          if (event.id) reservations.push(event.id.slice(0, 36));
          note(event.data);
        }
      }
      leaving.abort();
    }

    const readWithKey = latestForecasts({
      database: world().database,
      forecasts: world().forecasts,
      predictions: world().predictions,
      clock: { nowMs: () => 0 },
      symbols: ONLY_SPECIFIED,
    });
    const question = { symbol: ETHER.sym, model: 'bobcat', timeframe: '1min' } as const;

    const picked = (at: number): string => reservations[at % Math.max(1, reservations.length)] ?? 'none';

    async function take(one: Step): Promise<void> {
      if (one.do === 'turn') world().forecasts.turnMinute();
      const forecast = await known();
      if (one.do === 'open') await watch(OWN_STREAM, {}, one.events);
      if (one.do === 'drop') {
        const { sym, label } = ETHER;
        const wanted = { ...aReservation(user.id, 0), sym, label, t0: forecast.t0, shared: toShared(forecast) };
        const held = await reserveAsUser(world().predictions, wanted).catch(() => null);
        if (held !== null) reservations.push(held.reservation.id);
      }
      if (one.do === 'resume')
        await watch(OWN_STREAM, { 'last-event-id': `${picked(one.pick)}:${one.seen}` }, one.events);
      if (one.do === 'read') {
        const response = await world().get(`/forecast/reservations/${picked(one.pick)}`, user.token);
        note(await response.json());
      }
      if (one.do === 'key')
        note(await readWithKey({ userId: user.id, isRaised: false }, question, never).catch((error: unknown) => error));
      if (one.do === 'list') note(await (await world().get('/forecast/reservations', user.token)).json());
      if (one.do === 'download') {
        const whole = exportStream(world().database, { id: user.id, account: '{}', exportedAtIso: '' }, () => {});
        note(await new Response(whole).json());
      }
      if (one.do === 'settle') await world().predictions.settle();
      if (one.do === 'switch') await world().switchProcess();
      if (one.do === 'wait') world().moveClock(one.minutes * MINUTE_MS);
    }

    return { take, seen };
  }
});

function nameOf(value: object): string {
  const { time, open, high, low, close } = value as Record<string, unknown>;
  return [time, open, high, low, close].join(' ');
}
