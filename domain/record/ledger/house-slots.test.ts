import fc from 'fast-check';
import { expect, test } from 'vitest';
import { SYMBOLS } from '../../market/symbols.ts';
import { symbolNamed } from '../../market/testing/symbol-named.ts';
import { barSecondsOf, TIMEFRAMES } from '../../market/timeframes.ts';
import { expectedIn, isSlotDue, slotOf } from './house-slots.ts';

const at = (iso: string): number => Date.parse(iso) / 1000;
const BTC = symbolNamed('BTC');
const MSFT = symbolNamed('MSFT');
const GOLD = symbolNamed('Gold');
const DAY_S = 86_400;

test.each([
  ['before the opening candle has closed', '2026-11-23T14:30:00Z', false],
  ['five minutes after the opening', '2026-11-23T14:35:00Z', true],
  ['with fifty minutes left to the close', '2026-11-23T20:10:00Z', true],
  ['with forty-five minutes left', '2026-11-23T20:15:00Z', false],
  ['in the night', '2026-11-23T03:00:00Z', false],
  ['on a Sunday', '2026-11-22T15:00:00Z', false],
  ['on Thanksgiving', '2026-11-26T15:00:00Z', false],
  ['on the short day after it, 50 minutes before 13:00 in New York', '2026-11-27T17:10:00Z', true],
  ['on the short day after it, 45 minutes before', '2026-11-27T17:15:00Z', false],
])('expects a share’s slots %s', (_when, iso, expected) => {
  expect(isSlotDue(MSFT, 'live', at(iso))).toBe(expected);
});

test('moves the hours of a share by one at the clock change', () => {
  expect(isSlotDue(MSFT, 'live', at('2026-10-30T13:35:00Z'))).toBe(true);
  expect(isSlotDue(MSFT, 'live', at('2026-11-02T13:35:00Z'))).toBe(false);
  expect(isSlotDue(MSFT, 'live', at('2026-11-02T14:35:00Z'))).toBe(true);
});

test('ignores holidays in a replay of other days', () => {
  expect(isSlotDue(MSFT, 'replayed', at('2026-11-26T15:00:00Z'))).toBe(true);
});

test('expects no gold forecast that reaches into its daily hour of rest', () => {
  // 17:00 to 18:00 in New York.
  const inUtc = ['21:10', '21:15', '22:00', '22:30', '23:00', '23:05'].map((time) =>
    isSlotDue(GOLD, 'live', at(`2026-11-23T${time}:00Z`)),
  );

  expect(inUtc).toEqual([true, false, false, false, false, true]);
});

test('expects 288 slots a day of coins, on days of clock changes and holidays too', () => {
  for (const day of ['2026-11-01', '2026-03-08', '2026-12-25']) {
    const fromS = at(`${day}T00:00:00Z`);

    expect(expectedIn(BTC, 'live', fromS, fromS + DAY_S)).toBe(288);
  }
});

test.each([BTC, MSFT, GOLD])('counts are what single slots add up to, whatever the edges: $label', (traded) => {
  const fromS = at('2026-11-25T13:07:00Z');
  const toS = at('2026-11-28T20:11:00Z');
  let count = 0;
  for (let slotS = slotOf(fromS) + 300; slotS < toS; slotS += 300) count += Number(isSlotDue(traded, 'live', slotS));

  expect(expectedIn(traded, 'live', fromS, toS)).toBe(count);
  expect(expectedIn(traded, 'live', fromS, fromS + DAY_S) + expectedIn(traded, 'live', fromS + DAY_S, toS)).toBe(count);
});

test('expects 68 slots on an ordinary day of a share', () => {
  const fromS = at('2026-11-23T00:00:00Z');

  expect(expectedIn(MSFT, 'live', fromS, fromS + DAY_S)).toBe(68);
  expect(expectedIn(MSFT, 'live', fromS, fromS)).toBe(0);
  expect(expectedIn(MSFT, 'live', fromS + DAY_S, fromS)).toBe(0);
});

test.each([
  ['1min', 288],
  ['5min', 96],
  ['15min', 24],
] as const)('expects %s of each coin %i times a day, on days of clock changes and holidays too', (timeframe, count) => {
  for (const day of ['2026-11-01', '2026-03-08', '2026-12-25']) {
    const fromS = at(`${day}T00:00:00Z`);
    expect(expectedIn(BTC, 'live', fromS, fromS + DAY_S, timeframe)).toBe(count);
  }
});

test.each(['5min', '15min'] as const)('expects %s of the coins alone', (timeframe) => {
  const fromS = at('2026-11-23T00:00:00Z');
  const recorded = SYMBOLS.filter((symbol) => expectedIn(symbol, 'live', fromS, fromS + DAY_S, timeframe) > 0);

  expect(recorded).toEqual(SYMBOLS.filter(({ assetClass }) => assetClass === 'crypto'));
});

test('counts what single slots add up to, and each slot opens a bar, whatever the symbol, timeframe and edges', () => {
  const someTimeS = fc.integer({ min: at('2026-11-20T00:00:00Z'), max: at('2026-11-30T00:00:00Z') });
  const spanS = fc.integer({ min: 0, max: 3 * DAY_S });
  fc.assert(
    fc.property(
      fc.constantFrom(...SYMBOLS),
      fc.constantFrom(...TIMEFRAMES),
      fc.constantFrom('live' as const, 'replayed' as const),
      someTimeS,
      spanS,
      (symbol, timeframe, kind, fromS, lengthS) => {
        // The model: a slot of n minutes is every n-th minute of the UTC day.
        const minutes = { '1min': 5, '5min': 15, '15min': 60 }[timeframe];
        let count = 0;
        for (let atS = Math.ceil(fromS / 60) * 60; atS < fromS + lengthS; atS += 60) {
          const isDue = isSlotDue(symbol, kind, atS, timeframe);
          if (isDue) expect([(atS / 60) % minutes, atS % barSecondsOf(timeframe)]).toEqual([0, 0]);
          else if (symbol.hours === 'always') expect((atS / 60) % minutes).not.toBe(0);
          count += Number(isDue);
        }
        expect(expectedIn(symbol, kind, fromS, fromS + lengthS, timeframe)).toBe(count);
      },
    ),
    { numRuns: 60 },
  );
});
