import { expect, test } from 'vitest';
import { symbolNamed } from '#domain/market/testing/symbol-named.ts';
import { isStaleAt, isTradedAt } from './candle-history.ts';

const MSFT = symbolNamed('MSFT');
const THANKSGIVING_S = Date.parse('2026-11-26T15:00:00Z') / 1000;

test.each([
  ['live', false],
  ['simulated', false],
  ['replayed', true],
] as const)('opens a %s market on a present-day holiday: %s', (kind, expected) => {
  expect(isTradedAt(MSFT, kind, THANKSGIVING_S)).toBe(expected);
});

test('follows the weekly trading hours in a replay', () => {
  expect(isTradedAt(MSFT, 'replayed', THANKSGIVING_S + 7 * 3600)).toBe(false);
});

const BTC = symbolNamed('BTC');
const atS = (iso: string): number => Date.parse(iso) / 1000;

test.each([
  ['nothing at all', BTC, null, '2025-11-12T15:00:05Z', true],
  ['the newest candle', BTC, '2025-11-12T14:59:00Z', '2025-11-12T15:00:05Z', false],
  ['two missing', BTC, '2025-11-12T14:57:00Z', '2025-11-12T15:00:59Z', false],
  ['three missing', BTC, '2025-11-12T14:56:00Z', '2025-11-12T15:00:00Z', true],
  ['yesterday’s last, in the first minutes of a session', MSFT, '2025-11-11T20:59:00Z', '2025-11-12T14:32:59Z', false],
  ['yesterday’s last, when three are over', MSFT, '2025-11-11T20:59:00Z', '2025-11-12T14:33:00Z', true],
  ['the session’s last, at night', MSFT, '2025-11-12T20:59:00Z', '2025-11-13T03:00:00Z', false],
  ['a quiet end of the session, at night', MSFT, '2025-11-12T20:15:00Z', '2025-11-13T03:00:00Z', false],
  ['the morning’s, at night', MSFT, '2025-11-12T16:00:00Z', '2025-11-13T03:00:00Z', true],
  ['Friday’s last, on Sunday', MSFT, '2025-11-14T20:59:00Z', '2025-11-16T15:00:00Z', false],
])('decides whether candles are stale: %s', (_what, symbol, last, now, expected) => {
  expect(isStaleAt(symbol, 'live', last === null ? null : atS(last), atS(now) * 1000)).toBe(expected);
});

test('treats a replay without new candles on a holiday as stale, but not a live market', () => {
  const nowMs = (THANKSGIVING_S + 600) * 1000;

  expect(isStaleAt(MSFT, 'replayed', THANKSGIVING_S, nowMs)).toBe(true);
  expect(isStaleAt(MSFT, 'replayed', THANKSGIVING_S + 540, nowMs)).toBe(false);
  expect(isStaleAt(MSFT, 'live', atS('2026-11-25T20:59:00Z'), nowMs)).toBe(false);
});
