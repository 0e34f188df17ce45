import { expect, test } from 'vitest';
import { earlyRetries } from './early-retries.ts';

test('answers an owner’s first fifty refusals immediately, and later ones with a delay', () => {
  const retries = earlyRetries(() => 0);
  const delays = Array.from({ length: 60 }, () => retries.delayMs('a'));
  expect(delays.filter((ms) => ms === 0)).toHaveLength(50);
  expect(delays.slice(50).every((ms) => ms > 0 && ms < 1000)).toBe(true);
  expect(retries.delayMs('b')).toBe(0);
  expect(retries.delayMs(null)).toBe(0);
});

test('answers immediately again once an owner stops, but not one that continues', () => {
  let nowMs = 0;
  const retries = earlyRetries(() => nowMs);
  for (let i = 0; i < 200; i++) for (const owner of ['stops', 'goes on']) retries.delayMs(owner);
  for (let second = 1; second <= 15; second++) {
    nowMs = second * 1000;
    for (let i = 0; i < 20; i++) retries.delayMs('goes on');
  }
  expect(retries.delayMs('goes on')).toBeGreaterThan(0);
  expect(retries.delayMs('stops')).toBe(0);
});

test('remembers at most ten thousand owners', () => {
  const retries = earlyRetries(() => 0);
  for (let i = 0; i < 20_000; i++) retries.delayMs(`owner ${i}`);
  for (let i = 0; i < 100; i++) expect(retries.delayMs('owner 19999')).toBe(0);
});
