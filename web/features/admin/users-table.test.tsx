import { act, screen } from '@testing-library/react';
import { beforeEach, expect, test, vi } from 'vitest';
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
  scrollTo,
  search,
  show,
  shown,
  soon,
} from './testing/admin-screen.tsx';

let server: AdminServer;

beforeEach(() => {
  server = adminServer();
});

const lastOrder = () => server.pages().at(-1)?.get('order');

test('sorts on the server by a header, reverses on a second click, and shows the direction', async () => {
  show();
  await loaded();
  expect(head('Joined').getAttribute('aria-sort')).toBe('descending');
  expect(head('Joined').textContent).toContain('▼');

  await events.click(press(head('Name')));
  await soon(() => expect(lastOrder()).toMatch(/^role\.asc,name_order\.asc/));
  expect(head('Name').textContent).toContain('▲');
  expect(head('Joined').getAttribute('aria-sort')).toBeNull();

  await events.click(press(head('Name')));
  await soon(() => expect(lastOrder()).toMatch(/^role\.asc,name_order\.desc/));
  expect(head('Name').textContent).toContain('▼');
});

test('keeps rows until the rows of the new order arrive', async () => {
  show();
  await loaded();
  const answer = Promise.withResolvers<Response>();
  server.procedure('admin_list_users', () => answer.promise);

  await events.click(press(head('Monthly Quota')));
  await soon(() => expect(lastOrder()).toMatch(/^role\.asc,remaining_monthly\.asc/));
  expect(names()).toHaveLength(4);
  expect(document.querySelector('[aria-busy] table')).not.toBeNull();

  answer.resolve(counted(server.users.slice(0, 2), 0, 2));
  await soon(() => expect(names()).toEqual(['Root', 'Cy']));
  expect(document.querySelector('[aria-busy] table')).toBeNull();
});

test('sends the search once the admin stops typing, and says when no user matches', async () => {
  const everybody = server.users;
  server.procedure('admin_list_users', ({ search: query }) => {
    const condition = new URLSearchParams(query).get('or');
    const found = everybody.filter(({ plan }) => condition === null || condition.includes(`plan.in.(${plan})`));
    return counted(found, 0, found.length);
  });
  show();
  await loaded();
  expect(screen.getByPlaceholderText('Search name, email, plan…')).toBe(screen.getByLabelText('Search users'));

  for (const text of ['L', 'LIO', 'LION']) search(text);
  await soon(() => expect(names()).toEqual(['Ada Lovelace']));
  expect(server.pages().map((query) => query.get('or'))).toEqual([
    null,
    '(email.ilike."*lion*",full_name.ilike."*lion*",plan.in.(lion))',
  ]);
  await screen.findByText('1 of 4');
  search('nobody');

  expect(await screen.findByText('No user matches “nobody”')).toBeDefined();
  await events.click(button('Clear the search'));
  await soon(() => expect(names()).toHaveLength(4));
  const toasted = vi.mocked(toast.success).mock.calls.map(([text]) => text);
  expect(toasted.filter((text) => text.endsWith('users'))).toEqual(['Loaded 4 users']);
});

test('loads the list and the quotas again for paid users only', async () => {
  show();
  await loaded();
  await soon(() => expect(server.calls('admin_remaining_daily')).toHaveLength(1));
  server.procedure('admin_list_users', () => counted(server.users.slice(2), 0, 2));

  await events.click(button('Show Paid Only'));

  await soon(() => expect(names()).toEqual(['bob', 'Ada Lovelace']));
  expect(server.pages().map((query) => query.get('plan_tier'))).toEqual([null, 'neq.free']);
  await soon(() => expect(server.calls('admin_remaining_daily')).toHaveLength(2));
  await soon(() => expect(toast.success).toHaveBeenCalledWith('Loaded 2 users', { isQuiet: true }));
  await events.click(button('Show All Users'));
  await soon(() => expect(server.pages()).toHaveLength(3));
});

test('shows what is known of one user on a click, and hides it on a second one', async () => {
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

test('draws the band of a user’s prediction as the user saw it', async () => {
  const edge = (price: number) => Array.from({ length: 50 }, () => price);
  const data = Array.from({ length: 200 }, (_, i) => ({ time: i * 60, open: 10, high: 11, low: 9, close: 10 }));
  const band = { lower80: edge(8), upper80: edge(12), lower95: edge(7), upper95: edge(13) };
  const row = {
    id: 'a',
    cryptocurrency: 'BTC',
    timeframe: '1min',
    model: 'kat2_4',
    created_at: '2026-11-20T12:00:00Z',
  };
  const answerList = server.users;
  server.procedure('admin_list_users', ({ search: query }) =>
    new URLSearchParams(query).get('id') === null
      ? counted(answerList, 0, answerList.length)
      : json([{ id: 'ada', last_two_predictions: [{ ...row, data, band }] }]),
  );
  show();
  await loaded();

  await events.click(nameButton('Ada Lovelace'));

  const picture = await screen.findByLabelText(/^Saved prediction, BTC 1min Lion/);
  expect(picture.getAttribute('aria-label')).toMatch(/80% band/);
});

test('renders an address outside the web as plain text', async () => {
  show();
  await loaded();

  await events.click(nameButton('Cy'));

  expect(await screen.findByText('javascript:alert(1)')).toBeDefined();
  expect(document.querySelector('table a')).toBeNull();
});

test('moves by arrow keys from name to name, shows and hides by Enter and Space, and keeps the focus', async () => {
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

const many = (count: number) =>
  Array.from({ length: count }, (_, i) =>
    aUserRow(`u${i}`, { full_name: `User ${i}`, account_created_at: NOON_MS - i }),
  );

test('reports the number of rows and their positions, and loads the pages that are scrolled to', async () => {
  server.users = many(450);
  show();
  await shown('User 0');

  await soon(() => expect(rowCount()).toBe('451'));
  expect(nameButton('User 0').closest('tr')?.getAttribute('aria-rowindex')).toBe('2');
  expect(names().length).toBeLessThan(60);
  await soon(() => expect(toast.success).toHaveBeenCalledWith('Loaded 450 users', { isQuiet: true }));
  expect(server.pages().map((query) => query.get('offset'))).toEqual(['0']);

  scrollTo(440);
  await shown('User 449');
  expect(server.pages().map((query) => query.get('offset'))).toEqual(['0', '400']);
  await soon(() => expect(server.calls('admin_remaining_daily')).toHaveLength(2));
});

test('reports a page that failed while scrolling above the rows, and loads it again', async () => {
  server.users = many(450);
  show();
  await shown('User 0');
  server.procedure('admin_list_users', () => json({ code: '57014', message: 'statement timeout' }, 500));
  scrollTo(440);
  await soon(() => expect(screen.getByText('Retry')).toBeDefined());
  expect(document.body.textContent).toContain('statement timeout');

  server.procedure('admin_list_users', ({ search: query }) => {
    const offset = Number(new URLSearchParams(query).get('offset'));
    return counted(server.users.slice(offset, offset + 200), offset, 450);
  });
  await events.click(button('Retry'));

  await shown('User 449');
});
