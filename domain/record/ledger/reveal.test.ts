import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { barSecondsOf, TIMEFRAMES } from '../../market/timeframes.ts';
import { slotSecondsOf, timeframeField } from './ledger.ts';
import { isRevealed, revealBounds, revealTimeS } from './reveal.ts';

const SLOT_S = Date.parse('2026-03-02T09:00:00Z') / 1000;
const ISSUED_MS = SLOT_S * 1000 + 7000;

describe.each([
  ['1min', 50 * 60],
  ['5min', 4 * 3600 + 600],
  ['15min', 12 * 3600 + 1800],
] as const)('a record of %s', (timeframe, afterS) => {
  const record = { slot: SLOT_S, issued: ISSUED_MS, ...timeframeField(timeframe) };
  const closedMs = (SLOT_S + afterS) * 1000;

  test('is revealed when its bar 50 has closed in the running market, and not a moment before', () => {
    const at = (ms: number) => revealBounds({ nowMs: ms, marketNowMs: ms });
    expect(revealTimeS(record) * 1000).toBe(closedMs);
    expect(isRevealed(record, at(closedMs - 1))).toBe(false);
    expect(isRevealed(record, at(closedMs))).toBe(true);
  });

  test('follows the market’s clock where the market runs faster than time', () => {
    const bounds = revealBounds({ nowMs: ISSUED_MS + 50_000, marketNowMs: closedMs });
    expect(isRevealed(record, bounds)).toBe(true);
  });

  test('is revealed by its time of issue if its market no longer runs, never before bar 50', () => {
    const at = (nowMs: number) => revealBounds({ nowMs, marketNowMs: null });
    // The earliest that a record may be dated.
    const early = { ...record, issued: SLOT_S * 1000 - 5000 };
    expect(isRevealed(early, at(closedMs))).toBe(false);
    expect(isRevealed(early, at(closedMs + 60_000))).toBe(true);
  });
});

test('reveals any record exactly while its last bar has closed, whatever the timeframe and the moment', () => {
  const slots = fc.constantFrom(...TIMEFRAMES).chain((timeframe) =>
    fc.record({
      timeframe: fc.constant(timeframe),
      slot: fc.integer({ min: 0, max: 600_000 }).map((n) => n * slotSecondsOf(timeframe)),
      passedS: fc.integer({ min: 0, max: 60 * barSecondsOf(timeframe) }),
    }),
  );
  fc.assert(
    fc.property(slots, ({ timeframe, slot, passedS }) => {
      const record = { slot, ...timeframeField(timeframe), issued: slot * 1000 + 2000 };
      const nowMs = (slot + passedS) * 1000;
      // The last of fifty bars that follow each other from the slot on.
      let closesS = slot;
      for (let bar = 0; bar < 50; bar++) closesS += barSecondsOf(timeframe);
      expect(isRevealed(record, revealBounds({ nowMs, marketNowMs: nowMs }))).toBe(slot + passedS >= closesS);
    }),
  );
});
