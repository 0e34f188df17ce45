import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { aggregateCandles, formingBar } from './bars.ts';
import { type Candle, isWellFormed } from './candle.ts';
import { barMinutesOf, barSecondsOf, TIMEFRAMES } from './timeframes.ts';

const START_S = 1_735_689_600;

/** Minutes of a random walk, some of them missing. */
const someMinutes = fc
  .array(
    fc.record({
      up: fc.integer({ min: -3, max: 3 }),
      above: fc.nat({ max: 4 }),
      below: fc.nat({ max: 4 }),
      volume: fc.nat({ max: 9 }),
      isMissing: fc.integer({ min: 0, max: 19 }).map((draw) => draw === 0),
    }),
    { minLength: 1, maxLength: 120 },
  )
  .map((steps) => {
    let open = 1000;
    const all = steps.map(({ up, above, below, volume, isMissing }, i) => {
      const close = open + up;
      const candle: Candle = {
        time: START_S + 60 * i,
        open,
        high: Math.max(open, close) + above,
        low: Math.min(open, close) - below,
        close,
        volume,
      };
      open = close;
      return { candle, isMissing };
    });
    return all.filter(({ isMissing }) => !isMissing).map(({ candle }) => candle);
  });
const aTimeframe = fc.constantFrom(...TIMEFRAMES);
const anOffset = fc.nat({ max: 14 });

test('makes a bar of exactly its minutes, and none where one of them is missing', () => {
  let bars = 0;
  fc.assert(
    fc.property(someMinutes, aTimeframe, anOffset, (minutes, timeframe, offset) => {
      const barS = barSecondsOf(timeframe);
      const opensABar = (timeS: number): boolean => (timeS - 60 * offset) % barS === 0;
      const known = new Map(minutes.map((candle) => [candle.time, candle]));

      const created = aggregateCandles(minutes, timeframe, offset);

      const partsOf = (startS: number): (Candle | undefined)[] =>
        Array.from({ length: barMinutesOf(timeframe) }, (_, i) => known.get(startS + 60 * i));
      const whole = [...known.keys()].filter((timeS) => opensABar(timeS) && !partsOf(timeS).includes(undefined));
      expect(created.map(({ time }) => time)).toEqual(whole);
      for (const bar of created) {
        const parts = partsOf(bar.time).filter((part) => part !== undefined);
        expect(isWellFormed(bar)).toBe(true);
        expect([bar.open, bar.close]).toEqual([parts[0]?.open, parts.at(-1)?.close]);
        expect(bar.high).toBe(Math.max(...parts.map(({ high }) => high)));
        expect(bar.low).toBe(Math.min(...parts.map(({ low }) => low)));
        expect(bar.volume).toBe(parts.reduce((sum, { volume = 0 }) => sum + volume, 0));
        bars++;
      }
    }),
    { numRuns: 500 },
  );
  expect(bars).toBeGreaterThan(500);
});

test('makes the same bars of minutes as of bars in between', () => {
  fc.assert(
    fc.property(someMinutes, (minutes) => {
      const fives = new Map(aggregateCandles(minutes, '5min').map((bar) => [bar.time, bar]));
      for (const bar of aggregateCandles(minutes, '15min')) {
        const parts = [0, 300, 600].map((afterS) => fives.get(bar.time + afterS));
        expect(bar.high).toBe(Math.max(...parts.map((part) => part?.high ?? Number.NaN)));
        expect(bar.close).toBe(parts[2]?.close);
        expect(bar.volume).toBe(parts.reduce((sum, part) => sum + (part?.volume ?? Number.NaN), 0));
      }
    }),
    { numRuns: 300 },
  );
});

test('leaves minutes as they are, and volume at 0 for a feed without any', () => {
  const minutes = [0, 1, 2, 3, 4].map((i): Candle => ({ time: START_S + 60 * i, open: 9, high: 9, low: 9, close: 9 }));

  expect(aggregateCandles(minutes, '5min')).toEqual([{ time: START_S, open: 9, high: 9, low: 9, close: 9, volume: 0 }]);
  expect(aggregateCandles(minutes, '1min').map(({ time }) => time)).toEqual(minutes.map(({ time }) => time));
  expect(aggregateCandles(minutes.slice(1), '5min')).toEqual([]);
});

test('builds the bar that is not closed of its minutes so far, and none that lacks one of them', () => {
  const minutes = [0, 1, 2, 3].map((i) => ({
    time: START_S + 60 * i,
    open: 10 + i,
    high: 20 - i,
    low: 5 + i,
    close: 11 + i,
    volume: 1,
  }));

  expect(formingBar(minutes, START_S, 300)).toEqual({
    time: START_S,
    open: 10,
    high: 20,
    low: 5,
    close: 14,
    volume: 4,
  });
  // Its first minute, then one in between.
  expect(formingBar(minutes.slice(1), START_S, 300)).toBeNull();
  expect(formingBar(minutes.toSpliced(1, 1), START_S, 300)).toBeNull();
  expect(formingBar(minutes, START_S + 300, 300)).toBeNull();
});

test('is the closed bar once all its minutes are there', () => {
  fc.assert(
    fc.property(someMinutes, (minutes) => {
      for (const bar of aggregateCandles(minutes, '5min')) expect(formingBar(minutes, bar.time, 300)).toEqual(bar);
    }),
  );
});
