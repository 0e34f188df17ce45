import { expect, test } from 'vitest';
import { bordersAfter, conditionsOf, describeConditions, environmentOf } from './conditions.ts';

const NOW_MS = Date.UTC(2026, 10, 23, 17, 30);

test('finds the next borders of the calendar', () => {
  const borders = bordersAfter(NOW_MS).map(({ name, atMs }) => [name, new Date(atMs).toISOString()]);

  expect(borders).toEqual([
    ['midnight', '2026-11-24T00:00:00.000Z'],
    ['the end of a month', '2026-12-01T00:00:00.000Z'],
    ['the end of a year', '2027-01-01T00:00:00.000Z'],
    ['the beginning of summer time', '2027-03-14T07:00:00.000Z'],
    ['the end of summer time', '2027-11-07T06:00:00.000Z'],
  ]);
});

test('looks past a border that is less than an hour away, which a long run would miss', () => {
  const lateMs = Date.UTC(2026, 11, 31, 23, 30);

  const borders = bordersAfter(lateMs);

  expect(borders.every(({ atMs }) => atMs > lateMs + 3_600_000)).toBe(true);
});

test('runs the first round at the real time and the others around each border in turn', () => {
  const names = Array.from({ length: 7 }, (_, round) => conditionsOf(round, 1, NOW_MS).border?.name ?? 'real');

  expect(names).toEqual([
    'real',
    'midnight',
    'the end of a month',
    'the end of a year',
    'the beginning of summer time',
    'the end of summer time',
    'real',
  ]);
});

test('moves the clock so that the border comes in the middle of the run', () => {
  const conditions = conditionsOf(1, 7, NOW_MS);

  const env = environmentOf(conditions, { halfMs: 60_000, nowMs: NOW_MS, clockLibrary: '/lib/clock.so' });

  const sixAndAHalfHoursS = 6.5 * 3600;
  expect(env).toMatchObject({ LD_PRELOAD: '/lib/clock.so', MOVED_CLOCK_S: String(sixAndAHalfHoursS - 60) });
  expect(env).toMatchObject({ TZ: 'America/New_York', LANG: env.LC_ALL });
});

test('leaves the clock alone in the first round, and where it cannot be moved', () => {
  const ways = { halfMs: 60_000, nowMs: NOW_MS };

  expect(environmentOf(conditionsOf(0, 1, NOW_MS), { ...ways, clockLibrary: '/lib/clock.so' })).not.toHaveProperty(
    'LD_PRELOAD',
  );
  expect(environmentOf(conditionsOf(1, 1, NOW_MS), { ...ways, clockLibrary: null })).not.toHaveProperty('LD_PRELOAD');
});

test('describes a round in one line', () => {
  expect(describeConditions(conditionsOf(2, 15, NOW_MS))).toBe(
    'order 17, around the end of a month, Asia/Kathmandu, ja_JP.UTF-8',
  );
});

test('stops the test process at random moments, and raises its limits, only if that is requested', () => {
  const ways = { halfMs: 60_000, nowMs: NOW_MS, clockLibrary: null };
  const stalled = conditionsOf(1, 7, NOW_MS, ['stalls', 'beside']);
  const unstrained = environmentOf(conditionsOf(1, 7, NOW_MS), ways);

  expect(environmentOf(stalled, ways)).toMatchObject({ KAT_TEST_STALLS: '8', KAT_TEST_STRAINED: 'stalls,beside' });
  expect(describeConditions(stalled)).toMatch(/^order 8, .*, stalls, beside$/);
  expect(environmentOf(conditionsOf(1, 7, NOW_MS, ['slow']), ways)).not.toHaveProperty('KAT_TEST_STALLS');
  for (const name of ['KAT_TEST_STALLS', 'KAT_TEST_STRAINED']) expect(unstrained).not.toHaveProperty(name);
});
