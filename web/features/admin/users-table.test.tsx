import { act, screen } from '@testing-library/react';
import { beforeEach, expect, test } from 'vitest';
import { aUserRow, NOON_MS } from '#domain/admin/testing/admin-fixtures.ts';
import { json } from '../../platform/testing/fake-backend.ts';
import { toast } from '../../ui/overlay/toast.ts';
import {
  type AdminServer,
  adminServer,
  button,
  counted,
  events,
  fact,
  head,
  headings,
  loaded,
  nameButton,
  names,
  press,
  rowCount,
  search,
  show,
  shown,
  soon,
} from './testing/admin-screen.tsx';

let server: AdminServer;

beforeEach(() => {
  server = adminServer();
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
  await soon(() => expect(server.calls('admin_remaining_daily')).toHaveLength(1));

  await events.click(button('Show Paid Only'));

  await soon(() => expect(names()).toEqual(['bob', 'Ada Lovelace']));
  await soon(() => expect(server.calls('admin_remaining_daily')).toHaveLength(2));
  expect(server.pages()).toHaveLength(2);
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
  const ofOneUser = server.calls('admin_list_users').map((query) => query.get('id'));
  expect(ofOneUser.filter((id) => id !== null)).toEqual(['eq.ada']);

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
    aUserRow(`u${i}`, { full_name: `User ${i}`, account_created_at: NOON_MS - i * 1000 }),
  );
  server.users = many;
  show();
  await shown('User 0');

  await soon(() => expect(rowCount()).toBe('451'));
  expect(nameButton('User 0').closest('tr')?.getAttribute('aria-rowindex')).toBe('2');
  expect(names().length).toBeLessThan(60);
  expect(server.pages().map((query) => query.get('offset'))).toEqual(['0', '200', '400']);
  await soon(() => expect(server.calls('admin_remaining_daily')).toHaveLength(3));
  await soon(() => expect(toast.success).toHaveBeenCalledWith('Loaded 450 users'));
});

test('beyond 5,000 users the server counts, finds and sorts', async () => {
  const [, ada = {}] = server.users;
  server.procedure('admin_list_users', ({ search }) => {
    const query = new URLSearchParams(search);
    const offset = Number(query.get('offset'));
    const rows = Array.from({ length: 200 }, (_, i) => aUserRow(`u${offset + i}`, { full_name: `User ${offset + i}` }));
    return query.has('or') ? counted([ada], 0, 1) : counted(rows, offset, 100_000);
  });
  server.procedure('admin_summary', () =>
    json([
      {
        total_users: 100_000,
        paid: 900,
        lion: 300,
        bobcat: 600,
        active: 800,
        canceling: 90,
        latest_period_start: null,
      },
    ]),
  );
  server.procedure('admin_renewals', () => json([{ day: '2026-11-20', bobcat: 2, lion: 1 }]));
  show();
  await shown('User 0');

  await soon(() => expect(headings()).toContain('Renewals ($129.97)'));
  await soon(() => expect(fact('Total Paid Users')).toBe('900'));
  expect(fact('Most Recent Paid Sub')).toBe('-');
  expect(rowCount()).toBe('100001');
  await events.click(press(head('Email')));
  await soon(() =>
    expect(server.pages().at(-1)?.get('order')).toBe(
      'role.asc.nullslast,email.asc.nullslast,account_created_at.desc.nullslast,id.asc.nullslast',
    ),
  );
  expect([server.pages().at(-1)?.has('or'), server.pages().at(-1)?.has('price_id')]).toEqual([false, false]);
  const before = server.pages().length;
  for (const words of ['a', 'ad', 'ada']) search(words);

  await loaded();
  await soon(() => expect(rowCount()).toBe('2'));
  const sought = server.pages().slice(before);
  expect(sought.map((query) => query.get('or'))).toEqual(['(email.ilike."*ada*",full_name.ilike."*ada*")']);
});
