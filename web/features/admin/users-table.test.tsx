import { act, screen } from '@testing-library/react';
import { beforeEach, expect, test, vi } from 'vitest';
import { aUser, NOON_MS } from '#domain/admin/admin-test-data.ts';
import { toast } from '../../ui/toast.ts';
import {
  button,
  called,
  events,
  fact,
  head,
  headings,
  loaded,
  nameButton,
  names,
  prepareScreen,
  press,
  rowCount,
  screenUsers,
  search,
  show,
  shown,
  soon,
} from './admin-screen.tsx';

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
beforeEach(prepareScreen);

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
  expect(screen.getByPlaceholderText('Search name, email, plan…')).toBe(screen.getByLabelText('Search users'));

  search('LION');
  await soon(() => expect(names()).toEqual(['Ada Lovelace']));
  search('nobody');

  expect(await screen.findByText('Nobody matches “nobody”')).toBeDefined();
  await events.click(button('Clear the search'));
  await soon(() => expect(names()).toHaveLength(4));
});

test('paid only loads the list and the quotas anew, and shows who pays', async () => {
  show();
  await loaded();
  await soon(() => expect(called.fetchUserQuotas).toHaveBeenCalledTimes(1));

  await events.click(button('Show Paid Only'));

  await soon(() => expect(names()).toEqual(['bob', 'Ada Lovelace']));
  await soon(() => expect(called.fetchUserQuotas).toHaveBeenCalledTimes(2));
  expect(called.fetchUserPage).toHaveBeenCalledTimes(2);
  await soon(() => expect(toast.success).toHaveBeenCalledWith('Loaded 2 users'));
  await events.click(button('Show All Users'));
  await soon(() => expect(names()).toHaveLength(4));
});

test('a click shows what is known of one user, a second one hides it', async () => {
  show();
  await loaded();

  await events.click(screen.getByText('ada@example.com'));
  const article = await screen.findByText('No recent predictions for this user.');
  expect(nameButton('Ada Lovelace').getAttribute('aria-expanded')).toBe('true');
  expect(headings().slice(-3)).toEqual(['Profile', 'Subscription', 'Security & Activity']);
  const link = document.querySelector('table a');
  expect(link?.getAttribute('href')).toBe('https://ada.example');
  expect(link?.getAttribute('rel')).toContain('noopener');
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
  expect(document.querySelector('table a')).toBeNull();
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
  const many = Array.from({ length: 450 }, (_, i) =>
    aUser(`u${i}`, { full_name: `User ${i}`, account_created_at: NOON_MS - i * 1000 }),
  );
  screenUsers.splice(0, 4, ...many);
  show();
  await shown('User 0');

  await soon(() => expect(rowCount()).toBe('451'));
  expect(nameButton('User 0').closest('tr')?.getAttribute('aria-rowindex')).toBe('2');
  expect(names().length).toBeLessThan(60);
  expect(called.fetchUserPage.mock.calls.map(([{ page }]) => page)).toEqual([0, 1, 2]);
  await soon(() => expect(called.fetchUserQuotas).toHaveBeenCalledTimes(3));
  await soon(() => expect(toast.success).toHaveBeenCalledWith('Loaded 450 users'));
});

test('beyond 5,000 users the server counts, finds and sorts', async () => {
  called.fetchUserPage.mockImplementation(async ({ page, hasTotal, view }) => ({
    users:
      view.words === ''
        ? Array.from({ length: 200 }, (_, i) => aUser(`u${page * 200 + i}`, { full_name: `User ${page * 200 + i}` }))
        : screenUsers.slice(1, 2),
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

  await soon(() => expect(headings()).toContain('Renewals ($129.97)'));
  await soon(() => expect(fact('Total Paid Users')).toBe('900'));
  expect(fact('Most Recent Paid Sub')).toBe('-');
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
  for (const words of ['a', 'ad', 'ada']) search(words);

  await loaded();
  await soon(() => expect(rowCount()).toBe('2'));
  const asked = called.fetchUserPage.mock.calls.slice(before).map(([{ view }]) => view.words);
  expect(asked).toEqual(['ada']);
});
