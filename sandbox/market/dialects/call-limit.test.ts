import { expect, test } from 'vitest';
import { callLimit } from './call-limit.ts';

test('refuses calls over the limit until the oldest one is a minute old', () => {
  const limit = callLimit(3);

  const answers = [0, 10_000, 20_000, 30_000, 70_000, 70_000].map((nowMs) => limit.count(nowMs));

  // At 70 s the calls of 20 s and 30 s count; the refused one at 30 s counts as the others do.
  expect(answers).toEqual([null, null, null, 40, null, 20]);
});

test('counts refused calls too, so that a client that keeps calling stays refused', () => {
  const limit = callLimit(3);

  const answers = Array.from({ length: 200 }, (_, second) => limit.count(second * 1000));

  expect(answers.slice(0, 3)).toEqual([null, null, null]);
  expect(answers.slice(3)).not.toContain(null);
  expect(limit.count(258_000)).toBeNull();
});
