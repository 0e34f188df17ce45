import { expect, test } from 'vitest';
import { roundTripBp } from '../forecast/ranges/round-trip.ts';
import { costOf, dayResults, resultOf } from './day-results.ts';
import { aTrade } from './testing/a-trade.ts';

const CRYPTO_SHARE = roundTripBp({ assetClass: 'crypto' }) / 10_000;

test('charges half of the cost at the entry and half at the exit, by the table that forecasts are compared with', () => {
  expect(costOf(aTrade(1))).toBeCloseTo(1005 * CRYPTO_SHARE, 12);
  expect(costOf(aTrade(1, { sym: 'PEPEUSDT.P' }))).toBeCloseTo(1005 * CRYPTO_SHARE, 12);
  expect(costOf(aTrade(1, { sym: 'MSFT' }))).toBeCloseTo((1005 * roundTripBp({ assetClass: 'equity' })) / 10_000, 12);
});

test('adds results before and after costs, and counts no trade without a price', () => {
  const result = resultOf([aTrade(1), aTrade(2, { side: 'short' }), aTrade(3, { exitPrice: null })]);

  expect(result).toMatchObject({ count: 2, wins: 1 });
  expect(result.units).toEqual([{ unit: 'USD', pnl: 0, afterCosts: expect.closeTo(-2 * 1005 * CRYPTO_SHARE, 9) }]);
  expect(result.meanShare).toBeCloseTo(-1.005 * CRYPTO_SHARE, 12);
});

test('never adds dollars, index points and coins', () => {
  const trades = ['BTCUSDT.P', 'DX1!', 'MSFT', 'ETHBTC', 'SHIBEUR'].map((sym, n) => aTrade(n, { sym }));

  expect(resultOf(trades).units.map(({ unit, pnl }) => [unit, pnl])).toEqual([
    ['USD', 20],
    ['points', 10],
    ['BTC', 10],
    ['EUR', 10],
  ]);
});

test('claims no result after costs of an unknown market', () => {
  const result = resultOf([aTrade(1), aTrade(2, { sym: 'WHAT' })]);

  expect(result).toMatchObject({ units: [{ unit: 'USD', pnl: 20, afterCosts: null }], meanShare: null });
});

test('assigns a trade to the day on which it closed in the user’s zone, newest first', () => {
  const at = (time: string, n: number) => {
    const closedAt = Date.parse(time);
    return aTrade(n, { openedAt: closedAt - 1000, closedAt });
  };
  const trades = [at('2026-03-02T00:30:00Z', 3), at('2026-03-01T23:30:00Z', 2), at('2026-03-01T03:00:00Z', 1)];

  expect(dayResults(trades, 'UTC').map(({ day, count }) => [day, count])).toEqual([
    ['2026-03-02', 1],
    ['2026-03-01', 2],
  ]);
  expect(dayResults(trades, 'America/New_York').map(({ day, count }) => [day, count])).toEqual([
    ['2026-03-01', 2],
    ['2026-02-28', 1],
  ]);
});
