import { expect, test } from 'vitest';
import { readUserQuotas } from './user-quotas.ts';

const row = (user_id: string, remaining_daily: unknown, remaining_monthly: unknown) => ({
  user_id,
  plan_tier: 'bobcat',
  remaining_daily,
  remaining_monthly,
});

test('daily and monthly answers are put together, user by user', () => {
  const quotas = readUserQuotas([row('a', 3, null), row('b', 4, 40)], [row('a', null, 30), row('b', 4, 40)]);

  expect(quotas.get('a')).toEqual({ remainingDaily: 3, remainingMonthly: 30 });
  expect(quotas.get('b')).toEqual({ remainingDaily: 4, remainingMonthly: 40 });
});

test('nothing told by either means no limit, as of admins', () => {
  expect(readUserQuotas([row('a', null, null)], [row('a', null, null)]).get('a')).toEqual({
    remainingDaily: -1,
    remainingMonthly: -1,
  });
});

test('a word for nothing counts as 0 as everywhere, and faulty rows are left out', () => {
  const quotas = readUserQuotas([row('a', 'n/a', 'na'), { remaining_daily: 1 }, null], 'no list');

  expect([...quotas]).toEqual([['a', { remainingDaily: 0, remainingMonthly: 0 }]]);
});
