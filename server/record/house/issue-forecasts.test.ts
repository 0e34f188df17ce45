import { beforeEach, describe, expect, test } from 'vitest';
import { AppError } from '#domain/errors/app-error.ts';
import { MODEL_NAMES, type ModelName } from '#domain/forecast/models.ts';
import { type MarketSymbol, SYMBOLS } from '#domain/market/symbols.ts';
import { symbolNamed } from '#domain/market/testing/symbol-named.ts';
import { barSecondsOf, TIMEFRAMES, type Timeframe } from '#domain/market/timeframes.ts';
import type { UnsealedChance } from '#domain/record/ledger/chance-text.ts';
import { timeframeOfRecord } from '#domain/record/ledger/ledger.ts';
import type { Forecast } from '../../forecast/forecast.ts';
import type { ModelState } from '../../forecast/models/model-registry.ts';
import { makeForecast } from '../../forecast/testing/fake-forecasts.ts';
import type { HistorySlice } from '../../market/candles/candle-history.ts';
import { createLogger } from '../../platform/telemetry/log.ts';
import { ClockBehind, type LedgerStore, type ToAppend } from '../ledger/ledger-store.ts';
import { openBaselines } from './baselines.ts';
import type { HouseIssuer, Miss } from './house-slot.ts';
import { CHANCES, type HouseDeps, openHouse } from './issue-forecasts.ts';

const { currentOf: baselineOf } = await openBaselines();
const never = new AbortController().signal;
/** A Saturday, when every exchange is closed. No quarter of an hour begins: one-minute candles alone are due. */
const NIGHT_S = Date.parse('2026-11-21T05:05:00Z') / 1000;
const DAY_S = Date.parse('2026-11-23T16:05:00Z') / 1000;
const SECOND = 1000;
const COINS = SYMBOLS.filter(({ hours }) => hours === 'always').map(({ sym }) => sym);
const BTC = symbolNamed('BTC').sym;
const ETH = symbolNamed('ETH').sym;
/** The number of records of one slot at night. */
const NIGHT_RECORDS = COINS.length * MODEL_NAMES.length;
/** While every exchange is open. */
const ALL_RECORDS = SYMBOLS.length * MODEL_NAMES.length;

let nowMs: number;
/** What the venue returns for a symbol; the function is called each time. */
let venue: Record<string, () => Partial<HistorySlice> | Promise<Partial<HistorySlice>>>;
let computed: string[];
let forecastOf: (symbol: MarketSymbol, model: ModelName, timeframe: Timeframe) => Promise<Forecast>;
let states: Record<ModelName, ModelState['state']>;
/** Of models of longer candles; null: not opened yet. */
let longerState: ModelState['state'] | null;
let book: ToAppend[];
let chances: UnsealedChance[];
let refuse: (() => Error | null) | null;
let misses: Miss[];

/** Opening second of the newest closed bar. */
const closedBarOf = (ms: number, timeframe: Timeframe): number => {
  const barS = barSecondsOf(timeframe);
  return Math.floor(ms / 1000 / barS) * barS - barS;
};

beforeEach(() => {
  nowMs = (NIGHT_S + 1) * SECOND;
  venue = {};
  computed = [];
  forecastOf = async (symbol, model, timeframe) =>
    makeForecast(symbol.exc, symbol, model, closedBarOf(nowMs, timeframe), timeframe);
  states = { bobcat: 'ready', panther: 'ready', lion: 'ready' };
  longerState = null;
  book = [];
  chances = [];
  refuse = null;
  misses = [];
});

const ledger: Pick<LedgerStore, 'append' | 'appendChances'> = {
  async append(records) {
    const refusal = refuse?.() ?? null;
    if (refusal !== null) throw refusal;
    const keyOf = ({ record: { market, slot, tf, sym, model, role, version } }: ToAppend): string =>
      JSON.stringify([market, slot, tf, sym, model, role, version]);
    const fresh = records.filter((one) => !book.some((known) => keyOf(known) === keyOf(one)));
    book.push(...fresh);
    return { appended: fresh.map((_, i) => book.length + i), skipped: records.length - fresh.length };
  },
  async appendChances(added) {
    const refusal = refuse?.() ?? null;
    if (refusal !== null) throw refusal;
    const keyOf = ({ slot, window, sym }: UnsealedChance): string => JSON.stringify([slot, window, sym]);
    const fresh = added.filter((one) => !chances.some((known) => keyOf(known) === keyOf(one)));
    chances.push(...fresh);
    return { appended: fresh.map((_, i) => chances.length + i), skipped: added.length - fresh.length };
  },
};

function issuerAs(role: HouseIssuer['role']): HouseIssuer {
  return {
    role,
    forecasts: {
      async current(_exc, symbol, model, _signal, timeframe = '1min') {
        computed.push(`${symbol.sym} ${model}`);
        return await forecastOf(symbol, model, timeframe);
      },
    },
    registry: {
      stateOf(model, timeframe) {
        const state = timeframe === '1min' ? states[model] : longerState;
        return state === null ? null : ({ state, reason: 'test', model: null } as unknown as ModelState);
      },
    },
  };
}

function house(over: Partial<HouseDeps> = {}) {
  const clock = { nowMs: () => nowMs };
  return openHouse({
    issuers: [issuerAs('serving')],
    kindOf: () => 'simulated',
    history: {
      async latest(symbol, _count, _signal, timeframe = '1min') {
        const slice: HistorySlice = {
          candles: [],
          marketKind: 'simulated',
          venueId: 'fake',
          attribution: 'Fake',
          delayS: 0,
          asOfS: closedBarOf(nowMs, timeframe),
          isStale: false,
          isOpen: true,
          nowMs,
        };
        return { ...slice, ...(await venue[symbol.sym]?.()) };
      },
    },
    ledger,
    baselineOf,
    clock,
    marketClock: clock,
    log: createLogger('silent'),
    misses: { add: async (_slotS, all) => void misses.push(...all) },
    // Waiting for a retry advances the clock by the same time.
    pace: {
      untilMs: (ms) => ms - nowMs,
      ofOursMs(ms) {
        nowMs += ms;
        return 0;
      },
    },
    patienceMs: 100,
    ...over,
  });
}

const written = (): string[] => book.map(({ record: { sym, model } }) => `${sym} ${model}`);

test('records every traded symbol and model once in a slot’s first minute', async () => {
  const { run } = house();

  const { nextInMs } = await run(never);
  await run(never);

  expect(written().sort()).toEqual(COINS.flatMap((sym) => MODEL_NAMES.map((model) => `${sym} ${model}`)).sort());
  expect(book.every(({ record }) => record.slot === NIGHT_S && record.issued === nowMs)).toBe(true);
  expect(nextInMs).toBe(299_250);
  expect([computed.length, misses]).toEqual([NIGHT_RECORDS, []]);
});

test('records shares, metals and the rest within their hours', async () => {
  nowMs = (DAY_S + 1) * SECOND;

  await house().run(never);

  expect(book).toHaveLength(SYMBOLS.length * MODEL_NAMES.length);
});

test.each([
  ['between two slots', 120],
  ['late in the first minute', 51],
])('issues nothing %s, and returns for the next slot', async (_when, secondsIn) => {
  nowMs = (NIGHT_S + secondsIn) * SECOND;

  const { nextInMs } = await house().run(never);

  expect([book, misses, computed]).toEqual([[], [], []]);
  expect(nextInMs).toBe((300 - secondsIn) * SECOND + 250);
});

test('waits for a late candle, and runs no network on the minute before', async () => {
  const fromMs = nowMs + 7000;
  for (const sym of COINS) venue[sym] = () => (nowMs < fromMs ? { asOfS: NIGHT_S - 120 } : {});

  await house().run(never);

  expect([book.length, computed.length, misses]).toEqual([NIGHT_RECORDS, NIGHT_RECORDS, []]);
  expect(Math.min(...book.map(({ record }) => record.issued))).toBeGreaterThanOrEqual(fromMs);
});

test('records only the symbol of a missing candle as missed, with the reason', async () => {
  venue[BTC] = () => ({ asOfS: NIGHT_S - 120 });

  await house().run(never);

  expect(book).toHaveLength(NIGHT_RECORDS - MODEL_NAMES.length);
  expect(misses.map(({ due, reason }) => [due.symbol.sym, due.model, reason])).toEqual(
    MODEL_NAMES.map((model) => [BTC, model, 'candle-late']),
  );
});

test('does not let a hanging venue delay the others', async () => {
  venue[BTC] = () => new Promise(() => undefined);
  const began = performance.now();

  await house().run(never);

  expect(new Set(book.map(({ record }) => record.sym))).toEqual(new Set(COINS.filter((sym) => sym !== BTC)));
  expect(misses.map(({ reason }) => reason)).toEqual(MODEL_NAMES.map(() => 'venue-unavailable'));
  expect(performance.now() - began).toBeLessThan(9000);
});

test('does not let a hanging network delay the others', async () => {
  forecastOf = async (symbol, model) =>
    model === 'panther' ? new Promise(() => undefined) : makeForecast(symbol.exc, symbol, model, NIGHT_S - 60);

  await house({ patienceMs: 10 }).run(never);

  expect([book.length, misses.length]).toEqual([NIGHT_RECORDS - COINS.length, COINS.length]);
  expect(new Set(misses.map(({ due, reason }) => `${due.model} ${reason}`))).toEqual(new Set(['panther out-of-time']));
});

test('loses nothing when a venue recovers within the minute', async () => {
  const backMs = nowMs + 20_000;
  for (const sym of [BTC, ETH]) {
    venue[sym] = () => {
      if (nowMs < backMs) throw new AppError('venue/unavailable');
      return {};
    };
  }

  await house().run(never);

  expect([book.length, misses]).toEqual([NIGHT_RECORDS, []]);
});

test('discards a forecast that is finished after the slot’s minute', async () => {
  forecastOf = async (symbol, model) => {
    const forecast = makeForecast(symbol.exc, symbol, model, NIGHT_S - 60);
    nowMs += 20 * SECOND;
    return forecast;
  };

  await house().run(never);

  expect(book).toHaveLength(2);
  expect(book.every(({ record }) => record.issued < (NIGHT_S + 50) * SECOND)).toBe(true);
  expect(new Set(misses.map(({ reason }) => reason))).toEqual(new Set(['out-of-time']));
});

test('refuses a forecast of another minute', async () => {
  forecastOf = async (symbol, model) => makeForecast(symbol.exc, symbol, model, NIGHT_S);

  await house().run(never);

  expect(book).toEqual([]);
  expect(misses).toHaveLength(NIGHT_RECORDS);
});

test('neither issues nor misses symbols without a venue or with a delayed feed', async () => {
  nowMs = (DAY_S + 1) * SECOND;
  venue['GC1!'] = () => ({ delayS: 900 });
  venue.MSFT = () => {
    throw new AppError('venue/not-connected');
  };

  await house().run(never);

  expect(new Set(book.map(({ record }) => record.sym))).not.toContain('GC1!');
  expect([book.length, misses]).toEqual([(SYMBOLS.length - 2) * MODEL_NAMES.length, []]);
});

test('issues nothing for an untrained model', async () => {
  states.lion = 'not-trained';

  await house().run(never);

  expect([book.length, misses]).toEqual([NIGHT_RECORDS - COINS.length, []]);
  expect(written().some((name) => name.endsWith('lion'))).toBe(false);
});

test('waits for a clock behind the chain’s, and misses the slot if it stays behind', async () => {
  const soundMs = nowMs + 10_000;
  refuse = () => (nowMs < soundMs ? new ClockBehind(soundMs - nowMs) : null);
  await house().run(never);
  expect([book.length, misses]).toEqual([NIGHT_RECORDS, []]);

  nowMs = (NIGHT_S + 301) * SECOND;
  refuse = () => new ClockBehind(60_000);
  await house().run(never);

  expect(book).toHaveLength(NIGHT_RECORDS);
  expect(new Set(misses.map(({ reason }) => reason))).toEqual(new Set(['clock-behind']));
});

test('loses nothing during a short database outage', async () => {
  let refusals = 20;
  refuse = () => (refusals-- > 0 ? new AppError('database/unavailable') : null);

  await house().run(never);

  expect([book.length, misses]).toEqual([NIGHT_RECORDS, []]);
});

test('writes nothing twice when another process works on the same slot', async () => {
  await Promise.all([house().run(never), house().run(never)]);
  await house().run(never);

  expect([book.length, misses]).toEqual([NIGHT_RECORDS, []]);
});

test('records shadow models beside the serving ones, in their own role', async () => {
  await house({ issuers: [issuerAs('serving'), issuerAs('shadow')] }).run(never);

  expect(book.filter(({ record }) => record.role === 'shadow')).toHaveLength(NIGHT_RECORDS);
  expect(book).toHaveLength(2 * NIGHT_RECORDS);
});

test('runs one network at a time', async () => {
  let [now, most] = [0, 0];
  forecastOf = async (symbol, model) => {
    now += 1;
    most = Math.max(most, now);
    await new Promise((later) => setImmediate(later));
    now -= 1;
    return makeForecast(symbol.exc, symbol, model, NIGHT_S - 60);
  };

  await house().run(never);

  expect([most, book.length]).toEqual([1, NIGHT_RECORDS]);
});

test('stops immediately when aborted, and continues on the next run', async () => {
  const stopping = new AbortController();
  const { run } = house();
  forecastOf = async (symbol, model) => {
    if (book.length === 5) stopping.abort();
    stopping.signal.throwIfAborted();
    return makeForecast(symbol.exc, symbol, model, NIGHT_S - 60);
  };
  await expect(run(stopping.signal)).rejects.toThrow('abort');
  expect(book).toHaveLength(5);

  forecastOf = async (symbol, model) => makeForecast(symbol.exc, symbol, model, NIGHT_S - 60);
  await run(never);

  expect([book.length, new Set(written()).size, misses]).toEqual([NIGHT_RECORDS, NIGHT_RECORDS, []]);
});

/** Records by timeframe. */
function countsOf(): Record<string, number> {
  return Object.fromEntries(
    TIMEFRAMES.map((timeframe) => [
      timeframe,
      book.filter(({ record }) => timeframeOfRecord(record) === timeframe).length,
    ]),
  );
}

test.each([
  ['at a whole hour', '2026-11-21T06:00:00Z', { '1min': NIGHT_RECORDS, '5min': NIGHT_RECORDS, '15min': NIGHT_RECORDS }],
  ['at a quarter', '2026-11-21T06:15:00Z', { '1min': NIGHT_RECORDS, '5min': NIGHT_RECORDS, '15min': 0 }],
  ['between two quarters', '2026-11-21T06:20:00Z', { '1min': NIGHT_RECORDS, '5min': 0, '15min': 0 }],
  [
    'at a whole hour of trading, of coins alone',
    '2026-11-23T16:00:00Z',
    { '1min': ALL_RECORDS, '5min': NIGHT_RECORDS, '15min': NIGHT_RECORDS },
  ],
])('records longer candles %s', async (_when, iso, wanted) => {
  nowMs = Date.parse(iso) + SECOND;

  await house().run(never);

  expect([countsOf(), misses]).toEqual([wanted, []]);
  for (const { record } of book) {
    const { slot, tf } = record;
    expect([slot, record.baseline]).toEqual([Date.parse(iso) / 1000, baselineOf(tf ?? '1min').version]);
  }
});

test('misses only the timeframe whose candle is late', async () => {
  nowMs = Date.parse('2026-11-21T06:15:01Z');
  forecastOf = async (symbol, model, timeframe) =>
    makeForecast(
      symbol.exc,
      symbol,
      model,
      closedBarOf(nowMs, timeframe) - (timeframe === '5min' ? 300 : 0),
      timeframe,
    );

  await house().run(never);

  expect(countsOf()).toEqual({ '1min': NIGHT_RECORDS, '5min': 0, '15min': 0 });
  expect(new Set(misses.map(({ due, reason }) => `${due.timeframe} ${reason}`))).toEqual(new Set(['5min candle-late']));
});

test('neither issues nor misses longer candles without a model for them, and tries a disabled one again', async () => {
  nowMs = Date.parse('2026-11-21T06:15:01Z');
  const makeOne = forecastOf;
  forecastOf = async (symbol, model, timeframe) => {
    if (timeframe !== '1min') throw new AppError('forecast/not-trained');
    return await makeOne(symbol, model, timeframe);
  };
  await house().run(never);
  expect([countsOf(), misses]).toEqual([{ '1min': NIGHT_RECORDS, '5min': 0, '15min': 0 }, []]);

  longerState = 'not-trained';
  computed = [];
  nowMs += 15 * 60 * SECOND;
  await house().run(never);
  expect(computed).toHaveLength(NIGHT_RECORDS);

  longerState = 'disabled';
  forecastOf = makeOne;
  nowMs += 15 * 60 * SECOND;
  await house().run(never);
  expect(countsOf()).toEqual({ '1min': 3 * NIGHT_RECORDS, '5min': NIGHT_RECORDS, '15min': 0 });
});

test('issues only the timeframes that an issuer names', async () => {
  nowMs = Date.parse('2026-11-21T06:00:01Z');

  await house({ issuers: [{ ...issuerAs('shadow'), timeframes: ['1min'] }] }).run(never);

  expect(countsOf()).toEqual({ '1min': NIGHT_RECORDS, '5min': 0, '15min': 0 });
});

describe('chances of clock windows', () => {
  const QUARTER_S = Date.parse('2026-11-21T06:00:00Z') / 1000;
  const chanceHouse = (over: Partial<HouseDeps> = {}) => house({ schedule: CHANCES, ...over });
  const windowsOf = (sym: string) => chances.filter((one) => one.sym === sym).map(({ window }) => window);

  test.each([
    [1, [5]],
    [3, [5, 15]],
    [6, [5]],
    [8, [5, 15]],
    [12, [15]],
  ])('records each coin’s windows %i minutes into a quarter of an hour, by Lion alone', async (minute, windows) => {
    nowMs = (QUARTER_S + minute * 60 + 1) * SECOND;

    const { nextInMs } = await chanceHouse().run(never);
    await chanceHouse().run(never);

    expect([...new Set(chances.map(({ sym }) => sym))]).toEqual(COINS);
    expect(windowsOf(BTC)).toEqual(windows);
    expect(new Set(computed)).toEqual(new Set(COINS.map((sym) => `${sym} lion`)));
    for (const { slot, issued, close, open, chance, baseline, salt } of chances) {
      expect([slot, issued]).toEqual([QUARTER_S + minute * 60, nowMs]);
      expect([Number(open) > 0, Number(close) > 0, chance > 0 && baseline > 0, salt.length]).toEqual([
        true,
        true,
        true,
        22,
      ]);
    }
    expect(new Set(chances.map(({ salt }) => salt)).size).toBe(chances.length);
    expect([misses, book]).toEqual([[], []]);
    expect(nextInMs).toBeGreaterThan(0);
  });

  test.each([
    [0, 1],
    [3, 3],
    [9, 2],
    [13, 3],
  ])('sleeps from minute %i until the next moment', async (minute, minutesLater) => {
    nowMs = (QUARTER_S + minute * 60) * SECOND + 1000;
    const { nextInMs } = await chanceHouse().run(never);
    expect(nextInMs).toBe(minutesLater * 60 * SECOND - 1000 + 250);
  });

  test('records a miss for each window when a coin’s candle stays late, and others’ chances', async () => {
    nowMs = (QUARTER_S + 3 * 60 + 1) * SECOND;
    venue[ETH] = () => ({ asOfS: closedBarOf(nowMs, '1min') - 60 });
    const { run } = chanceHouse();
    await run(never);
    // The next run finds the time for this moment over.
    nowMs = (QUARTER_S + 4 * 60) * SECOND;
    await run(never);

    expect(windowsOf(BTC)).toEqual([5, 15]);
    expect(windowsOf(ETH)).toEqual([]);
    expect(misses.map(({ due, reason }) => [due.symbol.sym, due.window, reason])).toEqual([
      [ETH, 5, 'candle-late'],
      [ETH, 15, 'candle-late'],
    ]);
  });

  test('adds nothing to a moment that is half a minute old', async () => {
    nowMs = (QUARTER_S + 3 * 60 + 30) * SECOND;
    await chanceHouse().run(never);
    expect([chances, misses]).toEqual([[], []]);
  });

  test('records a miss when the candle that opened the window is missing', async () => {
    nowMs = (QUARTER_S + 8 * 60 + 1) * SECOND;
    const makeOne = forecastOf;
    forecastOf = async (...of) => {
      const forecast = await makeOne(...of);
      return { ...forecast, lookback: forecast.lookback.filter(({ time }) => time !== QUARTER_S) };
    };
    const { run } = chanceHouse({ symbols: [symbolNamed('BTC')] });
    await run(never);
    nowMs += 60 * SECOND;
    await run(never);
    expect(windowsOf(BTC)).toEqual([5]);
    expect(misses.map(({ due, reason }) => [due.window, reason])).toEqual([[15, 'too-few-candles']]);
  });

  test('issues none while Lion is disabled, and none by a shadow model', async () => {
    nowMs = (QUARTER_S + 3 * 60 + 1) * SECOND;
    states.lion = 'disabled';
    await chanceHouse().run(never);
    states.lion = 'ready';
    await chanceHouse({ issuers: [issuerAs('shadow')] }).run(never);
    expect([chances, misses]).toEqual([[], []]);
  });
});
