import { QueryClientProvider } from '@tanstack/react-query';
import { act, renderHook } from '@testing-library/react';
import type { ReactNode } from 'react';
import { beforeEach, expect, test, vi } from 'vitest';
import { symbolOfFound } from '#domain/market/catalogue/found-market.ts';
import { queryClient } from '../../platform/query-client.ts';
import { type FakeBackend, fakeBackend, json } from '../../platform/testing/fake-backend.ts';
import { rememberMarket } from '../../site/markets/known-markets.ts';
import { aFound, answerMarkets, foundBtc } from '../../site/testing/found-market-fixtures.ts';
import { useFoundMarkets } from './use-found-markets.ts';

const LINK = aFound('LINK', { name: 'Chainlink' });
const PEPE = aFound('PEPE', { isNew: true });

let backend: FakeBackend;
const show = vi.fn();
beforeEach(() => {
  backend = fakeBackend();
  show.mockReset();
});

function search(typed: string, isAlone = true) {
  const wrapper = ({ children }: { children: ReactNode }) => (
    <QueryClientProvider client={queryClient}>{children}</QueryClientProvider>
  );
  return renderHook(({ text }) => useFoundMarkets(text, isAlone, show), { initialProps: { text: typed }, wrapper });
}
type Search = ReturnType<typeof search>['result'];
const shown = ({ current }: Search) =>
  current.groups.map(({ heading, options }) => [heading, ...options.map(({ label, detail }) => `${label}: ${detail}`)]);
const requested = () => backend.to('/markets').map(({ search: query }) => query);

test('shows the recent ones and then the popular ones before anything is typed, each once', async () => {
  rememberMarket(symbolOfFound(LINK));
  answerMarkets(backend, foundBtc(), LINK, PEPE);
  const { result } = search('');
  expect(result.current.isLoading).toBe(true);

  await vi.waitFor(() => expect(result.current.isLoading).toBe(false));
  expect(shown(result)).toEqual([
    ['Recent', 'LINK/USDT: BINANCE'],
    ['Popular', 'BTC: Bitcoin · BINANCE · perpetual', 'PEPE/USDT: BINANCE · perpetual · new'],
  ]);
  expect(requested()).toEqual(['?query=&limit=40']);
});

test('shows a market on the chart, which then is a recent one', async () => {
  answerMarkets(backend, aFound('LINK', { status: 'halted' }));
  const { result } = search('link');
  await vi.waitFor(() => expect(shown(result)).toEqual([['Markets', 'LINK/USDT: BINANCE · perpetual · halted']]));

  act(() => result.current.groups[0]?.options[0]?.run());
  expect(show).toHaveBeenCalledExactlyOnceWith({ sym: 'LINK/USDT' });

  const next = search('').result;
  await vi.waitFor(() => expect(shown(next)[0]).toEqual(['Recent', 'LINK/USDT: BINANCE']));
});

test('keeps what still matches while the answer to the longer text is on its way', async () => {
  answerMarkets(backend, LINK, aFound('LIT'));
  const { result, rerender } = search('li');
  await vi.waitFor(() => expect(result.current.groups[0]?.options).toHaveLength(2));
  const answer = Promise.withResolvers<Response>();
  backend.on('GET /markets', () => answer.promise);

  // By its name, whatever is between its letters.
  rerender({ text: 'Chain-L' });
  expect(shown(result)).toEqual([['Markets', 'LINK/USDT: Chainlink · BINANCE · perpetual']]);
  rerender({ text: 'lit' });
  expect(shown(result)).toEqual([['Markets', 'LIT/USDT: BINANCE · perpetual']]);
  rerender({ text: 'litx' });
  expect([shown(result), result.current.isLoading]).toEqual([[], true]);
  answer.resolve(json({ markets: [] }));

  await vi.waitFor(() => expect(result.current.isLoading).toBe(false));
  expect(shown(result)).toEqual([]);
});

test('adds five beside other commands from two letters on, without the ten, which the commands have', async () => {
  answerMarkets(backend, foundBtc(), aFound('BTCB'));
  const { result, rerender } = search('b', false);
  expect([result.current.isLoading, shown(result)]).toEqual([false, []]);

  rerender({ text: ' bt ' });

  await vi.waitFor(() => expect(shown(result)).toEqual([['Markets', 'BTCB/USDT: BINANCE · perpetual']]));
  expect(requested()).toEqual(['?query=bt&limit=5']);
});

test('reports a search that fails, and sends it again', async () => {
  backend.on('GET /markets', () => json({}, 500));
  const { result } = search('link');
  await vi.waitFor(() => expect(result.current.hasFailed).toBe(true));

  answerMarkets(backend, LINK);
  act(() => result.current.retry());

  await vi.waitFor(() => expect(shown(result)).toHaveLength(1));
  expect(result.current.hasFailed).toBe(false);
});
