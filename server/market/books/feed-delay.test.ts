import { expect, test } from 'vitest';
import { FeedDelay } from './feed-delay.ts';

const HOUR_MS = 3_600_000;

test.each([0, -HOUR_MS, 50 * HOUR_MS])('measures delays while the clocks differ by %i ms', (differenceMs) => {
  const delay = new FeedDelay();
  const sentAt = (ms: number) => ms + differenceMs;

  expect(delay.of(sentAt(0), 40)).toBe(0);
  expect(delay.of(sentAt(1000), 1030)).toBe(0);
  expect(delay.of(sentAt(2000), 12_030)).toBe(10_000);
  expect(delay.of(sentAt(12_000), 12_031)).toBe(1);
});

test('begins again with a new connection, and ignores unreadable times', () => {
  const delay = new FeedDelay();
  delay.of(0, 10);

  expect(delay.of(Number.NaN, 20)).toBe(0);
  expect(delay.of(0, 6010)).toBe(6000);
  delay.reset();
  expect(delay.of(0, 6020)).toBe(0);
});
