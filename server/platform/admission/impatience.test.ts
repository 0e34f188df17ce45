import { expect, test } from 'vitest';
import { impatience } from './impatience.ts';

test('the first fifty refusals of an address are answered at once, further ones late', () => {
  const patience = impatience(() => 0);
  const delays = Array.from({ length: 60 }, () => patience.delayMs('a'));
  expect(delays.filter((ms) => ms === 0)).toHaveLength(50);
  expect(delays.slice(50).every((ms) => ms > 0 && ms < 1000)).toBe(true);
  expect(patience.delayMs('b')).toBe(0);
  expect(patience.delayMs(null)).toBe(0);
});

test('who stops asking is answered at once again; who goes on stays slow', () => {
  let nowMs = 0;
  const patience = impatience(() => nowMs);
  for (let i = 0; i < 200; i++) for (const owner of ['stops', 'goes on']) patience.delayMs(owner);
  for (let second = 1; second <= 15; second++) {
    nowMs = second * 1000;
    for (let i = 0; i < 20; i++) patience.delayMs('goes on');
  }
  expect(patience.delayMs('goes on')).toBeGreaterThan(0);
  expect(patience.delayMs('stops')).toBe(0);
});

test('a flood of addresses is not remembered beyond ten thousand', () => {
  const patience = impatience(() => 0);
  for (let i = 0; i < 20_000; i++) patience.delayMs(`address ${i}`);
  for (let i = 0; i < 100; i++) expect(patience.delayMs('address 19999')).toBe(0);
});
