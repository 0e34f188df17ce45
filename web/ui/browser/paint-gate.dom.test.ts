import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createPaintGate } from './paint-gate.ts';

beforeEach(() => {
  vi.useFakeTimers({
    toFake: ['setTimeout', 'clearTimeout', 'performance', 'requestAnimationFrame', 'cancelAnimationFrame'],
  });
});
afterEach(() => {
  vi.useRealTimers();
});

test('draws a change within a tenth of a second, and a thousand a second in ten drawings', () => {
  const paint = vi.fn();
  const gate = createPaintGate(paint);

  gate.request();
  expect(paint).not.toHaveBeenCalled();
  vi.advanceTimersByTime(100 + 16);
  expect(paint).toHaveBeenCalledOnce();
  for (let ms = 0; ms < 1000; ms++) {
    gate.request();
    vi.advanceTimersByTime(1);
  }

  expect(paint.mock.calls.length).toBeLessThanOrEqual(11);
  expect(paint.mock.calls.length).toBeGreaterThanOrEqual(8);
});

test('draws changes of several parts in the same frames', () => {
  const drawnAtMs: number[] = [];
  const [early, late] = [0, 1].map(() => createPaintGate(() => drawnAtMs.push(performance.now())));

  for (let ms = 0; ms < 1000; ms++) {
    early?.request();
    if (ms > 50) late?.request();
    vi.advanceTimersByTime(1);
  }

  expect(drawnAtMs.length).toBeGreaterThanOrEqual(15);
  expect(new Set(drawnAtMs).size).toBeLessThanOrEqual(drawnAtMs.length / 2 + 1);
});

test('draws nothing when nothing changed, or after the end', () => {
  const paint = vi.fn();
  const gate = createPaintGate(paint);
  vi.advanceTimersByTime(1000);
  gate.request();
  gate.stop();
  vi.advanceTimersByTime(1000);

  expect(paint).not.toHaveBeenCalled();
});
