import { expect, test } from 'vitest';
import { orderOf, paidCondition, searchCondition } from './user-query.ts';

const PRICES = new Map([
  ['price_b', 'bobcat'],
  ['price_l', 'lion'],
] as const);
const words = (key: Parameters<typeof orderOf>[0]['key'], direction: 'asc' | 'desc') =>
  orderOf({ key, direction })
    .map(({ column, ascending }) => `${column}.${ascending ? 'asc' : 'desc'}`)
    .join();

test.each([
  ['joined', 'desc', 'role.asc,account_created_at.desc,id.asc'],
  ['joined', 'asc', 'role.asc,account_created_at.asc,id.asc'],
  ['name', 'desc', 'role.asc,full_name.desc,account_created_at.desc,id.asc'],
  ['time-left', 'asc', 'role.asc,current_period_end.asc,account_created_at.desc,id.asc'],
] as const)('%s %s is asked as %s', (key, direction, order) => {
  expect(words(key, direction)).toBe(order);
});

test('words are sought in address and name, and in what the plan is called', () => {
  expect(searchCondition(' Ada ', PRICES)).toBe('email.ilike."*ada*",full_name.ilike."*ada*"');
  expect(searchCondition('$69', PRICES)).toMatch(/,price_id\.in\.\("price_l"\)$/);
  expect(searchCondition('9.99', PRICES)).toMatch(/,price_id\.in\.\("price_b","price_l"\)$/);
  expect(searchCondition('free', PRICES)).toMatch(/,price_id\.is\.null,price_id\.not\.in\.\("price_b","price_l"\)$/);
  expect(searchCondition('  ', PRICES)).toBeNull();
});

test.each([
  ['a,b)"c', '"*a,b)\\"c*"'],
  ['a%b_c', '"*a\\\\%b\\\\_c*"'],
  ['back\\slash', '"*back\\\\\\\\slash*"'],
  ['a*b', '"*a_b*"'],
  ['________', '"*\\\\_\\\\_\\\\_\\\\_\\\\_\\\\_*"'],
])('the words %s stand in a pattern as %s', (typed, pattern) => {
  expect(searchCondition(typed, PRICES)).toContain(`email.ilike.${pattern},`);
});

test('who pays is asked with the two hours of grace', () => {
  expect(paidCondition(10_000_000_500)).toBe(
    'status.in.(active,trialing,past_due,unpaid,paused),and(current_period_end.gt.9992800,or(cancel_at_period_end.is.true,status.eq.canceled))',
  );
});
