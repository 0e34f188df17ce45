import { QueryClientProvider } from '@tanstack/react-query';
import { act, render, waitFor } from '@testing-library/react';
import { expect, test } from 'vitest';
import { queryClient } from '../../platform/query-client.ts';
import { fakeBackend } from '../../platform/testing/fake-backend.ts';
import { useStars, type WatchStarOf } from './watch-stars.tsx';

test('keeps both changes of a visitor who clicks two stars before the list is drawn again', async () => {
  fakeBackend();
  const drawn: (WatchStarOf | null)[] = [];
  function List() {
    drawn.push(useStars('1min'));
    return null;
  }
  render(
    <QueryClientProvider client={queryClient}>
      <List />
    </QueryClientProvider>,
  );
  await waitFor(() => expect(drawn.at(-1)).toBeTruthy());
  const starOf = drawn.at(-1);

  act(() => {
    starOf?.({ sym: 'BTCUSDT.P', label: 'BTC' }).toggle();
    starOf?.({ sym: 'SOLUSDT.P', label: 'SOL' }).toggle();
  });

  expect(JSON.parse(window.localStorage.getItem('kat-watchlist') ?? '[]')).toEqual([
    { sym: 'BTCUSDT.P', timeframe: '1min' },
    { sym: 'SOLUSDT.P', timeframe: '1min' },
  ]);
});
