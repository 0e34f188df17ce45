import { expect, test } from 'vitest';
import { earlyRetries } from './early-retries.ts';

test('answers an owner’s first fifty refusals immediately, and later ones with a delay', () => {
  const patience = earlyRetries(() => 0);
  const delays = Array.from({ length: 60 }, () => patience.delayMs('a'));
  expect(delays.filter((ms) => ms === 0)).toHaveLength(50);
  expect(delays.slice(50).every((ms) => ms > 0 && ms < 1000)).toBe(true);
  expect(patience.delayMs('b')).toBe(0);
  expect(patience.delayMs(null)).toBe(0);
});

test('answers immediately again once an owner stops, but not one that continues', () => {
  let nowMs = 0;
  const patience = earlyRetries(() => nowMs);
  for (let i = 0; i < 200; i++) for (const owner of ['stops', 'goes on']) patience.delayMs(owner);
  for (let second = 1; second <= 15; second++) {
    nowMs = second * 1000;
    for (let i = 0; i < 20; i++) patience.delayMs('goes on');
  }
  expect(patience.delayMs('goes on')).toBeGreaterThan(0);
  expect(patience.delayMs('stops')).toBe(0);
});

test('remembers at most ten thousand addresses', () => {
  const patience = earlyRetries(() => 0);
  for (let i = 0; i < 20_000; i++) patience.delayMs(`address ${i}`);
  for (let i = 0; i < 100; i++) expect(patience.delayMs('address 19999')).toBe(0);
});
