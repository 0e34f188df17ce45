import { expect, test } from 'vitest';
import { bookPace } from './book-pace.ts';

const windowOf = (utilization: number) => ({ utilization });

/** @returns the pace after each of `windows` windows */
function after(pace: ReturnType<typeof bookPace>, utilization: number, windows: number, isBehind = false): number[] {
  return Array.from({ length: windows }, () => {
    pace.record(windowOf(utilization), isBehind);
    return pace.everyMs();
  });
}

test('keeps every update through a short busy moment', () => {
  const pace = bookPace();
  expect(after(pace, 1, 2)).toEqual([0, 0]);
  expect(after(pace, 0.5, 1)).toEqual([0]);
  expect(after(pace, 1, 2)).toEqual([0, 0]);
});

test('slows books step by step to two updates a second while the process stays busy', () => {
  expect(after(bookPace(), 1, 9)).toEqual([0, 0, 200, 200, 200, 500, 500, 500, 500]);
});

test('treats work waiting for admission as busy, even with an idle loop', () => {
  expect(after(bookPace(), 0.2, 3, true).at(-1)).toBe(200);
});

test('keeps the pace between busy and calm', () => {
  const pace = bookPace();
  after(pace, 1, 6);
  expect(new Set(after(pace, 0.9, 100))).toEqual(new Set([500]));
});

test('returns an idle process to every update within a second', () => {
  const pace = bookPace();
  after(pace, 1, 40);
  expect(pace.everyMs()).toBe(500);
  // Four windows of a quarter of a second each.
  expect(after(pace, 0.3, 4).at(-1)).toBe(0);
});

test('retries a failed speed-up later each time', () => {
  const pace = bookPace();
  const untilBack = (): number => {
    let windows = 0;
    const from = pace.everyMs();
    while (pace.everyMs() === from && windows < 100) {
      pace.record(windowOf(0.8), false);
      windows += 1;
    }
    return windows;
  };
  after(pace, 1, 6);
  const first = untilBack();
  after(pace, 1, 3);
  const second = untilBack();
  after(pace, 1, 3);
  expect([first, second, untilBack()]).toEqual([4, 8, 16]);
});
