import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { AdminUser } from './admin-user.ts';
import { planLabel, planOfPriceId } from './plan-view.ts';
import { aPayingUser, aUser, PRICES } from './testing/admin-fixtures.ts';
import { DEFAULT_SORT, listUser, searchUsers, sortUsers, USER_SORT_KEYS, type UserSort } from './user-list.ts';

const list = (users: readonly AdminUser[]) =>
  users.map((user) => listUser(user, planLabel(planOfPriceId(user.priceId, PRICES))));
const none = () => null;
const ids = (users: readonly AdminUser[], sort: UserSort, left: (id: string) => number | null = none) =>
  sortUsers(list(users), sort, left).map(({ user }) => user.id);

const USERS = [
  aUser('ada', {
    full_name: 'Ada Lovelace',
    role: 'admin',
    account_created_at: '2025-01-01T00:00:00Z',
    timezone: 'Europe/London',
  }),
  aPayingUser('bob', 'price_l', 3, { full_name: 'bob', account_created_at: '2025-03-01T00:00:00Z' }),
  aPayingUser('cy', 'price_b', 9, {
    full_name: 'Cy',
    account_created_at: '2025-02-01T00:00:00Z',
    cancel_at_period_end: true,
  }),
  aUser('dee', { account_created_at: '2025-04-01T00:00:00Z', timezone: 'Asia/Tokyo' }),
];

test.each([
  ['LOVELACE', ['ada']],
  ['BOB@EX', ['bob']],
  ['$69', ['bob']],
  ['bobcat', ['cy']],
  ['free', ['ada', 'dee']],
  ['  ', ['ada', 'bob', 'cy', 'dee']],
  ['nobody', []],
  ['example.com', ['ada', 'bob', 'cy', 'dee']],
])('searching %j finds %j', (words, found) => {
  expect(searchUsers(list(USERS), words).map(({ user }) => user.id)).toEqual(found);
});

test('at first the newest accounts stand first, after the admins', () => {
  expect(ids(USERS, DEFAULT_SORT)).toEqual(['ada', 'dee', 'bob', 'cy']);
});

test.each([
  ['name', 'asc', ['ada', 'bob', 'cy', 'dee']],
  ['name', 'desc', ['ada', 'cy', 'bob', 'dee']],
  ['email', 'desc', ['ada', 'dee', 'cy', 'bob']],
  ['plan', 'asc', ['ada', 'cy', 'dee', 'bob']],
  ['time-left', 'asc', ['ada', 'bob', 'cy', 'dee']],
  ['status', 'asc', ['ada', 'bob', 'cy', 'dee']],
  ['status', 'desc', ['ada', 'dee', 'cy', 'bob']],
  ['timezone', 'asc', ['ada', 'dee', 'bob', 'cy']],
  ['joined', 'asc', ['ada', 'cy', 'bob', 'dee']],
] as const)('by %s %s', (key, direction, order) => {
  expect(ids(USERS, { key, direction })).toEqual(order);
});

test('quotas: no limit is the most, and what is not known comes last', () => {
  const left = new Map([
    ['bob', 7],
    ['cy', -1],
  ]);
  const of = (id: string) => left.get(id) ?? null;

  expect(ids(USERS, { key: 'quota', direction: 'desc' }, of)).toEqual(['ada', 'cy', 'bob', 'dee']);
  expect(ids(USERS, { key: 'quota', direction: 'asc' }, of)).toEqual(['ada', 'bob', 'cy', 'dee']);
});

test('whatever is sorted, nobody is lost, admins come first, and a second sorting changes nothing', () => {
  const anyUser = fc
    .record({
      full_name: fc.option(fc.string({ maxLength: 4 })),
      role: fc.constantFrom('admin', 'user', null),
      timezone: fc.constantFrom('Asia/Tokyo', 'Europe/Berlin', null),
      account_created_at: fc.option(fc.integer({ min: 1, max: 5 })),
      last_sign_in_at: fc.option(fc.integer({ min: 1, max: 5 })),
      status: fc.constantFrom('active', 'canceled', null),
      price_id: fc.constantFrom('price_b', 'price_l', 'x', null),
    })
    .map((columns) => columns);
  const anySort = fc.record({
    key: fc.constantFrom(...USER_SORT_KEYS),
    direction: fc.constantFrom('asc' as const, 'desc' as const),
  });
  fc.assert(
    fc.property(fc.array(anyUser, { maxLength: 12 }), anySort, (columns, sort) => {
      const users = list(columns.map((row, i) => aUser(`u${i}`, row)));
      const sorted = sortUsers(users, sort, none);
      expect(new Set(sorted)).toEqual(new Set(users));
      expect(sorted.map(({ user }) => user.isAdmin)).toEqual(
        sorted.map(({ user }) => user.isAdmin).sort((a, b) => Number(b) - Number(a)),
      );
      expect(sortUsers(sorted, sort, none)).toEqual(sorted);
    }),
  );
});
