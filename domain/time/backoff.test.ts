import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { RECONNECT_FIRST_MS, RECONNECT_MAX_MS, reconnectDelayMs } from './backoff.ts';

const chance = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });
const TWO_MINUTES_MS = 120_000;

/** Connections that one client tries in two minutes while all are refused, the first at 0 among them. */
function triesOf(random: () => number): number {
  let tries = 0;
  for (let atMs = 0; atMs < TWO_MINUTES_MS; atMs += reconnectDelayMs(tries - 1, random)) tries += 1;
  return tries;
}

test('calls an upstream that refuses at most eighteen times in two minutes, whatever the chance', () => {
  expect(triesOf(() => 0)).toBeLessThanOrEqual(18);
  fc.assert(
    fc.property(fc.infiniteStream(chance), (chances) => {
      expect(triesOf(() => chances.next().value ?? 0)).toBeLessThanOrEqual(18);
    }),
  );
});

test('waits from two thirds to the whole of a step, and steps double from one second to ten', () => {
  fc.assert(
    fc.property(fc.nat({ max: 100 }), chance, (attempt, luck) => {
      const stepMs = Math.min(RECONNECT_MAX_MS, RECONNECT_FIRST_MS * 2 ** attempt);
      const delayMs = reconnectDelayMs(attempt, () => luck);

      expect(delayMs).toBeGreaterThanOrEqual(0.67 * stepMs);
      expect(delayMs).toBeLessThanOrEqual(stepMs);
    }),
  );
});

test('spreads a crowd: evenly chosen chances give evenly spread waits, over a fifth of the step', () => {
  const waits = Array.from({ length: 100 }, (_, i) => reconnectDelayMs(9, () => i / 100));
  const gaps = waits.slice(1).map((ms, i) => ms - (waits[i] ?? 0));

  expect((waits.at(-1) ?? 0) - (waits[0] ?? 0)).toBeGreaterThan(RECONNECT_MAX_MS / 5);
  expect(Math.max(...gaps)).toBeLessThan(RECONNECT_MAX_MS / 400);
});
