import { expect, test } from 'vitest';
import {
  bitcoinPanelPrice,
  compactNumber,
  MARKET_CAP_UNITS,
  marketPanelPrice,
  VOLUME_UNITS,
} from './compact-number.ts';

test.each([
  [3.43e12, '3.43T'],
  [5.38e10, '53.80B'],
  [1.5e15, '1,500.00T'],
  [12_345_678, '12.35M'],
  [1500, '1.50K'],
  [999.99, '999.99'],
  [999.999, '1.00K'],
  [999_999_999, '1.00B'],
  [999_994_999, '999.99M'],
  [0, '0.00'],
  [-1200, '−1.20K'],
  [Number.NaN, '–'],
  [Number.POSITIVE_INFINITY, '–'],
])('writes %d as %s', (value, expected) => {
  expect(compactNumber(value)).toBe(expected);
});

test.each([
  [5.38e10, VOLUME_UNITS, '53.80B'],
  [5.38e12, VOLUME_UNITS, '5,380.00B'],
  [523_000, VOLUME_UNITS, '0.52M'],
  [0, VOLUME_UNITS, '0.00M'],
  [3000, VOLUME_UNITS, '0.003M'],
  [3.43e12, MARKET_CAP_UNITS, '3.43T'],
  [1.2e9, MARKET_CAP_UNITS, '1.20B'],
])('writes %d in the units %s as %s', (value, units, expected) => {
  expect(compactNumber(value, units)).toBe(expected);
});

test('takes other decimals', () => {
  expect(compactNumber(1.26e12, MARKET_CAP_UNITS, 1)).toBe('1.3T');
});

test.each([
  [107_632.4, '107,632', '107,632'],
  [1000, '1,000', '1,000'],
  [999.99, '999.99', '1,000'],
  [100, '100.00', '100'],
  [99.994, '99.99', '99.99'],
  [1, '1.00', '1.00'],
  [0.99994, '0.9999', '0.9999'],
  [0.22, '0.2200', '0.2200'],
  [0.1, '0.1000', '0.1000'],
  [0.09812, '0.09812', '0.0981'],
  [0.00001234, '0.00001234', '0.0000'],
  [8.1234e-6, '0.0₅8123', '0.0000'],
  [9.99996e-5, '0.0001000', '0.0001'],
  [0, '0.0000', '0.0000'],
  [Number.NaN, '–', '–'],
])('writes a price of %d as %s on the market panel and %s on the Bitcoin panel', (value, market, bitcoin) => {
  expect([marketPanelPrice(value), bitcoinPanelPrice(value)]).toEqual([market, bitcoin]);
});
