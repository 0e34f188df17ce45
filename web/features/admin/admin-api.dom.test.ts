import { beforeEach, expect, test, vi } from 'vitest';
import { aPayingRow, NOON_MS, PRICES } from '#domain/admin/testing/admin-fixtures.ts';
import { DEFAULT_SORT, type UserSort } from '#domain/admin/user-list.ts';
import { type FakeBackend, fakeBackend, json, type SeenRequest } from '../../platform/testing/fake-backend.ts';
import {
  fetchDayTotals,
  fetchUserPage,
  fetchUserPredictions,
  fetchUserQuotas,
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
const asked = () => backend.requests.filter(({ path }) => path.startsWith(PROCEDURES)).map(queryOf);
const queryOf = ({ search }: SeenRequest) => new URLSearchParams(search);

beforeEach(() => {
  backend = fakeBackend();
  answer('admin_list_users', rows([]));
});

const settings = { prices: PRICES, clockOffsetMs: 0 };
const signal = new AbortController().signal;
const page = (
  sort: UserSort,
  wish: { page?: number; hasTotal?: boolean; words?: string; isPaidOnly?: boolean } = {},
) => {
  const { page: number = 0, hasTotal = true, words = '', isPaidOnly = false } = wish;
  return fetchUserPage({ view: { words, isPaidOnly, sort }, page: number, settings, hasTotal }, signal);
};

test('a page is asked without candles, two hundred rows at a time, with the count of all', async () => {
  answer('admin_list_users', rows([aPayingRow('ada', 'price_l', 3)], '400-400/401'));

  const { users, total } = await page(DEFAULT_SORT, { page: 2 });

  expect(users.map(({ id }) => id)).toEqual(['ada']);
  expect(total).toBe(401);
  const [query] = asked();
  expect(query?.get('select')).not.toContain('last_two_predictions');
  expect([query?.get('offset'), query?.get('limit')]).toEqual(['400', '200']);
  expect(query?.get('order')).toBe('role.asc.nullslast,account_created_at.desc.nullslast,id.asc.nullslast');
  const [request] = backend.to(`${PROCEDURES}admin_list_users`);
  expect(request?.headers.get('prefer')).toContain('count=exact');
});

test('who pays is asked by price, status and grace, beside what is sought', async () => {
  vi.useFakeTimers({ now: NOON_MS, toFake: ['Date'] });

  await page(DEFAULT_SORT, { words: 'ada', isPaidOnly: true }).finally(() => vi.useRealTimers());

  expect(asked()[0]?.get('price_id')).toBe('in.(price_b,price_l,price_old)');
  expect(asked()[0]?.getAll('or')).toEqual([
    '(email.ilike."*ada*",full_name.ilike."*ada*")',
    expect.stringContaining(`current_period_end.gt.${NOON_MS / 1000 - 7200}`),
  ]);
});

test('by quota the order is the quotas’, the rows are the list’s', async () => {
  answer('admin_remaining_monthly', rows([{ user_id: 'b' }, { user_id: 'gone' }, { user_id: 'a' }], '0-2/3'));
  answer('admin_list_users', rows([aPayingRow('a', 'price_l', 3), aPayingRow('b', 'price_l', 3)]));

  const { users, total } = await page({ key: 'quota', direction: 'desc' });

  expect(users.map(({ id }) => id)).toEqual(['b', 'a']);
  expect(total).toBe(3);
  expect(asked()[0]?.get('order')).toBe('remaining_monthly.desc.nullsfirst,user_id.asc');
  expect(asked()[1]?.get('id')).toBe('in.(b,gone,a)');
});

test('quotas are asked of both procedures, for the users that are shown', async () => {
  answer('admin_remaining_daily', rows([{ user_id: 'a', remaining_daily: 3, remaining_monthly: null }]));
  answer('admin_remaining_monthly', rows([{ user_id: 'a', remaining_daily: null, remaining_monthly: 30 }]));

  expect((await fetchUserQuotas(['a'], signal)).get('a')).toEqual({ remainingDaily: 3, remainingMonthly: 30 });
  expect(asked().map((query) => query.get('user_id'))).toEqual(['in.(a)', 'in.(a)']);
});

test('the candles are asked of one user alone', async () => {
  await fetchUserPredictions('ada', signal);

  expect(asked()[0]?.get('select')).toBe('id,last_two_predictions');
  expect(asked()[0]?.get('id')).toBe('eq.ada');
});

test.each([
  ['a refusal in the server’s words', 403, { code: '42501', message: 'Not authorized.' }, 'Not authorized.'],
  ['an answer without words', 500, { code: 'XX000', message: '' }, 'Failed to load predictions per day'],
  ['a page of something in between', 502, '<html>', 'Failed to load predictions per day'],
])('%s is told as %s', async (_what, status, body, message) => {
  answer(
    'get_predictions_per_day',
    () => new Response(typeof body === 'string' ? body : JSON.stringify(body), { status }),
  );

  await expect(fetchDayTotals(signal)).rejects.toThrow(message);
});

test('a server that cannot be reached is told in the words for it', async () => {
  answer('get_predictions_per_day', () => Promise.reject(new TypeError('Failed to fetch')));

  await expect(fetchDayTotals(signal)).rejects.toThrow('Failed to load predictions per day');
});

/** The given answers, one a call; the last one repeats. */
function verifyAnswers(...bodies: object[]): void {
  backend.on(`POST ${VERIFY}`, () => json(bodies[Math.min(backend.to(VERIFY).length, bodies.length) - 1]));
}

test('verifying goes on until nobody is left, and adds up', async () => {
  verifyAnswers(
    { ok: true, updated: 1, checked: 50, remaining: 7 },
    { ok: true, updated: 2, checked: 7, remaining: 0 },
  );

  expect(await verifySubscriptions()).toEqual({ updated: 3, checked: 57 });
  expect(backend.to(VERIFY).map(({ body }) => body)).toEqual([{}, {}]);
});

test('verifying that gets nowhere ends', async () => {
  verifyAnswers({ ok: true, updated: 0, checked: 0, remaining: 7 });

  expect(await verifySubscriptions()).toEqual({ updated: 0, checked: 0 });
  expect(backend.to(VERIFY)).toHaveLength(1);
});

test.each([
  ['a refusal', () => json({ code: 'auth/forbidden', error: 'Not authorized.' }, 403), 'Not authorized.'],
  ['no network', () => Promise.reject(new TypeError('Failed to fetch')), 'Bulk verify failed'],
  ['a fault without words', () => json({}, 500), 'Bulk verify failed'],
])('verifying that meets %s says so', async (_what, respond, message) => {
  backend.on(`POST ${VERIFY}`, respond);

  await expect(verifySubscriptions()).rejects.toThrow(message);
});

test('verifying that is refused in an answer says why', async () => {
  verifyAnswers({ ok: false, reason: 'Another verification is under way.' });

  await expect(verifySubscriptions()).rejects.toThrow('Another verification is under way.');
});
