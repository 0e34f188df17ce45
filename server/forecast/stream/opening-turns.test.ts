import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { openingTurns } from './opening-turns.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

const forever = new AbortController().signal;

/** Work that ends when the test ends it. */
function work() {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  const begun = vi.fn(() => promise);
  return { begun, end: resolve, fail: reject };
}

test('limits simultaneous work, and starts the rest in order even after failures', async () => {
  const turns = openingTurns({ concurrency: 2 });
  const works = [work(), work(), work(), work()];
  const done = works.map(({ begun }) => turns.run(begun, { signal: forever }));
  const begun = () => works.map((one) => one.begun.mock.calls.length);
  await vi.advanceTimersByTimeAsync(0);
  expect(begun()).toEqual([1, 1, 0, 0]);

  works[1]?.fail(new Error('refused'));
  await expect(done[1]).rejects.toThrow('refused');
  expect(begun()).toEqual([1, 1, 1, 0]);

  works[0]?.end('first');
  expect(await done[0]).toBe('first');
  await vi.advanceTimersByTimeAsync(0);
  expect(begun()).toEqual([1, 1, 1, 1]);
});

test('skips a caller that disconnects while waiting, and rejects one that waits too long', async () => {
  const turns = openingTurns({ concurrency: 1, maxWaitMs: 1000 });
  const [first, left, late, last] = [work(), work(), work(), work()];
  const leaving = new AbortController();
  const firstDone = turns.run(first.begun, { signal: forever });
  const leftDone = expect(turns.run(left.begun, { signal: leaving.signal })).rejects.toThrow('gone');
  const lateDone = expect(turns.run(late.begun, { signal: forever })).rejects.toMatchObject({ code: 'database/busy' });
  leaving.abort(new Error('gone'));
  await leftDone;
  await vi.advanceTimersByTimeAsync(1000);
  await lateDone;
  const lastDone = turns.run(last.begun, { signal: forever });
  last.end('last');

  first.end('first');

  expect([await firstDone, await lastDone]).toEqual(['first', 'last']);
  expect([left, late].map(({ begun }) => begun.mock.calls.length)).toEqual([0, 0]);
});

test('frees the place of a turn that ended while no other waited', async () => {
  const turns = openingTurns({ concurrency: 1 });
  for (const name of ['a', 'b', 'c']) expect(await turns.run(async () => name, { signal: forever })).toBe(name);
});

test('opens resumed streams before new ones that wait', async () => {
  const turns = openingTurns({ concurrency: 1 });
  const order: string[] = [];
  const first = work();
  const run = (name: string, isResumed: boolean) =>
    turns.run(async () => void order.push(name), { signal: forever, isResumed });
  const done = [
    turns.run(first.begun, { signal: forever }),
    run('new', false),
    run('newer', false),
    run('resumed', true),
    run('resumed later', true),
  ];

  first.end('first');
  await Promise.all(done);

  expect(order).toEqual(['resumed', 'resumed later', 'new', 'newer']);
});

test('opens 64 at a time while the database is free, and eight once a caller waits for it', async () => {
  let isFree = true;
  const turns = openingTurns({ isDatabaseFree: () => isFree });
  const works = Array.from({ length: 80 }, work);
  for (const { begun } of works) void turns.run(begun, { signal: forever });
  const begun = (): number => works.filter((one) => one.begun.mock.calls.length > 0).length;
  await vi.advanceTimersByTimeAsync(0);
  expect(begun()).toBe(64);

  isFree = false;
  for (const { end } of works.slice(0, 56)) end('opened');
  await vi.advanceTimersByTimeAsync(0);
  expect(begun()).toBe(64);
  works[56]?.end('opened');
  await vi.advanceTimersByTimeAsync(0);
  expect(begun()).toBe(65);
});

test('estimates the wait from the pace of recent turns', async () => {
  const turns = openingTurns({ concurrency: 1 });
  const works = Array.from({ length: 40 }, work);
  for (const { begun } of works) void turns.run(begun, { signal: forever });
  expect(turns.backlog()).toEqual({ waiting: 39, expectedMs: 0 });
  for (const { end } of works.slice(0, 30)) {
    await vi.advanceTimersByTimeAsync(100);
    end('opened');
  }
  await vi.advanceTimersByTimeAsync(0);
  const { waiting, expectedMs } = turns.backlog();
  expect(waiting).toBe(9);
  // A turn ends every 0.1 s.
  expect(expectedMs).toBeGreaterThan(800);
  expect(expectedMs).toBeLessThanOrEqual(900);
});
