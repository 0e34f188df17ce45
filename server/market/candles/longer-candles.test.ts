/** Bars of 5 and 15 minutes beside the minutes: when they are fetched, how they advance, and what is stored of them. */
import { afterEach, expect, test, vi } from 'vitest';
import { AppError } from '#domain/errors/app-error.ts';
import type { Candle } from '#domain/market/candle.ts';
import { SYMBOLS } from '#domain/market/symbols.ts';
import { symbolNamed } from '#domain/market/testing/symbol-named.ts';
import type { Timeframe } from '#domain/market/timeframes.ts';
import { createLogger } from '../../platform/telemetry/log.ts';
import { scriptedVenue } from '../testing/scripted-venue.ts';
import { openFailoverHistory } from './failover-history.ts';

const BTC = symbolNamed('BTC');
/** Wednesday 12 November 2025, 15:00 UTC. */
const NOON_S = 1_762_959_600;
const never = new AbortController().signal;

const undo: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const step of undo.splice(0)) await step();
});

function setUp() {
  const clock = { nowS: NOON_S + 5 };
  const stored: { sym: string; timeframe: Timeframe | undefined; times: number[] }[] = [];
  const first = scriptedVenue('first', clock, { symbols: [BTC] });
  const second = scriptedVenue('second', clock, { symbols: [BTC], close: 102 });
  const history = openFailoverHistory({
    venues: [first.venue, second.venue],
    marketKind: () => 'live',
    symbols: SYMBOLS,
    log: createLogger('silent'),
    store: {
      add: (_venue, sym, candles, timeframe) =>
        void stored.push({ sym, timeframe, times: candles.map(({ time }) => time) }),
      read: async () => [],
      forget: () => undefined,
    },
  });
  undo.push(() => history.close());
  const last = async (timeframe: Timeframe): Promise<Candle | undefined> =>
    (await history.latest(BTC, 450, never, timeframe)).candles.at(-1);
  return { clock, first, second, history, last, stored };
}

/** Sends the closed minutes of `[fromS, toS)`, one of them with its own high and volume. */
async function stream({ first, clock }: ReturnType<typeof setUp>, fromS: number, toS: number, missingS = 0) {
  for (let timeS = fromS; timeS < toS; timeS += 60) {
    clock.nowS = timeS + 61;
    if (timeS !== missingS) await first.emit({ ...first.candleAt(timeS), high: 200 + (timeS - fromS) / 60, volume: 2 });
  }
}

test('fetches bars with the first request for them, and none that no one requests', async () => {
  const { history, first, stored } = setUp();

  const { candles, asOfS } = await history.latest(BTC, 450, never, '15min');
  const again = await history.latest(BTC, 450, never, '15min');

  expect(candles).toHaveLength(450);
  expect(candles.every(({ time }, i) => time === NOON_S - (450 - i) * 900)).toBe(true);
  expect([asOfS, again.candles]).toEqual([NOON_S - 900, candles]);
  expect(first.calls).toHaveLength(1);
  expect(stored.map(({ timeframe }) => timeframe)).toEqual(['15min']);
});

test('adds a bar up from the minutes of the stream, without a call', async () => {
  const world = setUp();
  const { first, last, stored } = world;
  expect((await last('5min'))?.time).toBe(NOON_S - 300);

  await stream(world, NOON_S, NOON_S + 240);
  expect((await last('5min'))?.time).toBe(NOON_S - 300);
  await stream(world, NOON_S + 240, NOON_S + 300);

  const { open, low, close } = first.candleAt(NOON_S);
  expect(await last('5min')).toEqual({ time: NOON_S, open, high: 203, low, close, volume: 10 });
  expect(first.calls).toHaveLength(1);
  expect(stored.at(-1)).toEqual({ sym: BTC.sym, timeframe: '5min', times: [NOON_S] });
});

test("takes the venue's own bar where the stream missed one of its minutes", async () => {
  const world = setUp();
  const { first, last } = world;
  await last('15min');

  await stream(world, NOON_S, NOON_S + 900, NOON_S + 420);

  expect(await last('15min')).toEqual(first.candleAt(NOON_S));
  expect(first.calls).toHaveLength(2);
});

test('has no bar where the venue has none, and no bar after it until the gap is known', async () => {
  const { history, first } = setUp();
  first.missing.add(NOON_S - 1800);

  const { candles } = await history.latest(BTC, 10, never, '15min');

  expect(candles.map(({ time }) => (NOON_S - time) / 900)).toEqual([11, 10, 9, 8, 7, 6, 5, 4, 3, 1]);
});

test('keeps minutes and longer bars apart, each with its own venue', async () => {
  const { history, first, second } = setUp();
  await history.latest(BTC, 450, never);
  first.failure = new AppError('venue/unavailable');

  const bars = await history.latest(BTC, 450, never, '5min');
  const minutes = await history.latest(BTC, 450, never);

  expect([bars.venueId, bars.candles.at(-1)]).toEqual(['second', second.candleAt(NOON_S - 300)]);
  expect([minutes.venueId, minutes.candles.at(-1)]).toEqual(['first', first.candleAt(NOON_S - 60)]);
  expect(history.state().map(({ subject, source, isServing }) => [subject, source, isServing])).toEqual(
    expect.arrayContaining([
      ['BTC', 'first', true],
      ['BTC 5min', 'first', false],
      ['BTC 5min', 'second', true],
    ]),
  );
});

test('calls bars stale when the newest has been missing for more than two minutes', async () => {
  const { clock, first, second, history } = setUp();
  await history.latest(BTC, 450, never, '5min');
  for (const { failure } of [first, second]) expect(failure).toBeNull();
  first.failure = second.failure = new AppError('venue/unavailable');

  clock.nowS = NOON_S + 300 + 110;
  expect((await history.latest(BTC, 450, never, '5min')).isStale).toBe(false);
  clock.nowS = NOON_S + 300 + 130;
  await vi.waitFor(async () => expect((await history.latest(BTC, 450, never, '5min')).isStale).toBe(true));
});
