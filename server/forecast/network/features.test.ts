import { expect, test } from 'vitest';
import { isAppError } from '#domain/errors/app-error.ts';
import type { Candle } from '#domain/market/candle.ts';
import { generatedCandles } from '../models/generated-candles.ts';
import { calendarSlot } from './calendar-phase.ts';
import { buildFeatures, FEATURE_NAMES, featureAt, scaleFloorOf } from './features.ts';
import { buildModelInputs, MINUTE_CHANNELS } from './model-inputs.ts';

const CANDLES = generatedCandles({ seed: 'features', count: 600 });
const START_S = 1_735_689_600;

test('reads only the last 450 candles', () => {
  const whole = buildFeatures(CANDLES, 'crypto');
  const lookback = buildFeatures(CANDLES.slice(-450), 'crypto');

  expect(whole).toEqual(lookback);
  expect(whole.bars).toBe(450);
});

test('gives the same features for prices in another unit', () => {
  const dearer = CANDLES.map((c) => ({
    ...c,
    open: c.open * 8,
    high: c.high * 8,
    low: c.low * 8,
    close: c.close * 8,
  }));

  const features = buildFeatures(dearer, 'crypto');

  expect(features.scale).toBeCloseTo(buildFeatures(CANDLES, 'crypto').scale, 12);
});

test('accepts 120 candles, and refuses 119 with their number', () => {
  expect(buildFeatures(CANDLES.slice(-120), 'crypto').bars).toBe(120);
  expect(refusalOf(CANDLES.slice(-119))).toEqual({
    code: 'market/too-few-candles',
    details: { bars: 119, needed: 120 },
  });
  expect(refusalOf([])).toEqual({ code: 'market/too-few-candles', details: { bars: 0, needed: 120 } });
});

test('ignores the price move across a gap', () => {
  const calm = CANDLES.slice(-450, -30);
  const last = calm.at(-1);
  const jump = generatedCandles({
    seed: 'after',
    count: 30,
    startS: (last?.time ?? 0) + 60 * 60,
    firstOpen: 3 * (last?.close ?? 0),
  });

  const features = buildFeatures([...calm, ...jump], 'equity');

  expect(features.scale).toBeLessThan(2e-3);
  expect(features.session[5]).toBeCloseTo(Math.exp(-30 / 15), 10);
});

test('gives finite features at the smallest scale for constant prices', () => {
  const flat = CANDLES.map((c) => ({ ...c, open: 5, high: 5, low: 5, close: 5, volume: 0 }));

  const features = buildFeatures(flat, 'crypto');

  expect(features.scale).toBe(2e-5);
  expect(Array.from(features.values).every(Number.isFinite)).toBe(true);
});

test('gives a share the same opening rhythm in summer and in winter', () => {
  const summer = generatedCandles({ seed: 'x', count: 200, startS: Date.UTC(2025, 6, 1, 10, 0) / 1000 });
  const winter = generatedCandles({ seed: 'x', count: 200, startS: Date.UTC(2025, 0, 7, 11, 0) / 1000 });

  const [a, b] = [summer, winter].map((candles) => featureAt(buildFeatures(candles, 'equity'), 'day_sin_1'));

  expect(a).toBeCloseTo(b ?? Number.NaN, 10);
  expect(featureAt(buildFeatures(summer, 'crypto'), 'day_sin_1')).not.toBeCloseTo(
    featureAt(buildFeatures(winter, 'crypto'), 'day_sin_1'),
    3,
  );
});

const middle = 300;
test.each<[string, (c: Candle) => Candle, string]>([
  ['NaN', (c) => ({ ...c, close: Number.NaN }), 'low, open, close and high are out of order'],
  ['an endless price', (c) => ({ ...c, high: Number.POSITIVE_INFINITY }), 'price is not positive and finite'],
  ['a negative price', (c) => ({ ...c, low: -1 }), 'price is not positive and finite'],
  ['a price of 0', (c) => ({ ...c, low: 0 }), 'price is not positive and finite'],
  ['a low above the high', (c) => ({ ...c, low: c.high * 2 }), 'low, open, close and high are out of order'],
  ['half a minute', (c) => ({ ...c, time: c.time + 30 }), "time isn't a whole minute"],
  ['a time that is no number', (c) => ({ ...c, time: Number.NaN }), "time isn't a whole minute"],
  ['a minute twice', (c) => ({ ...c, time: c.time - 60 }), 'time does not increase'],
  ['time running back', (c) => ({ ...c, time: c.time - 6000 }), 'time does not increase'],
])('refuses %s in the middle of the lookback with its index', (_what, corrupt, reason) => {
  const candles = CANDLES.slice(-450).map((c, i) => (i === middle ? corrupt(c) : c));

  expect(refusalOf(candles)).toEqual({ code: 'forecast/failed', details: { reason, index: middle } });
});

test('names every feature', () => {
  expect(buildFeatures(CANDLES, 'crypto').values.length).toBe(FEATURE_NAMES.length);
});

function refusalOf(candles: Candle[]): unknown {
  try {
    buildFeatures(candles, 'crypto');
  } catch (error) {
    return isAppError(error) ? { code: error.code, details: error.details } : error;
  }
  return null;
}

test('reads longer bars like minutes of a slower clock', () => {
  const minutes = generatedCandles({ seed: 'bars', count: 450, startS: START_S });
  const bars = generatedCandles({ seed: 'bars', count: 450, startS: START_S, barS: 900 });
  const moved = bars.map((bar, i) => ({ ...(minutes[i] ?? bar), time: bar.time }));

  const [ofMinutes, ofBars] = [buildFeatures(minutes, 'crypto'), buildFeatures(moved, 'crypto', '15min')];

  expect(ofBars.barS).toBe(900);
  expect(ofBars.scale).toBe(ofMinutes.scale);
  expect(ofBars.t0).toBe(START_S + 449 * 900);
  const untimed = FEATURE_NAMES.flatMap((name, i) => (/^(day|hour)/.test(name) ? [] : [i]));
  expect(untimed.map((i) => ofBars.values[i])).toEqual(untimed.map((i) => ofMinutes.values[i]));
  const gapsAs = (timeframe: '1min' | '15min'): number => {
    const { minutes: channels } = buildModelInputs(moved, 'crypto', timeframe);
    const place = MINUTE_CHANNELS.indexOf('is_gap');
    return channels.reduce((sum, value, i) => sum + (i % MINUTE_CHANNELS.length === place ? value : 0), 0);
  };
  expect([gapsAs('15min'), gapsAs('1min')]).toEqual([0, 449]);
});

test('has a floor of the scale that grows with the bar', () => {
  expect(scaleFloorOf('1min')).toBe(2e-5);
  expect(scaleFloorOf('15min')).toBeCloseTo(2e-5 * Math.sqrt(15), 12);
});

test('gives the bars ahead their own minute of the hour and slot of the day', () => {
  const candles = generatedCandles({ seed: 'ahead', count: 450, startS: START_S, barS: 900 });

  const { ahead, features } = buildModelInputs(candles, 'crypto', '15min');

  const times = Array.from({ length: 50 }, (_, i) => features.t0 + (i + 1) * 900);
  expect(Array.from(ahead)).toEqual(times.flatMap((time) => [(time / 60) % 60, calendarSlot(time)]));
});
