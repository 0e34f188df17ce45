import { expect, test } from 'vitest';
import { AppError } from '#domain/errors/app-error.ts';
import { budgetRefusal, byteBudgets, meteredSpending } from './byte-budget.ts';
import { rateLimits } from './limits.ts';

const KIB = 1024;
const limit = (points: number) => ({ points, perS: 3600 });
const reportsOf = (account: number, address: number, all: number) =>
  byteBudgets(
    rateLimits({
      reportKibPerAccountADay: limit(account),
      reportKibPerAddressAnHour: limit(address),
      reportKibInAllAnHour: limit(all),
    }),
  ).reports;
const refusalOf = async (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => null,
    (error: unknown) => (error instanceof AppError ? error.details.budget : error),
  );

const ada = { userId: 'ada', address: '203.0.113.1' };

test('counts bytes per account, per address and in total, and names the exhausted budget', async () => {
  const reports = reportsOf(4, 6, 9);

  expect(await refusalOf(reports.spend(ada, 4 * KIB))).toBeNull();
  expect(await refusalOf(reports.spend(ada, 1))).toBe('account');
  const ben = { ...ada, userId: 'ben' };
  expect(await refusalOf(reports.spend(ben, 2 * KIB))).toBeNull();
  expect(await refusalOf(reports.spend(ben, 1))).toBe('address');
  const visitor = { userId: null, address: '203.0.113.2' };
  expect(await refusalOf(reports.spend(visitor, 3 * KIB))).toBeNull();
  expect(await refusalOf(reports.spend(visitor, 1))).toBe('all');
});

test('charges nothing for a refused request, so that a smaller one or another user may still fit', async () => {
  const reports = reportsOf(10, 4, 8);

  expect(await refusalOf(reports.spend(ada, 5 * KIB))).toBe('address');
  expect(await refusalOf(reports.spend(ada, 4 * KIB))).toBeNull();
  const moved = { ...ada, address: '203.0.113.2' };
  expect(await refusalOf(reports.spend(moved, 4 * KIB))).toBeNull();
  expect(await refusalOf(reports.spend({ ...ada, address: '203.0.113.3' }, 1))).toBe('all');
});

test('counts nothing of refused requests against requests of the same moment that fit', async () => {
  const reports = reportsOf(1000, 94, 1000);
  const visitor = { userId: null, address: '203.0.113.1' };
  const large = Array.from({ length: 20 }, () => reports.spend(visitor, 95 * KIB));
  const small = Array.from({ length: 94 }, () => reports.spend(visitor, KIB));

  expect(new Set(await Promise.all(large.map(refusalOf)))).toEqual(new Set(['address']));
  expect(new Set(await Promise.all(small.map(refusalOf)))).toEqual(new Set([null]));
  expect(await refusalOf(reports.spend(visitor, 1))).toBe('address');
});

test('charges a size that becomes known in steps only once', async () => {
  const spending = meteredSpending(reportsOf(10, 4, 100), ada);

  await spending.upTo(1);
  await spending.upTo(3 * KIB);
  await spending.upTo(2 * KIB);
  await spending.upTo(4 * KIB);

  expect(await refusalOf(spending.upTo(4 * KIB + 1))).toBe('address');
});

test.each([
  [
    'account',
    90_000,
    'The file was not stored. Your account has used up its allowance for now. Please try again in 25 hours.',
  ],
  [
    'address',
    1200,
    'The file was not stored. Your network has used up its allowance for now. Please try again in 20 minutes.',
  ],
  [
    'all',
    1,
    'The file was not stored. The site’s allowance for all users is used up for now. Please try again in a minute.',
  ],
])('names the exhausted budget and when to try again: %s', (budget, retryAfterS, message) => {
  expect(budgetRefusal(new AppError('request/too-many', { details: { budget, retryAfterS } }), 'file')).toBe(message);
});

test('returns no message for a refusal that has no byte budget', () => {
  expect(budgetRefusal(new AppError('request/too-many', { details: { retryAfterS: 1 } }), 'file')).toBeNull();
});
