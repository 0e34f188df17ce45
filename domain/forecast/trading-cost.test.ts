import { describe, expect, test } from 'vitest';
import { SYMBOLS } from '../market/symbols.ts';
import { roundTripBp, TRADING_COSTS } from './ranges/round-trip.ts';
import { describeAssumedCost, describeInsideCost, describeRecordCost, drawnMoveBp } from './trading-cost.ts';

const BTC = { assetClass: 'crypto' } as const;

describe('the cost of a round trip', () => {
  test('sums both fees and the whole spread: the table’s, or the order book’s where known', () => {
    expect(roundTripBp(BTC)).toBeCloseTo(2 * 5 + 0.2, 10);
    expect(roundTripBp(BTC, 0.02)).toBeCloseTo(10.02, 10);
    expect(roundTripBp(BTC, 0)).toBe(10);
  });

  test.each(SYMBOLS)('costs something for $label, with its source', (symbol) => {
    expect(roundTripBp(symbol)).toBeGreaterThan(0);
    expect(TRADING_COSTS[symbol.assetClass].source).not.toBe('');
  });
});

describe('a move inside the cost', () => {
  test.each([
    [4, null, 'The predicted move (4 bp) is smaller than trading costs (about 10 bp).'],
    [-4, null, 'The predicted move (4 bp) is smaller than trading costs (about 10 bp).'],
    [0, null, 'The predicted move (0 bp) is smaller than trading costs (about 10 bp).'],
    [9.8, null, 'The predicted move (9.8 bp) is smaller than trading costs (about 10.2 bp).'],
    [10.1999, null, 'The predicted move (10.200 bp) is smaller than trading costs (about 10.200 bp).'],
    [10.1, 0.02, null],
    [10.1, 3, 'The predicted move (10 bp) is smaller than trading costs (about 13 bp).'],
    [10.2, null, null],
    [40, null, null],
    [null, null, null],
    [Number.NaN, null, null],
  ])('describes a move of %j bp, a spread of %j', (moveBp, spreadBp, message) => {
    expect(describeInsideCost(BTC, moveBp, spreadBp)).toBe(message);
  });

  test('shows small costs in tenths', () => {
    expect(describeInsideCost({ assetClass: 'metal' }, 0.12)).toBe(
      'The predicted move (0.1 bp) is smaller than trading costs (about 0.6 bp).',
    );
  });

  test('compares a record by its last scored bar', () => {
    expect(describeRecordCost({ sym: 'BTCUSDT.P', pathBp: [40, 40, 40, 40, 3] })).toMatch(
      /^The predicted move \(3 bp\)/,
    );
    expect(describeRecordCost({ sym: 'BTCUSDT.P', pathBp: [1, 1, 1, 1, -30] })).toBeNull();
    expect(describeRecordCost({ sym: 'BTCUSDT.P', pathBp: [] })).toBeNull();
    expect(describeRecordCost({ sym: 'XYZ', pathBp: [0] })).toBeNull();
  });
});

test.each([
  [100, 100.04, 4],
  [100, 99.96, 4],
  [100, 100, 0],
])('measures from %d to %d a move of about %d bp', (lastClose, close, moveBp) => {
  expect(drawnMoveBp(lastClose, close)).toBeCloseTo(moveBp, 1);
});

test.each([
  [undefined, 100],
  [100, undefined],
  [0, 100],
  [100, 0],
  [-1, 100],
])('measures no move from %j to %j', (lastClose, close) => {
  expect(drawnMoveBp(lastClose, close)).toBeNull();
});

test('names the source of the assumed figures', () => {
  expect(describeAssumedCost(BTC)).toBe('Assumes a fee of 5 bp per side and a spread of 0.2 bp.');
  expect(TRADING_COSTS.crypto.source).toBe('The taker fee of a perpetual future.');
  expect(describeAssumedCost(BTC, 0.024)).toContain('the order book’s spread of 0.02 bp');
  expect(describeAssumedCost({ assetClass: 'metal' })).toContain('a fee of 0.1 bp per side');
});
