import { render, screen } from '@testing-library/react';
import { beforeEach, expect, test } from 'vitest';
import { type FakeBackend, fakeBackend, json } from '../../../platform/testing/fake-backend.ts';
import { knownSymbol } from '../../../site/markets/known-markets.ts';
import { aFound, answerMarkets, foundBtc } from '../../../site/testing/found-market-fixtures.ts';
import { Toaster } from '../../../ui/overlay/toaster.tsx';
import { foundMarket, nameMarket, refuseTimeframe } from './name-market.ts';

const open = new AbortController().signal;
let backend: FakeBackend;
beforeEach(() => {
  backend = fakeBackend();
  render(<Toaster />);
});
const toasts = () => screen.queryAllByText(/market|timeframe/).map(({ textContent }) => textContent);

test.each(['link/usdt', 'LINKUSDT.P'])(
  'looks up a product that this browser has not met, by the name %s',
  async (name) => {
    answerMarkets(backend, aFound('LINKA'), aFound('LINK'));

    await nameMarket(name, open);

    expect(knownSymbol('LINK/USDT')?.sym).toBe('LINKUSDT.P');
    expect(knownSymbol('LINKA/USDT')).toBeNull();
    expect(toasts()).toEqual([]);
  },
);

test('gives the same symbol for one of the ten as everywhere', async () => {
  answerMarkets(backend, foundBtc());

  expect(await foundMarket('BTCUSDT.P', open)).toBe(knownSymbol('BTC'));
});

test('says that no product has the name, though others have one like it', async () => {
  answerMarkets(backend, aFound('LINKA'));

  await nameMarket('LINK/USDT', open);

  expect(await screen.findByText('We couldn’t find the market LINK/USDT. Search for another one.')).toBeDefined();
  expect(knownSymbol('LINK/USDT')).toBeNull();
});

test.each([
  ['refuses', () => json({ code: 'request/too-many', error: 'Too many requests.' }, 429)],
  ['answers something else', () => json({ markets: 'all' })],
  ['cannot be reached', () => Promise.reject(new TypeError('Failed to fetch'))],
])('says that the market could not be looked up when the server %s', async (_what, answer) => {
  backend.on('GET /markets', answer);

  await nameMarket('LINK/USDT', open);

  expect(
    await screen.findByText('We couldn’t look up the market LINK/USDT. Reload the page to try again.'),
  ).toBeDefined();
});

test.each([
  ['found', [aFound('LINK')]],
  ['missing', []],
])('says and remembers nothing of a market that is %s once the page names another', async (_what, markets) => {
  const left = new AbortController();
  backend.on('GET /markets', () => {
    left.abort();
    return json({ markets });
  });

  await nameMarket('LINK/USDT', left.signal);

  expect(knownSymbol('LINK/USDT')).toBeNull();
  expect(toasts()).toEqual([]);
});

test('names a timeframe that does not exist, at most twenty letters of it', async () => {
  refuseTimeframe('a'.repeat(30));

  expect(await screen.findByText(`There is no timeframe ${'a'.repeat(20)}. The chart shows 1 minute.`)).toBeDefined();
});
