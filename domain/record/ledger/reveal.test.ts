import { expect, test } from 'vitest';
import { isRevealed, revealBounds } from './reveal.ts';

const SLOT_S = Date.parse('2026-03-02T09:05:00Z') / 1000;
const ISSUED_MS = SLOT_S * 1000 + 7000;
/** When bar 50 closes: bar 1 opens with the slot. */
const CLOSED_MS = (SLOT_S + 50 * 60) * 1000;
const record = { slot: SLOT_S, issued: ISSUED_MS };

test('reveals a record of the running market when its bar 50 has closed, and not a moment before', () => {
  const at = (ms: number) => revealBounds({ nowMs: ms, marketNowMs: ms });

  expect(isRevealed(record, at(CLOSED_MS - 1))).toBe(false);
  expect(isRevealed(record, at(CLOSED_MS))).toBe(true);
});

test('follows the market’s clock where the market runs faster than time', () => {
  const bounds = revealBounds({ nowMs: ISSUED_MS + 50_000, marketNowMs: CLOSED_MS });

  expect(isRevealed(record, bounds)).toBe(true);
});

test('reveals records of a market that no longer runs by their time of issue, never before bar 50', () => {
  const at = (nowMs: number) => revealBounds({ nowMs, marketNowMs: null });
  // The earliest that a record may be dated.
  const early = { slot: SLOT_S, issued: SLOT_S * 1000 - 5000 };

  expect(isRevealed(early, at(CLOSED_MS))).toBe(false);
  expect(isRevealed(early, at(CLOSED_MS + 60_000))).toBe(true);
});
