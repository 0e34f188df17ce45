import { act, renderHook, waitFor } from '@testing-library/react';
import { expect, test } from 'vitest';
import { symbolOfFound } from '#domain/market/catalogue/found-market.ts';
import { type MarketSymbol, SYMBOLS } from '#domain/market/symbols.ts';
import { fakeLiveFeed, ticker } from '../platform/testing/fake-live.ts';
import { useOwnBook } from './own-book.ts';
import { aFound } from './testing/found-market-fixtures.ts';

const link = symbolOfFound(aFound('LINK', { bookProductId: 'LINK-USD' }));
const sats = symbolOfFound(aFound('SATS', { bookProductId: 'SATS-USD' }));

/** Shows a symbol and accepts the connection that its comparison opens. */
async function shown(symbol: MarketSymbol) {
  const world = fakeLiveFeed();
  const view = renderHook((props) => useOwnBook(props), { initialProps: symbol });
  await waitFor(() => expect(world.connections).toHaveLength(1));
  await act(async () => world.connection().accept());
  await act(() => world.advance(0));
  const receive = (...messages: object[]) => act(async () => world.connection().receive(...messages));
  return { world, receive, ...view };
}

test('keeps the book of a market at about the same price, until it shows another market', async () => {
  const { world, receive, result, rerender } = await shown(link);

  await receive(ticker('LINKUSDT.P', '14.02'), ticker('LINK-USD', '14.05'));

  expect(result.current).toBe(link);
  rerender(SYMBOLS[0]);
  await act(() => world.advance(60_000));
  expect(world.connection().isClosed).toBe(true);
});

test('takes away the book of another coin of the same code, only from its market', async () => {
  const { receive, result, rerender } = await shown(sats);

  await receive(ticker('SATSUSDT.P', '0.00000017512'));
  expect(result.current).toBe(sats);
  await receive(ticker('SATS-USD', '0.00017512'));

  expect(result.current).toEqual({ ...sats, bookProductId: null });
  rerender(link);
  expect(result.current).toBe(link);
});

test('compares nothing for the ten, whose books are known', () => {
  const world = fakeLiveFeed();
  const { result } = renderHook(() => useOwnBook(SYMBOLS[0]));

  expect(result.current).toBe(SYMBOLS[0]);
  expect(world.connections).toEqual([]);
});
