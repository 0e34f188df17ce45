/** The command palette and the list of shortcuts, opened on a page by their keys and by the button in the header. */
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test } from 'vitest';
import { aUserRow } from '#domain/admin/testing/admin-fixtures.ts';
import { fakeBackend, json } from '../platform/testing/fake-backend.ts';
import { signedIn } from '../session/testing/signed-in.ts';
import { openMarketSearch } from '../site/markets/market-search.ts';
import { visit } from './testing/visit.tsx';

const field = () => screen.findByRole('combobox', { name: 'Search pages and commands' });
const shortcuts = () => screen.findByRole('dialog', { name: 'Keyboard shortcuts' });
const dialogs = () => screen.queryAllByRole('dialog');
const openByKey = async () => {
  fireEvent.keyDown(document.body, { key: 'k', code: 'KeyK', ctrlKey: true });
  return await field();
};
const names = () => screen.getAllByRole('option').map(({ textContent }) => textContent);

async function arrive(address = '/legal') {
  visit(address);
  await screen.findByRole('heading', { level: 1 });
}

test.each([
  ['Ctrl K', { key: 'k', code: 'KeyK', ctrlKey: true }],
  ['Cmd K', { key: 'k', code: 'KeyK', metaKey: true }],
  ['the key in the place of K of another alphabet', { key: 'л', code: 'KeyK', ctrlKey: true }],
])('opens the palette by %s, finds a page and goes there', async (_keys, press) => {
  fakeBackend();
  await arrive();

  const isDefault = fireEvent.keyDown(document.body, press);

  expect(isDefault).toBe(false);
  const input = await field();
  expect(document.activeElement).toBe(input);
  await userEvent.type(input, 'gallery{Enter}');
  await waitFor(() => expect(window.location.pathname).toBe('/gallery'));
  expect(dialogs()).toEqual([]);
});

test('opens from the header, moves with the arrow keys, and closes by Escape with the focus back', async () => {
  fakeBackend();
  await arrive();
  const opener = screen.getByRole('button', { name: 'Search pages and commands' });

  await userEvent.click(opener);

  const input = await field();
  const active = () => document.getElementById(input.getAttribute('aria-activedescendant') ?? '')?.textContent;
  expect(active()).toBe('Sign in to run a forecast');
  await userEvent.keyboard('{ArrowDown}');
  expect(active()).toBe('Switch to the light theme');
  await userEvent.keyboard('{ArrowUp}{ArrowUp}');
  expect(active()).toContain('Lion');
  fireEvent(screen.getByRole('dialog'), new Event('cancel', { cancelable: true }));
  await waitFor(() => expect(dialogs()).toEqual([]));
});

test('switches the theme, and says when nothing matches', async () => {
  fakeBackend();
  await arrive();
  const input = await openByKey();
  await userEvent.type(input, 'no such thing');
  expect(await screen.findByText('Nothing matches “no such thing”.')).toBeTruthy();

  await userEvent.clear(input);
  await userEvent.type(input, 'light theme{Enter}');

  expect(document.documentElement.dataset.theme).toBe('light');
  expect(dialogs()).toEqual([]);
});

test('shows a symbol on the prediction page, and then a model with the same symbol', async () => {
  const backend = fakeBackend();
  backend.plan('lion');
  await signedIn();
  await arrive();
  const address = () => window.location.pathname + window.location.search;
  await userEvent.type(await openByKey(), 'eth{Enter}');
  await waitFor(() => expect(address()).toBe('/kat?sym=ETH'));

  await userEvent.type(await openByKey(), 'panther{Enter}');

  await waitFor(() => expect(address()).toBe('/kat?sym=ETH&model=panther'));

  await userEvent.type(await openByKey(), '15 minutes{Enter}');
  await waitFor(() => expect(address()).toBe('/kat?sym=ETH&model=panther&tf=15min'));
});

test('opens the list of shortcuts by ?, until it is switched off', async () => {
  fakeBackend();
  await arrive();
  fireEvent.keyDown(document.body, { key: '?', code: 'Slash', shiftKey: true });
  const list = await shortcuts();
  expect(within(list).getByText('Search pages, symbols and commands')).toBeTruthy();

  await userEvent.click(within(list).getByRole('switch', { name: 'Open this list with the ? key' }));
  await userEvent.click(within(list).getByRole('button', { name: 'Close' }));

  expect(fireEvent.keyDown(document.body, { key: '?', code: 'Slash', shiftKey: true })).toBe(true);
  await userEvent.type(await openByKey(), 'shortcuts{Enter}');
  expect(await shortcuts()).toBeTruthy();
});

test('leaves its keys to a field that is being typed in', async () => {
  fakeBackend();
  await arrive('/auth/signin');
  const email = await screen.findByRole('textbox', { name: 'Email' });

  expect(fireEvent.keyDown(email, { key: 'k', code: 'KeyK', ctrlKey: true })).toBe(true);
  expect(fireEvent.keyDown(email, { key: '?', code: 'Slash', shiftKey: true })).toBe(true);
  expect(fireEvent.keyDown(document.body, { key: 'k', code: 'KeyK' })).toBe(true);
});

test('finds users for an admin, with the server’s own search, and shows one on the admin page', async () => {
  const backend = fakeBackend();
  backend.profile({ role: 'admin' });
  backend.on('POST /rest/v1/rpc/admin_list_users', () => json([aUserRow('bo', { full_name: 'Bo Diddley' })]));
  await signedIn();
  await arrive();
  await userEvent.type(await openByKey(), 'diddley');

  await userEvent.click(await screen.findByRole('option', { name: /Bo Diddley/ }));

  await waitFor(() => expect(window.location.pathname + window.location.hash).toBe('/admin#users'));
  const [request] = backend.to('/rest/v1/rpc/admin_list_users');
  expect(new URLSearchParams(request?.search).get('or')).toContain('*diddley*');
  const search = await screen.findByRole('searchbox', { name: 'Search users' });
  await waitFor(() => expect(search).toHaveProperty('value', 'bo@example.com'));
});

test('sends no search of users for anyone else', async () => {
  const backend = fakeBackend();
  await signedIn();
  await arrive();
  await userEvent.type(await openByKey(), 'solana{Backspace}{Backspace}{Backspace}');

  await waitFor(() => expect(names()).toEqual(['SOLBINANCE']));
  expect(backend.to('/rest/v1/rpc/admin_list_users')).toEqual([]);
});

test('says when the server refuses the search of users, and still offers the rest', async () => {
  const backend = fakeBackend();
  backend.profile({ role: 'admin' });
  backend.on('POST /rest/v1/rpc/admin_list_users', () => json({ message: 'Not authorized.' }, 403));
  await signedIn();
  await arrive();

  await userEvent.type(await openByKey(), 'sol');

  expect(await screen.findByText('We couldn’t search users. The other commands still work.')).toBeTruthy();
  expect(names()).toEqual(['SOLBINANCE']);
});

test('watches a found symbol by Shift and Enter or by its star, without leaving the search', async () => {
  fakeBackend();
  await arrive();
  const input = await openByKey();
  await userEvent.type(input, 'ethusdt');
  await waitFor(() => expect(names()).toEqual(['ETHBINANCE']));
  const stored = () => window.localStorage.getItem('kat-watchlist');

  await userEvent.keyboard('{Shift>}{Enter}{/Shift}');

  await waitFor(() => expect(names()).toEqual(['ETHBINANCE, on your watchlist']));
  expect(within(screen.getByRole('dialog')).getByRole('status').textContent).toBe('ETH 1 min is on your watchlist.');
  expect(stored()).toBe('[{"sym":"ETHUSDT.P","timeframe":"1min"}]');
  await userEvent.click(screen.getByTitle('Stop watching ETH 1 min (Shift+Enter)'));
  await waitFor(() => expect(names()).toEqual(['ETHBINANCE']));
  expect(stored()).toBeNull();
  expect(dialogs()).toHaveLength(1);
  expect(document.activeElement).toBe(input);
});

test('watches a symbol at the timeframe of the user’s chart', async () => {
  const backend = fakeBackend();
  backend.plan('lion');
  backend.on('GET /rest/v1/watched_pairs', () => json([]));
  await signedIn();
  window.localStorage.setItem('kat-choice', 'BTC lion 15min');
  await arrive();
  await userEvent.type(await openByKey(), 'ethusdt');

  expect(await screen.findByTitle('Watch ETH 15 min (Shift+Enter)')).toBeTruthy();
});

test('says that the markets could not be loaded, and nothing else', async () => {
  const backend = fakeBackend();
  backend.on('GET /markets', () => json({}, 500));
  await arrive();
  openMarketSearch();
  await userEvent.type(await screen.findByRole('combobox', { name: 'Search markets' }), 'qq');

  expect((await screen.findByRole('alert')).textContent).toContain('We couldn’t load the markets.');
  expect(within(screen.getByRole('dialog')).getByRole('status').textContent).toBe('');
});
