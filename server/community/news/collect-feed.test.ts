import fc from 'fast-check';
import { expect, test } from 'vitest';
import { AppError } from '#domain/errors/app-error.ts';
import { retryInMs } from './collect-feed.ts';

const PERIOD_MS = 600_000;
const HOUR_MS = 3_600_000;
const failed = (details: Record<string, unknown>) => new AppError('venue/unavailable', { details });

test.each([
  ['a first timeout: within a minute', { reason: 'timeout' }, 1, 60_000],
  ['a second one: within two', { reason: 'timeout' }, 2, 120_000],
  ['a third one: after a period', { reason: 'timeout' }, 3, 660_000],
  ['an error of the publisher', { reason: 'status 503', status: 503 }, 1, 60_000],
  ['a page instead of a feed: no sooner than a period', { reason: 'not a feed' }, 1, 660_000],
  ['a private address', { reason: 'private address' }, 1, 660_000],
  ['the sixth failure: after two periods', { reason: 'not a feed' }, 6, 1_320_000],
  ['the fiftieth: an hour', { reason: 'timeout' }, 50, HOUR_MS],
  [
    'a feed that asks for two hours gets them',
    { reason: 'status 429', status: 429, retryAfterMs: 2 * HOUR_MS },
    1,
    2 * HOUR_MS,
  ],
  ['for a week: a day', { reason: 'status 429', status: 429, retryAfterMs: 168 * HOUR_MS }, 1, 24 * HOUR_MS],
])('schedules a retry: %s', (_when, details, failures, expectedMs) => {
  expect(retryInMs({ error: failed(details), failures, periodMs: PERIOD_MS, random: () => 1 })).toBe(expectedMs);
});

test('waits between 5 s and one hour unless the feed requests longer', () => {
  const reason = fc.constantFrom('timeout', 'not a feed', 'not reached', 'status 500');
  const chance = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });
  fc.assert(
    fc.property(reason, fc.integer({ min: 1, max: 5000 }), chance, (why, failures, random) => {
      const waitMs = retryInMs({ error: failed({ reason: why }), failures, periodMs: PERIOD_MS, random: () => random });

      expect(waitMs).toBeGreaterThanOrEqual(5000);
      expect(waitMs).toBeLessThanOrEqual(HOUR_MS);
    }),
  );
});
