import { beforeEach, expect, test } from 'vitest';
import { aPayingRow } from '#domain/admin/testing/admin-fixtures.ts';
import { type FakeBackend, fakeBackend, json, type SeenRequest } from '../../platform/testing/fake-backend.ts';
import {
  DEFAULT_SORT,
  fetchDayTotals,
  fetchUserPage,
  fetchUserPredictions,
  fetchUserQuotas,
  type UserView,
  verifySubscriptions,
} from './admin-api.ts';

const PROCEDURES = '/rest/v1/rpc/';
const VERIFY = '/functions/v1/admin-verify-subscriptions';
let backend: FakeBackend;

const rows =
  (data: unknown, range = '*/*') =>
  () =>
    Response.json(data, { headers: { 'content-range': range } });
const answer = (procedure: string, respond: () => Response | Promise<Response>) =>
  backend.on(`POST ${PROCEDURES}${procedure}`, respond);
/** Query of each call of a procedure, in order. */
const queries = () => backend.requests.filter(({ path }) => path.startsWith(PROCEDURES)).map(queryOf);
const queryOf = ({ search }: SeenRequest) => new URLSearchParams(search);

beforeEach(() => {
  backend = fakeBackend();
  answer('admin_list_users', rows([]));
});

const signal = new AbortController().signal;
const fetchPage = (view: Partial<UserView>, page = 0) =>
  fetchUserPage({ search: '', isPaidOnly: false, sort: DEFAULT_SORT, ...view }, page, signal);

test('requests a page of two hundred users without candles, and counts all users with the first page', async () => {
  answer('admin_list_users', rows([aPayingRow('ada', 'lion', 3)], '0-0/401'));

  const { users, total } = await fetchPage({});
  await fetchPage({}, 2);

  expect(users.map(({ id, plan }) => [id, plan])).toEqual([['ada', 'lion']]);
  expect(total).toBe(401);
  const [first, third] = queries();
  expect(first?.get('select')).not.toContain('last_two_predictions');
  expect([first?.get('offset'), first?.get('limit')]).toEqual(['0', '200']);
  expect([third?.get('offset'), third?.get('limit')]).toEqual(['400', '200']);
  const counts = backend.to(`${PROCEDURES}admin_list_users`).map(({ headers }) => headers.get('prefer') ?? '');
  expect(counts.map((prefer) => prefer.includes('count=exact'))).toEqual([true, false]);
});

test.each([
  ['joined', 'desc', 'role.asc,account_created_at.desc,id.asc'],
  ['joined', 'asc', 'role.asc,account_created_at.asc,id.asc'],
  ['name', 'desc', 'role.asc,name_order.desc.nullslast,account_created_at.desc,id.asc'],
  ['quota', 'asc', 'role.asc,remaining_monthly.asc.nullslast,account_created_at.desc,id.asc'],
] as const)('orders by %s %s as %s', async (key, direction, order) => {
  await fetchPage({ sort: { key, direction } });

  expect(queries()[0]?.get('order')).toBe(order);
});

test('filters by the plan in effect beside the search', async () => {
  await fetchPage({ search: 'ada', isPaidOnly: true });

  expect(queries()[0]?.get('plan_tier')).toBe('neq.free');
  expect(queries()[0]?.get('or')).toBe('(email.ilike."*ada*",full_name.ilike."*ada*")');
});

test.each([
  [' Ada ', 'email.ilike."*ada*",full_name.ilike."*ada*"'],
  ['$69', 'email.ilike."*$69*",full_name.ilike."*$69*",plan.in.(lion)'],
  ['9.99', 'email.ilike."*9.99*",full_name.ilike."*9.99*",plan.in.(bobcat,lion)'],
  ['FREE', 'email.ilike."*free*",full_name.ilike."*free*",plan.in.(free)'],
])('searches %j in email, name and plan label', async (search, condition) => {
  await fetchPage({ search });

  expect(queries()[0]?.get('or')).toBe(`(${condition})`);
});

test.each([
  ['a,b)"c', '"*a,b)\\"c*"'],
  ['a%b_c', '"*a\\\\%b\\\\_c*"'],
  ['back\\slash', '"*back\\\\\\\\slash*"'],
  ['a*b', '"*a_b*"'],
  ['________', '"*\\\\_\\\\_\\\\_\\\\_\\\\_\\\\_*"'],
])('sends the search %s as the pattern %s', async (search, pattern) => {
  await fetchPage({ search });

  expect(queries()[0]?.get('or')).toContain(`email.ilike.${pattern},`);
});

test('filters by nothing for an empty search', async () => {
  await fetchPage({ search: '  ' });

  expect([queries()[0]?.has('or'), queries()[0]?.has('plan_tier')]).toEqual([false, false]);
});

test('requests quotas from both procedures, for the users that are shown', async () => {
  answer('admin_remaining_daily', rows([{ user_id: 'a', remaining_daily: 3, remaining_monthly: null }]));
  answer('admin_remaining_monthly', rows([{ user_id: 'a', remaining_daily: null, remaining_monthly: 30 }]));

  expect((await fetchUserQuotas(['a'], signal)).get('a')).toEqual({ remainingDaily: 3, remainingMonthly: 30 });
  expect(queries().map((query) => query.get('user_id'))).toEqual(['in.(a)', 'in.(a)']);
});

test('requests the candles of one user alone', async () => {
  await fetchUserPredictions('ada', signal);

  expect(queries()[0]?.get('select')).toBe('id,last_two_predictions');
  expect(queries()[0]?.get('id')).toBe('eq.ada');
});

test.each([
  ['a refusal in the server’s words', 403, { code: '42501', message: 'Not authorized.' }, 'Not authorized.'],
  ['an answer without words', 500, { code: 'XX000', message: '' }, 'Failed to load predictions per day'],
  ['a page of something in between', 502, '<html>', 'Failed to load predictions per day'],
])('reports %s as %s', async (_what, status, body, message) => {
  answer(
    'get_predictions_per_day',
    () => new Response(typeof body === 'string' ? body : JSON.stringify(body), { status }),
  );

  await expect(fetchDayTotals(signal)).rejects.toThrow(message);
});

test('reports a server that cannot be reached with its own text', async () => {
  answer('get_predictions_per_day', () => Promise.reject(new TypeError('Failed to fetch')));

  await expect(fetchDayTotals(signal)).rejects.toThrow('Failed to load predictions per day');
});

/** The given answers, one a call; the last one repeats. */
function verifyAnswers(...bodies: object[]): void {
  backend.on(`POST ${VERIFY}`, () => json(bodies[Math.min(backend.to(VERIFY).length, bodies.length) - 1]));
}

test('verifies until no user is left, and adds up', async () => {
  verifyAnswers(
    { ok: true, updated: 1, checked: 50, remaining: 7 },
    { ok: true, updated: 2, checked: 7, remaining: 0 },
  );

  expect(await verifySubscriptions()).toEqual({ updated: 3, checked: 57 });
  expect(backend.to(VERIFY).map(({ body }) => body)).toEqual([{}, {}]);
});

test('ends a verification that makes no progress', async () => {
  verifyAnswers({ ok: true, updated: 0, checked: 0, remaining: 7 });

  expect(await verifySubscriptions()).toEqual({ updated: 0, checked: 0 });
  expect(backend.to(VERIFY)).toHaveLength(1);
});

test.each([
  ['a refusal', () => json({ code: 'auth/forbidden', error: 'Not authorized.' }, 403), 'Not authorized.'],
  ['no network', () => Promise.reject(new TypeError('Failed to fetch')), 'Bulk verify failed'],
  ['a fault without words', () => json({}, 500), 'Bulk verify failed'],
])('reports %s while verifying', async (_what, respond, message) => {
  backend.on(`POST ${VERIFY}`, respond);

  await expect(verifySubscriptions()).rejects.toThrow(message);
});

test('reports why an answer refuses the verification', async () => {
  verifyAnswers({ ok: false, reason: 'Another verification is under way.' });

  await expect(verifySubscriptions()).rejects.toThrow('Another verification is under way.');
});
