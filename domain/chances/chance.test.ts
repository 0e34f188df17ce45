import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Chance, chanceOf, momentPaths } from './chance.ts';
import type { ChanceForecast } from './chance-forecast.ts';
import type { ClockWindow } from './clock-window.ts';
import type { DrawnPaths } from './draw-paths.ts';
import type { ChanceQuestion, Moment } from './question.ts';
import { FIXTURE_CLOSE, FIXTURE_T0, fixtureForecast, fixtureMoment } from './testing/chance-fixtures.ts';

/** Two ways to compute the same chance may differ by this. */
const ROUNDING = 1e-9;
const forecast = fixtureForecast();
const moment = fixtureMoment();
const drawn = momentPaths(forecast, moment);
const paths = (): DrawnPaths | null => drawn;

const bars = fc.integer({ min: 1, max: 50 });
/** A price within 3% of the last close, and not so near that rounding makes it equal. */
const prices = fc
  .double({ min: -0.03, max: 0.03, noNaN: true })
  .filter((move) => Math.abs(move) > 1e-6)
  .map((move) => FIXTURE_CLOSE * Math.exp(move));
const afterS = fc.integer({ min: 0, max: 59 });

function answered(
  question: ChanceQuestion,
  at: Moment = moment,
  of: ChanceForecast = forecast,
  drawnPaths: (() => DrawnPaths | null) | undefined = at === moment && of === forecast ? paths : undefined,
): Chance {
  const found = chanceOf(question, of, at, drawnPaths === undefined ? {} : { paths: drawnPaths });
  if (!found.ok) throw new Error(found.message);
  return found;
}

function running(endS: number, open = FIXTURE_CLOSE, missing = 0): ClockWindow {
  return { openS: endS - 300, endS, open, missing };
}

test('gives above and below chances that sum to 1, and bands that do with what is outside them', () => {
  fc.assert(
    fc.property(prices, prices, bars, afterS, (a, b, bar, seconds) => {
      fc.pre(a !== b);
      const at = fixtureMoment(bar === 1 ? 0 : seconds);
      const [lower, upper] = [Math.min(a, b), Math.max(a, b)];
      const [above, below] = (['above', 'below'] as const).map((kind) => answered({ kind, price: a, bar }, at));
      const outside = answered({ kind: 'outside', lower, upper, bar }, at);
      const under = answered({ kind: 'below', price: lower, bar }, at);
      const over = answered({ kind: 'above', price: upper, bar }, at);

      for (const name of ['chance', 'baseline'] as const) {
        expect((above?.[name] ?? 0) + (below?.[name] ?? 0)).toBeCloseTo(1, 12);
        expect(outside[name]).toBeCloseTo(under[name] + over[name], 5);
      }
    }),
  );
});

test('is 0.5 at the money while nothing has happened', () => {
  fc.assert(
    fc.property(bars, fc.double({ min: 1e-5, max: 0.02, noNaN: true }), (bar, volatility) => {
      const own = fixtureForecast({ volatility });
      const found = answered({ kind: 'above', price: FIXTURE_CLOSE, bar }, moment, own);

      expect(found.chance).toBeCloseTo(0.5, 12);
      expect(found.baseline).toBeCloseTo(0.5, 12);
    }),
  );
  const window = running(FIXTURE_T0 + 60 + 300);
  expect(answered({ kind: 'window', window }).chance).toBeCloseTo(0.5, 12);
});

test('falls as the price to be above rises, and reaching a price becomes rarer further away', () => {
  fc.assert(
    fc.property(prices, prices, bars, (a, b, bar) => {
      const [lower, upper] = [Math.min(a, b), Math.max(a, b)];
      const [low, high] = [lower, upper].map((price) => answered({ kind: 'above', price, bar }));
      expect(low?.chance).toBeGreaterThanOrEqual((high?.chance ?? 1) - ROUNDING);
      expect(low?.baseline).toBeGreaterThanOrEqual((high?.baseline ?? 1) - ROUNDING);
      // Both on the same side of the last close.
      const distances = [a, b].map((price) => Math.abs(Math.log(price / FIXTURE_CLOSE)) + 1e-9).sort((x, y) => x - y);
      const [near, far] = distances.map((move) =>
        answered({ kind: 'touch', price: FIXTURE_CLOSE * Math.exp(move), bar }),
      );
      expect(near?.chance).toBeGreaterThanOrEqual((far?.chance ?? 1) - ROUNDING);
    }),
  );
});

test('rises with time for a price away from the money, and for reaching it', () => {
  fc.assert(
    fc.property(prices, bars, bars, fc.double({ min: 0.9, max: 1.1, noNaN: true }), (price, a, b, trend) => {
      fc.pre(a !== b);
      const own = fixtureForecast({ trend });
      const ofOwn = momentPaths(own, moment);
      const [early, late] = [Math.min(a, b), Math.max(a, b)];
      const kind = price > FIXTURE_CLOSE ? 'above' : 'below';
      for (const each of [kind, 'touch'] as const) {
        const [first, second] = [early, late].map((bar) =>
          answered({ kind: each, price, bar }, moment, own, () => ofOwn),
        );
        expect(second?.chance).toBeGreaterThanOrEqual((first?.chance ?? 1) - ROUNDING);
        expect(second?.baseline).toBeGreaterThanOrEqual((first?.baseline ?? 1) - ROUNDING);
      }
    }),
    { numRuns: 40 },
  );
});

test('never makes reaching a price rarer than closing beyond it', () => {
  fc.assert(
    fc.property(prices, bars, (price, bar) => {
      const touch = answered({ kind: 'touch', price, bar });
      const beyond = answered({ kind: price > FIXTURE_CLOSE ? 'above' : 'below', price, bar });

      expect(touch.chance).toBeGreaterThanOrEqual(beyond.chance - ROUNDING);
      expect(touch.baseline).toBeGreaterThanOrEqual(beyond.baseline - ROUNDING);
    }),
  );
});

test('lets target, stop and neither sum to 1, and prefers the nearer', () => {
  fc.assert(
    fc.property(
      fc.double({ min: 1e-4, max: 0.03, noNaN: true }),
      fc.double({ min: 1e-4, max: 0.03, noNaN: true }),
      bars,
      (up, down, bar) => {
        const [high, low] = [FIXTURE_CLOSE * Math.exp(up), FIXTURE_CLOSE * Math.exp(-down)];
        const first = answered({ kind: 'first', target: high, stop: low, bar });
        const other = answered({ kind: 'first', target: low, stop: high, bar });

        expect(first.chance + other.chance).toBeLessThan(1);
        expect(first.baseline + other.baseline).toBeLessThan(1 + 1e-9);
        if (up < down) {
          expect(first.chance).toBeGreaterThanOrEqual(other.chance - ROUNDING);
          expect(first.baseline).toBeGreaterThanOrEqual(other.baseline - ROUNDING);
        }
        const touch = answered({ kind: 'touch', price: high, bar });
        expect(touch.chance).toBeGreaterThan(first.chance - 0.03);
      },
    ),
    { numRuns: 50 },
  );
});

test('does not depend on the unit of the price', () => {
  fc.assert(
    fc.property(prices, bars, fc.double({ min: 1e-6, max: 1e6, noNaN: true }), (price, bar, unit) => {
      const scaled = fixtureForecast({ lastClose: FIXTURE_CLOSE * unit });
      const at = fixtureMoment(0, FIXTURE_CLOSE * unit);
      for (const kind of ['above', 'touch'] as const) {
        const own = answered({ kind, price, bar });
        const other = answered({ kind, price: price * unit, bar }, at, scaled, paths);
        expect(other.chance).toBeCloseTo(own.chance, 3);
        expect(other.baseline).toBeCloseTo(own.baseline, 9);
      }
    }),
    { numRuns: 50 },
  );
});

test('draws the same paths for the same key and others for another', () => {
  const touch = { kind: 'touch', price: FIXTURE_CLOSE * 1.002, bar: 30 } as const;
  const again = answered(touch, fixtureMoment(), fixtureForecast());
  const other = answered(touch, moment, fixtureForecast({ key: 'BTCUSDT.P lion-fixture 60 60' }));

  expect(again.chance).toBe(answered(touch).chance);
  expect(other.chance).not.toBe(again.chance);
  expect(other.chance).toBeCloseTo(again.chance, 1);
});

test('grows surer as the running minute passes and the price stays beyond', () => {
  const price = FIXTURE_CLOSE * 0.9995;
  const window = running(FIXTURE_T0 + 60 + 60, price);
  const chances = [0, 15, 30, 45, 58].map((seconds) => answered({ kind: 'window', window }, fixtureMoment(seconds)));

  for (const name of ['chance', 'baseline'] as const) {
    expect(chances.map((each) => each[name])).toEqual(chances.map((each) => each[name]).sort((a, b) => a - b));
    expect(chances.at(-1)?.[name]).toBeLessThan(1);
  }
});

test('forecasts the sixty minutes of an hour that has just begun, ten more than its quantiles reach', () => {
  const window = { openS: FIXTURE_T0 + 60, endS: FIXTURE_T0 + 60 + 3600, open: FIXTURE_CLOSE * 0.999, missing: 0 };
  const hour = answered({ kind: 'window', window });
  const fifty = answered({ kind: 'above', price: FIXTURE_CLOSE * 0.999, bar: 50 });

  expect(hour.chance).toBeGreaterThan(0.5);
  expect(hour.chance).toBeLessThan(fifty.chance);
});

test('is never 0, 1 or NaN for prices far beyond the forecast', () => {
  for (const factor of [1e-5, 0.5, 0.999999, 1.000001, 2, 1e5]) {
    for (const kind of ['above', 'below', 'touch'] as const) {
      const { chance, baseline } = answered({ kind, price: FIXTURE_CLOSE * factor, bar: 3 });
      expect(chance).toBeGreaterThan(0);
      expect(chance).toBeLessThan(1);
      expect(baseline).toBeGreaterThan(0);
      expect(baseline).toBeLessThan(1);
    }
  }
});

test('says how many minutes of the window it does not know, and how often similar ones came true', () => {
  const window = running(FIXTURE_T0 + 60 + 240, FIXTURE_CLOSE, 2);
  const found = chanceOf({ kind: 'window', window }, forecast, moment, {
    similar: () => ({ count: 90, happened: 44 }),
  });

  expect(found).toMatchObject({ ok: true, missingMinutes: 2, similar: { count: 90, happened: 44 } });
  expect(answered({ kind: 'window', window }).similar).toBeNull();
});

const above = (price: number, bar = 5): ChanceQuestion => ({ kind: 'above', price, bar });

test.each<[string, ChanceQuestion, Partial<Moment>]>([
  ['price-invalid', above(0), {}],
  ['price-invalid', above(-64_000), {}],
  ['price-invalid', above(Number.POSITIVE_INFINITY), {}],
  ['price-invalid', above(Number.NaN), {}],
  ['price-invalid', above(64_000), { price: 0 }],
  ['price-too-far', above(FIXTURE_CLOSE * 1.1e6), {}],
  ['price-too-far', { kind: 'touch', price: FIXTURE_CLOSE / 1.1e6, bar: 5 }, {}],
  ['already-reached', { kind: 'touch', price: FIXTURE_CLOSE, bar: 5 }, {}],
  ['already-reached', { kind: 'first', target: FIXTURE_CLOSE, stop: 63_000, bar: 5 }, {}],
  ['same-side', { kind: 'first', target: 65_000, stop: 66_000, bar: 5 }, {}],
  ['band-order', { kind: 'outside', lower: 65_000, upper: 63_000, bar: 5 }, {}],
  ['bar-outside', above(64_000, 0), {}],
  ['bar-outside', above(64_000, 51), {}],
  ['bar-outside', above(64_000, 1.5), {}],
  ['bar-outside', above(64_000, Number.NaN), {}],
  ['bar-outside', above(64_000, 1), fixtureMoment(59.5)],
  ['window-over', { kind: 'window', window: running(FIXTURE_T0 + 60) }, {}],
  ['window-over', { kind: 'window', window: running(FIXTURE_T0 + 120) }, fixtureMoment(59.5)],
  ['bar-outside', { kind: 'window', window: running(FIXTURE_T0 + 60 + 61 * 60) }, {}],
  ['price-stale', above(64_000), { priceAtMs: moment.nowMs - 61_000 }],
  ['price-stale', above(64_000), { priceAtMs: Number.NaN }],
  ['forecast-stale', above(64_000), fixtureMoment(180)],
  ['market-halted', above(64_000), { isHalted: true }],
])('refuses as text: %s', (reason, question, own) => {
  const found = chanceOf(question, forecast, { ...moment, ...own });

  expect(found).toMatchObject({ ok: false, reason });
  expect(found.ok === false && found.message).toMatch(/^[A-Z].+\.$/);
});

test('refuses questions by paths of a forecast without tables', () => {
  const bare = fixtureForecast({ paths: null });

  expect(chanceOf({ kind: 'touch', price: 65_000, bar: 5 }, bare, moment)).toMatchObject({ reason: 'paths-missing' });
  expect(chanceOf(above(65_000), bare, moment)).toMatchObject({ ok: true });
});
