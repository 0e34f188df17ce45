import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { type Abortable, pause, unlessAborted, within } from './deadline.ts';

// Node has both, but the compiler does not know it here.
declare const AbortController: new () => { readonly signal: Abortable; abort(reason: unknown): void };
declare const AbortSignal: { abort(reason: unknown): Abortable };

const NEVER = new Promise<never>(() => undefined);
const LEFT = new Error('left');

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

test('waits for the requested time', async () => {
  const done = vi.fn();
  void pause(1000).then(done);

  await vi.advanceTimersByTimeAsync(999);
  expect(done).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(1);
  expect(done).toHaveBeenCalledOnce();
});

test('ends a pause with the signal’s reason, and leaves no timer', async () => {
  const controller = new AbortController();
  const ended = expect(pause(1000, controller.signal)).rejects.toBe(LEFT);
  controller.abort(LEFT);

  await ended;
  expect(vi.getTimerCount()).toBe(0);
});

test('does not wait for a caller that has already left', async () => {
  await expect(pause(1000, AbortSignal.abort(LEFT))).rejects.toBe(LEFT);
  expect(vi.getTimerCount()).toBe(0);
});

test('returns the result of work that is done within the limit, and leaves no timer', async () => {
  expect(await within(Promise.resolve(7), 1000)).toBe(7);
  expect(vi.getTimerCount()).toBe(0);
});

test('throws the error of work that fails within the limit', async () => {
  await expect(within(Promise.reject(LEFT), 1000)).rejects.toBe(LEFT);
});

test.each([
  ['null', undefined, null],
  ['what the caller gives instead', () => 'late', 'late'],
])('returns %s after the limit', async (_what, late, expected) => {
  const result = late === undefined ? within(NEVER, 1000) : within(NEVER, 1000, late);
  await vi.advanceTimersByTimeAsync(1000);

  expect(await result).toBe(expected);
});

test('throws what the caller throws after the limit', async () => {
  const late = expect(
    within(NEVER, 1000, () => {
      throw LEFT;
    }),
  ).rejects.toBe(LEFT);
  await vi.advanceTimersByTimeAsync(1000);

  await late;
});

test('waits for work no longer than the caller', async () => {
  const controller = new AbortController();
  const waiting = expect(unlessAborted(NEVER, controller.signal)).rejects.toBe(LEFT);
  controller.abort(LEFT);

  await waiting;
  expect(await unlessAborted(Promise.resolve(1), new AbortController().signal)).toBe(1);
});
