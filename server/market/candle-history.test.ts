import { expect, test } from 'vitest';
import { type MarketSymbol, SYMBOLS } from '#domain/market/symbols.ts';
import { isTradedAt } from './candle-history.ts';

const MSFT: MarketSymbol = SYMBOLS[4];
const THANKSGIVING_S = Date.parse('2026-11-26T15:00:00Z') / 1000;

test.each([
  ['live', false],
  ['simulated', false],
  ['replayed', true],
] as const)('on a holiday of today a %s market is open: %s', (kind, expected) => {
  expect(isTradedAt(MSFT, kind, THANKSGIVING_S)).toBe(expected);
});

test('a replay keeps the hours of the week', () => {
  expect(isTradedAt(MSFT, 'replayed', THANKSGIVING_S + 7 * 3600)).toBe(false);
});
