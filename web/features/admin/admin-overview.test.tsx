import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { act, fireEvent, render, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test, vi } from 'vitest';
import { aPayingUser, aUser, NOON_MS, PRICES } from '#domain/admin/admin-test-data.ts';
import type { AdminUser } from '#domain/admin/admin-user.ts';
import type { Quota } from '#domain/forecast/quota.ts';
import { toast } from '../../ui/toast.ts';
import { Toaster } from '../../ui/toaster.tsx';
import * as api from './admin-api.ts';
import { AdminOverview } from './admin-overview.tsx';

vi.mock('./admin-api.ts', async (original) => ({
  ...(await original<typeof import('./admin-api.ts')>()),
  adminSettings: vi.fn(),
  fetchUserPage: vi.fn(),
  fetchUserQuotas: vi.fn(),
  fetchQuotaPoints: vi.fn(),
  fetchDayTotals: vi.fn(),
  fetchSummary: vi.fn(),
  fetchRenewals: vi.fn(),
  fetchUserPredictions: vi.fn(),
  verifySubscriptions: vi.fn(),
}));
const called = vi.mocked(api);

let users: AdminUser[];
beforeEach(() => {
  vi.useFakeTimers({ now: NOON_MS, shouldAdvanceTime: true, toFake: ['Date', 'setInterval', 'clearInterval'] });
  vi.spyOn(HTMLCanvasElement.prototype, 'getContext').mockReturnValue(null);
  // jsdom lays nothing out: rows are drawn for a frame of this size.
  vi.spyOn(Element.prototype, 'clientHeight', 'get').mockReturnValue(320);
  for (const toasted of ['success', 'error'] as const) vi.spyOn(toast, toasted);
  users = [
    aUser('root', { full_name: 'Root', role: 'admin', account_created_at: '2025-01-01T00:00:00Z' }),
    aPayingUser('ada', 'price_l', 3, {
      full_name: 'Ada Lovelace',
      account_created_at: '2025-02-01T00:00:00Z',
      website: 'ada.example',
      two_factor_enabled: true,
      timezone: 'Europe/London',
    }),
    aPayingUser('bob', 'price_b', 9, {
      full_name: 'bob',
      account_created_at: '2025-03-01T00:00:00Z',
      cancel_at_period_end: true,
    }),
    aUser('cy', { full_name: 'Cy', account_created_at: '2025-04-01T00:00:00Z', website: 'javascript:alert(1)' }),
  ];
  called.adminSettings.mockReset().mockResolvedValue({ prices: PRICES, clockOffsetMs: 0 });
  called.fetchUserPage.mockReset().mockImplementation(async ({ page, hasTotal }) => ({
    users: users.slice(page * 200, page * 200 + 200),
    total: hasTotal ? users.length : null,
  }));
  called.fetchUserQuotas
    .mockReset()
    .mockImplementation(
      async (ids) =>
        new Map(ids.map((id, i): [string, Quota] => [id, { remainingDaily: 1, remainingMonthly: 40 - i }])),
    );
  called.fetchQuotaPoints
    .mockReset()
    .mockResolvedValue({ points: [{ plan: 'lion', elapsedDays: 4, remaining: 7 }], outside: 0, total: 1 });
  called.fetchDayTotals.mockReset().mockResolvedValue([
    { day: '2026-11-19', total: 0 },
    { day: '2026-11-20', total: 3 },
  ]);
  called.fetchUserPredictions.mockReset().mockResolvedValue([]);
  called.verifySubscriptions.mockReset().mockResolvedValue({ updated: 2, checked: 9 });
});

/** One second, the default, is short on a busy machine. */
const soon = (check: () => void) => vi.waitFor(check, { timeout: 5000 });
const events = userEvent.setup({ advanceTimers: vi.advanceTimersByTime.bind(vi) });

function show() {
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  render(
    <QueryClientProvider client={client}>
      <AdminOverview />
      <Toaster />
    </QueryClientProvider>,
  );
}

const names = () => [...document.querySelectorAll('[data-row]')].map((button) => button.textContent);
/** Queries by role look at every cell: here they would take seconds. */
const nameButton = (name: string): HTMLElement => {
  const found = [...document.querySelectorAll<HTMLElement>('[data-row]')].find((button) => button.textContent === name);
  if (found === undefined) throw new Error(`no row of ${name}`);
  return found;
};
const shown = (name: string) => soon(() => expect(nameButton(name)).toBeDefined());
const rowCount = () => document.querySelector('table')?.getAttribute('aria-rowcount');
const cells = (name: string) =>
  [...(nameButton(name).closest('tr')?.querySelectorAll('td') ?? [])].map((cell) => cell.textContent);
const head = (name: string) =>
  [...document.querySelectorAll('th')].find((cell) => cell.textContent?.startsWith(name)) ?? document.body;
const press = (within: HTMLElement) => within.querySelector('button') ?? document.body;
const card = (name: string) => screen.getByText(name, { selector: 'dt' }).nextElementSibling?.textContent;
const loaded = () => shown('Ada Lovelace');

test('cards, charts and rows tell what was loaded, and toasts say so once', async () => {
  show();
  await loaded();

  expect(card('Total Paid Users')).toBe('2');
  expect(card('Lion')).toBe('1');
  expect(card('Bobcat')).toBe('1');
  expect(card('Active Users')).toBe('1');
  expect(card('Canceling Users')).toBe('1');
  expect(card('Most Recent Paid Sub')).toBe('30 Oct 2026');
  for (const heading of ['Paid Plan Mix', 'User Quotas', 'Predictions per Day', 'Renewals ($69.99)'])
    expect(await screen.findByRole('heading', { name: heading })).toBeDefined();
  await soon(() =>
    expect(cells('Ada Lovelace')).toEqual(
      [
        '',
        'Ada Lovelace',
        'ada@example.com',
        'Lion $69.99',
        '38',
        '3d 0h 0m',
        'Active',
        'Europe/London',
        '1 Feb 2025',
        '-',
      ].map((text, i) => (i === 0 ? 'A' : i === 4 ? expect.any(String) : text)),
    ),
  );
  expect(cells('bob')[6]).toBe('Cancels on 29 Nov 2026');
  expect(cells('Cy')[3]).toBe('Free');
  await soon(() =>
    expect(vi.mocked(toast.success).mock.calls).toEqual(
      [['Loaded 2 days of prediction stats'], ['Loaded 4 users']].sort(),
    ),
  );
  expect(toast.error).not.toHaveBeenCalled();
});

test('the pictures have the specified heights', async () => {
  show();
  await loaded();
  await screen.findByRole('img', { name: /^User Quotas/ });

  const height = (name: RegExp) => screen.getByRole('img', { name }).getAttribute('height');
  expect([/^Paid Plan Mix/, /^User Quotas/, /^Predictions per Day/, /^Renewals/].map(height)).toEqual([
    '260',
    '260',
    '300',
    '300',
  ]);
});

test('admins stand first; a head sorts, again turns round, and says so in words and marks', async () => {
  show();
  await loaded();
  expect(names()).toEqual(['Root', 'Cy', 'bob', 'Ada Lovelace']);
  expect(head('Joined').getAttribute('aria-sort')).toBe('descending');
  expect(head('Joined').textContent).toContain('▼');

  await events.click(press(head('Name')));
  expect(names()).toEqual(['Root', 'Ada Lovelace', 'bob', 'Cy']);
  expect(head('Name').textContent).toContain('▲');
  expect(head('Joined').getAttribute('aria-sort')).toBeNull();

  await events.click(press(head('Name')));
  expect(names()).toEqual(['Root', 'Cy', 'bob', 'Ada Lovelace']);
  expect(head('Name').textContent).toContain('▼');
});

test('the search finds by address, name and plan; nobody found is said', async () => {
  show();
  await loaded();
  const search = screen.getByRole('searchbox', { name: 'Search users' });
  expect(search.getAttribute('placeholder')).toBe('Search name, email, plan…');

  await events.type(search, 'LION');
  await soon(() => expect(names()).toEqual(['Ada Lovelace']));
  await events.clear(search);
  await events.type(search, 'nobody');

  expect(await screen.findByText('Nobody matches “nobody”')).toBeDefined();
  await events.click(screen.getByRole('button', { name: 'Clear the search' }));
  await soon(() => expect(names()).toHaveLength(4));
});

test('paid only loads the list and the quotas anew, and shows who pays', async () => {
  show();
  await loaded();
  await soon(() => expect(called.fetchUserQuotas).toHaveBeenCalledTimes(1));

  await events.click(screen.getByRole('button', { name: 'Show Paid Only' }));

  await soon(() => expect(names()).toEqual(['bob', 'Ada Lovelace']));
  await soon(() => expect(called.fetchUserQuotas).toHaveBeenCalledTimes(2));
  expect(called.fetchUserPage).toHaveBeenCalledTimes(2);
  await soon(() => expect(toast.success).toHaveBeenCalledWith('Loaded 2 users'));
  await events.click(screen.getByRole('button', { name: 'Show All Users' }));
  await soon(() => expect(names()).toHaveLength(4));
});

test('a click shows what is known of one user, a second one hides it', async () => {
  show();
  await loaded();

  await events.click(screen.getByText('ada@example.com'));
  const article = await screen.findByText('No recent predictions for this user.');
  expect(nameButton('Ada Lovelace').getAttribute('aria-expanded')).toBe('true');
  for (const heading of ['Profile', 'Subscription', 'Security & Activity'])
    expect(screen.getByRole('heading', { name: heading })).toBeDefined();
  const link = screen.getByRole('link', { name: /ada\.example/ });
  expect(link.getAttribute('href')).toBe('https://ada.example');
  expect(link.getAttribute('rel')).toContain('noopener');
  const fact = (name: string) => screen.getByText(name, { selector: 'dt' }).nextElementSibling?.textContent;
  expect(fact('2FA')).toBe('On');
  expect(fact('Push')).toBe('Off');
  expect(fact('Cancel at period end')).toBe('No');
  expect(called.fetchUserPredictions).toHaveBeenCalledExactlyOnceWith('ada', expect.anything());

  await events.click(screen.getByText('ada@example.com', { selector: 'td' }));
  expect(article.isConnected).toBe(false);
});

test('an address that is none of the web is no link', async () => {
  show();
  await loaded();

  await events.click(nameButton('Cy'));

  expect(await screen.findByText('javascript:alert(1)')).toBeDefined();
  expect(screen.queryByRole('link')).toBeNull();
});

test('by keys: arrows walk from name to name, Enter and Space show and hide, the focus stays', async () => {
  show();
  await loaded();
  act(() => nameButton('Root').focus());

  await events.keyboard('{ArrowDown}{ArrowDown}');
  expect(document.activeElement).toBe(nameButton('bob'));
  await events.keyboard('{Enter}');
  expect(nameButton('bob').getAttribute('aria-expanded')).toBe('true');
  expect(document.activeElement).toBe(nameButton('bob'));
  await events.keyboard(' ');
  expect(nameButton('bob').getAttribute('aria-expanded')).toBe('false');
  await events.keyboard('{End}');
  expect(document.activeElement).toBe(nameButton('Ada Lovelace'));
  expect([...document.querySelectorAll('[data-row][tabindex="0"]')]).toEqual([nameButton('Ada Lovelace')]);
});

test('the table says how many rows there are and which of them each one is', async () => {
  users = Array.from({ length: 450 }, (_, i) =>
    aUser(`u${i}`, { full_name: `User ${i}`, account_created_at: NOON_MS - i * 1000 }),
  );
  show();
  await shown('User 0');

  await soon(() => expect(rowCount()).toBe('451'));
  expect(nameButton('User 0').closest('tr')?.getAttribute('aria-rowindex')).toBe('2');
  expect(names().length).toBeLessThan(60);
  expect(called.fetchUserPage.mock.calls.map(([{ page }]) => page)).toEqual([0, 1, 2]);
  await soon(() => expect(called.fetchUserQuotas).toHaveBeenCalledTimes(3));
  await soon(() => expect(toast.success).toHaveBeenCalledWith('Loaded 450 users'));
});

test.each([
  ['the list', () => called.fetchUserPage.mockRejectedValue(new Error('Failed to load users')), 'Failed to load users'],
  [
    'the quotas',
    () => called.fetchUserQuotas.mockRejectedValue(new Error('Failed to load user quotas')),
    'Failed to load user quotas',
  ],
  ['the scatter', () => called.fetchQuotaPoints.mockRejectedValue(new Error('statement timeout')), 'statement timeout'],
  [
    'the days',
    () => called.fetchDayTotals.mockRejectedValue(new Error('Failed to load predictions per day')),
    'Failed to load predictions per day',
  ],
  ['no days at all', () => called.fetchDayTotals.mockResolvedValue([]), 'No prediction data found'],
])('a failure of %s is told once', async (_what, fail, message) => {
  fail();
  show();

  await soon(() => expect(toast.error).toHaveBeenCalledExactlyOnceWith(message));
});

test('a list that failed is tried again', async () => {
  called.fetchUserPage.mockRejectedValueOnce(new Error('Not authorized.'));
  show();
  const panel = await screen.findByRole('region', { name: 'Users' });

  await events.click(await within(panel).findByRole('button', { name: 'Retry' }));

  await loaded();
});

test('days without a prediction say so', async () => {
  called.fetchDayTotals.mockResolvedValue([{ day: '2026-11-20', total: 0 }]);
  show();

  expect(await screen.findByText('No predictions in the selected range.')).toBeDefined();
});

test('bulk verify tells its figures and loads the list anew', async () => {
  show();
  await loaded();

  await events.click(screen.getByRole('button', { name: 'Bulk verify' }));

  await soon(() => expect(toast.success).toHaveBeenCalledWith('Verified 2 updated / 9 checked'));
  await soon(() => expect(called.fetchUserPage).toHaveBeenCalledTimes(2));
});

test('bulk verify that fails says why', async () => {
  called.verifySubscriptions.mockRejectedValue(new Error('Bulk verify failed'));
  show();
  await loaded();

  await events.click(screen.getByRole('button', { name: 'Bulk verify' }));

  await soon(() => expect(toast.error).toHaveBeenCalledWith('Bulk verify failed'));
});

test('beyond 5,000 users the server counts, finds and sorts', async () => {
  called.fetchUserPage.mockImplementation(async ({ page, hasTotal, view }) => ({
    users:
      view.words === ''
        ? Array.from({ length: 200 }, (_, i) => aUser(`u${page * 200 + i}`, { full_name: `User ${page * 200 + i}` }))
        : [users[1] ?? aUser('x')],
    total: hasTotal ? (view.words === '' ? 100_000 : 1) : null,
  }));
  called.fetchSummary.mockResolvedValue({
    totalUsers: 100_000,
    paid: 900,
    lion: 300,
    bobcat: 600,
    active: 800,
    canceling: 90,
    latestStartMs: null,
  });
  called.fetchRenewals.mockResolvedValue([{ day: '2026-11-20', bobcat: 2, lion: 1 }]);
  show();
  await shown('User 0');

  expect(await screen.findByRole('heading', { name: 'Renewals ($129.97)' })).toBeDefined();
  await soon(() => expect(card('Total Paid Users')).toBe('900'));
  expect(card('Most Recent Paid Sub')).toBe('-');
  expect(rowCount()).toBe('100001');
  await events.click(press(head('Email')));
  await soon(() =>
    expect(called.fetchUserPage.mock.lastCall?.[0].view).toEqual({
      words: '',
      isPaidOnly: false,
      sort: { key: 'email', direction: 'asc' },
    }),
  );
  const before = called.fetchUserPage.mock.calls.length;
  const search = screen.getByRole('searchbox');
  for (const value of ['a', 'ad', 'ada']) fireEvent.change(search, { target: { value } });

  await loaded();
  await soon(() => expect(rowCount()).toBe('2'));
  const asked = called.fetchUserPage.mock.calls.slice(before).map(([{ view }]) => view.words);
  expect(asked).toEqual(['ada']);
});
