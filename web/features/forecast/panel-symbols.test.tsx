/** Typing in the list of symbols searches all markets below the ten. */
import { act, renderHook, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test, vi } from 'vitest';
import { json } from '../../platform/testing/fake-backend.ts';
import { useMarketSearch } from '../../site/markets/market-search.ts';
import { aFound, answerMarkets, foundBtc } from '../../site/testing/found-market-fixtures.ts';
import { type PanelServer, panelServer, show } from './testing/forecast-panel.tsx';

const LINK = aFound('LINK', { name: 'Chainlink' });
const SOLV = aFound('SOLV', { status: 'halted' });

let server: PanelServer;
beforeEach(() => {
  server = panelServer();
});

const button = () => screen.getByRole('combobox', { name: 'Symbol' });
const field = () => screen.getByRole<HTMLInputElement>('combobox', { name: 'Search all markets' });
const options = () => screen.queryAllByRole('option').map((option) => option.textContent);
const active = () => {
  const id = field().getAttribute('aria-activedescendant');
  return id === null ? null : document.getElementById(id)?.textContent;
};
const spoken = () => screen.getAllByRole('status').map((status) => status.textContent);

async function open(): Promise<void> {
  await show(server, 'lion');
  await userEvent.click(button());
}

test('opens with the ten, the field empty and the focus on its button, so that a phone shows no keyboard', async () => {
  answerMarkets(server);
  await open();

  expect(options()).toHaveLength(11);
  expect(options().at(-1)).toBe('All markets…search');
  expect(field().value).toBe('');
  expect(document.activeElement).toBe(button());
  expect(server.callsTo('/markets')).toEqual([]);
});

test('moves what is typed on the button into the field, and shows matches of all markets below the ten', async () => {
  answerMarkets(server, SOLV, aFound('SOL'));
  await open();

  await userEvent.keyboard('so');

  expect(document.activeElement).toBe(field());
  expect(field().value).toBe('so');
  await waitFor(() => expect(options()).toEqual(['SOLBINANCE', 'SOLV/USDThalted · BINANCE']));
  expect(within(screen.getByRole('group', { name: 'All markets' })).getAllByRole('option')).toHaveLength(1);
  expect(active()).toBe('SOLBINANCE');
  await waitFor(() => expect(spoken()).toContain('2 found'));
});

test.each([
  ['s', ['SOL', 'MSFT', 'TSLA']],
  ['ethusdt', ['ETH']],
  ['gc1', ['Gold']],
])('narrows the ten by “%s”, in their order', async (typed, labels) => {
  answerMarkets(server);
  await open();

  await userEvent.keyboard(typed);

  expect(options().map((text) => text?.replace(/[A-Z]+$/, (exc) => exc.replace(/BINANCE|NASDAQ|COMEX/, '')))).toEqual(
    labels,
  );
});

test('chooses a market by arrow and Enter, and gives the focus back to the button', async () => {
  answerMarkets(server, LINK);
  await open();
  await userEvent.keyboard('eth');
  await waitFor(() => expect(options()).toHaveLength(2));

  await userEvent.keyboard('{ArrowDown}');
  expect(active()).toBe('LINK/USDTChainlink · BINANCE');
  await userEvent.keyboard('{Enter}');

  expect(screen.queryByRole('listbox')).toBeNull();
  expect(screen.getByRole('heading', { name: 'LINK/USDT Prediction' })).toBeDefined();
  expect(button().textContent).toBe('LINK/USDT');
  expect(document.activeElement).toBe(button());
});

test('chooses a market by a click', async () => {
  answerMarkets(server, LINK);
  await open();
  await userEvent.type(field(), 'link');

  await userEvent.click(await screen.findByRole('option', { name: /^LINK/ }));

  expect(button().textContent).toBe('LINK/USDT');
});

test('shows one of the ten that the search finds by its coin’s name', async () => {
  answerMarkets(server, foundBtc());
  await show(server, 'lion');
  await userEvent.click(button());
  await userEvent.click(screen.getByRole('option', { name: /^ETH/ }));
  await userEvent.click(button());
  await userEvent.keyboard('bitcoin');
  await screen.findByRole('option', { name: /^BTC/ });

  await userEvent.keyboard('{Enter}');

  expect(button().textContent).toBe('BTC');
});

test('closes on Escape from the field, changes nothing, and starts empty the next time', async () => {
  answerMarkets(server, LINK);
  await open();
  await userEvent.keyboard('li');

  await userEvent.keyboard('{Escape}');
  expect(screen.queryByRole('listbox')).toBeNull();
  expect(document.activeElement).toBe(button());
  expect(button().textContent).toBe('BTC');
  await userEvent.click(button());

  expect(field().value).toBe('');
  expect(options()).toHaveLength(11);
});

test('stays open while the field is tapped, and closes on a tap elsewhere', async () => {
  answerMarkets(server);
  await open();

  await userEvent.click(field());
  expect(options()).toHaveLength(11);
  await userEvent.click(document.body);

  expect(screen.queryByRole('listbox')).toBeNull();
  expect(button().textContent).toBe('BTC');
});

test('says when nothing matches, and Enter then chooses nothing', async () => {
  answerMarkets(server);
  await open();
  await userEvent.keyboard('zzz');

  expect(await screen.findByText('Nothing matches “zzz”.')).toBeDefined();
  await waitFor(() => expect(spoken()).toContain('Nothing found'));
  await userEvent.keyboard('{Enter}');

  expect(field()).toBeDefined();
  expect(button().textContent).toBe('BTC');
});

test('says that the other markets cannot be loaded, keeps the ten, and tries again', async () => {
  server.on('GET /markets', () => json({}, 500));
  await open();
  await userEvent.keyboard('l');

  expect(await screen.findByText(/We couldn’t load the other markets. The ten still work./)).toBeDefined();
  expect(options()).toContain('GoldCOMEX');
  answerMarkets(server, LINK);
  await userEvent.click(screen.getByRole('button', { name: 'Try again' }));
  await screen.findByRole('option', { name: /^LINK/ });
  await userEvent.click(screen.getByRole('option', { name: /^Gold/ }));

  expect(button().textContent).toBe('Gold');
});

test('opens by a letter, and searches for it', async () => {
  answerMarkets(server, LINK);
  await show(server, 'lion');
  act(() => button().focus());

  await userEvent.keyboard('l');

  expect(field().value).toBe('l');
  expect(await screen.findByRole('option', { name: /^LINK/ })).toBeDefined();
});

test('opens the search of all markets from its last entry', async () => {
  const opened = vi.fn();
  renderHook(() => useMarketSearch(opened));
  await open();

  await userEvent.click(screen.getByRole('option', { name: /^All markets/ }));

  expect(opened).toHaveBeenCalledOnce();
  expect(button().textContent).toBe('BTC');
});
