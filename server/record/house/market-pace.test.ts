import { expect, test } from 'vitest';
import { marketPace } from './market-pace.ts';

const START_MS = 1_790_000_000_000;

function setUp(speed: number) {
  const watch = { ms: 0, shiftMs: 0 };
  const clock = { nowMs: () => START_MS + speed * watch.ms + watch.shiftMs };
  return { watch, clock, pace: marketPace(clock, () => watch.ms) };
}

test.each([
  ['our own time', 1, 10_000],
  ['a clock that drifts by a hundredth', 1.01, 9900],
  ['a market sixty times as fast', 60, 10_000 / 60],
])('converts %s to our time', (_what, speed, expected) => {
  const { watch, clock, pace } = setUp(speed);
  expect(pace.untilMs(START_MS + 10_000)).toBe(250);

  watch.ms += 1000;

  expect(pace.untilMs(clock.nowMs() + 10_000)).toBeGreaterThan(0.97 * expected);
  expect(pace.untilMs(clock.nowMs() + 10_000)).toBeLessThan(1.03 * expected);
  expect(pace.ofOursMs(3000)).toBeCloseTo(3000 / (speed === 60 ? 60 : 1), 6);
});

test('waits at most a minute, and not at all for a time in the past', () => {
  const { watch, clock, pace } = setUp(1);
  watch.ms += 1000;

  expect(pace.untilMs(clock.nowMs() + 3_600_000)).toBe(60_000);
  expect(pace.untilMs(clock.nowMs() - 1)).toBe(0);
});

test.each([-3_600_000, 365 * 86_400_000])(
  'forgets the former pace at the next check after a clock was moved by %i ms',
  (shiftMs) => {
    const { watch, clock, pace } = setUp(60);
    watch.ms += 1000;
    pace.untilMs(0);

    watch.shiftMs = shiftMs;
    watch.ms += 1000;
    expect(pace.untilMs(clock.nowMs() + 6000)).toBe(6000);

    watch.ms += 1000;
    expect(pace.untilMs(clock.nowMs() + 6000)).toBeCloseTo(100, 6);
  },
);
