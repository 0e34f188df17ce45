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

test('draws a change with the next frame, and a thousand a second in ten drawings', () => {
  const paint = vi.fn();
  const gate = createPaintGate(paint);

  gate.request();
  expect(paint).not.toHaveBeenCalled();
  vi.advanceTimersByTime(16);
  expect(paint).toHaveBeenCalledOnce();
  for (let ms = 0; ms < 1000; ms++) {
    gate.request();
    vi.advanceTimersByTime(1);
  }

  expect(paint.mock.calls.length).toBeLessThanOrEqual(11);
  expect(paint.mock.calls.length).toBeGreaterThanOrEqual(8);
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
