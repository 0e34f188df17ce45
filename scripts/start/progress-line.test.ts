import { expect, test, vi } from 'vitest';
import { progressLine, STARTED_AT } from './progress-line.mjs';

test('says when a step began, counted from the start of the launcher', () => {
  vi.stubEnv(STARTED_AT, '1000');

  expect(progressLine('Building the site', { nowMs: 38_600 })).toBe('  38 s  Building the site');
  expect(progressLine('Building the site', { startedAtMs: 0, nowMs: 138_000 })).toBe(' 138 s  Building the site');
});

test('counts from the start of the process if there was no launcher', () => {
  vi.stubEnv(STARTED_AT, undefined);

  expect(progressLine('Building the site', { nowMs: performance.timeOrigin + 4200 })).toBe('   4 s  Building the site');
});
