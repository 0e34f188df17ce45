import { afterEach, expect, test, vi } from 'vitest';
import { holdAnswers, type Stall, stallsOf, startStalls } from '../../tests/support/stalls/process-stalls.ts';

const realNow = performance.now.bind(performance);

afterEach(() => {
  vi.useRealTimers();
});

test('draws the same stalls again for the same seed and file, and others for another', () => {
  const first = drawSome(1, 'a.test.ts');

  expect(drawSome(1, 'a.test.ts')).toEqual(first);
  expect(drawSome(2, 'a.test.ts')).not.toEqual(first);
  expect(drawSome(1, 'b.test.ts')).not.toEqual(first);
});

test('stops the process long enough for short time limits to pass, and lets it run in between', () => {
  const stalls = drawSome(3, 'a.test.ts');

  expect(stalls.every(({ afterMs, forMs }) => afterMs >= 1 && afterMs <= 1200 && forMs >= 200 && forMs <= 2000)).toBe(
    true,
  );
  expect(Math.max(...stalls.map(({ forMs }) => forMs))).toBeGreaterThan(1800);
});

test('stops the process although a test replaced its timers', async () => {
  vi.useFakeTimers();
  const { stalls, ended } = twoStalls(50);

  const stop = startStalls(stalls);
  const startedMs = realNow();
  await ended;
  stop();

  expect(realNow() - startedMs).toBeGreaterThanOrEqual(50);
});

test('stops nothing more once it is over', async () => {
  let drawn = 0;
  const counted = { next: () => ({ done: false as const, value: { afterMs: 1, forMs: ++drawn } }) };

  startStalls(counted)();
  await new Promise((resolve) => setTimeout(resolve, 20));

  expect(drawn).toBe(1);
});

test('lets answers overtake each other, and waits for the last one', async () => {
  const { hold, settled } = holdAnswers(1, 'a.test.ts');
  const arrived: number[] = [];

  for (let i = 0; i < 20; i++) void hold().then(() => arrived.push(i));
  await settled();

  expect(arrived).toHaveLength(20);
  expect(arrived).not.toEqual(arrived.toSorted((a, b) => a - b));
});

function drawSome(seed: number, file: string): Stall[] {
  const stalls = stallsOf(seed, file);
  return Array.from({ length: 100 }, () => stalls.next().value);
}

/** `ended` settles once the first stall is over. */
function twoStalls(forMs: number) {
  const { promise: ended, resolve } = Promise.withResolvers<void>();
  let drawn = 0;
  const next = () => {
    drawn += 1;
    if (drawn === 2) resolve();
    return { done: false as const, value: { afterMs: 1, forMs } };
  };
  return { stalls: { next }, ended };
}
