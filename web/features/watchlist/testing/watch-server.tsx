/** The server's side of watchlists for tests, and a mounted side panel. */
import { QueryClientProvider } from '@tanstack/react-query';
import { render } from '@testing-library/react';
import { MemoryRouter } from 'react-router';
import { SYMBOLS } from '#domain/market/symbols.ts';
import type { KnownRow, WatchRow } from '#domain/watchlist/watch-row.ts';
import {
  inOrder,
  pairOfKey,
  type WatchedPair,
  type Watchlist,
  withoutPairs,
  withPairs,
} from '#domain/watchlist/watchlist.ts';
import { queryClient } from '../../../platform/query-client.ts';
import { type FakeBackend, json } from '../../../platform/testing/fake-backend.ts';
import { Toaster } from '../../../ui/overlay/toaster.tsx';
import { WatchSide } from '../watch-side.tsx';

export const BTC: WatchedPair = { sym: 'BTCUSDT.P', timeframe: '1min' };
export const ETH: WatchedPair = { sym: 'ETHUSDT.P', timeframe: '5min' };
export const GOLD: WatchedPair = { sym: 'GC1!', timeframe: '15min' };

/** A price at 35% of its range, up by 1% in 24 hours. */
export function aRow(pair: WatchedPair, change: Partial<KnownRow> = {}): KnownRow {
  return {
    ...pair,
    state: 'known',
    label: SYMBOLS.find(({ sym }) => sym === pair.sym)?.label ?? pair.sym,
    name: '',
    exc: 'BINANCE',
    decimals: 1,
    price: 100_035,
    change24h: 0.01,
    line: [99_000, 99_500, 100_035],
    asOfS: 1_800_000_000,
    isOpen: true,
    isStale: false,
    marketKind: 'simulated',
    attribution: 'Sandbox market',
    delayS: 0,
    range: { opensS: 1_800_000_060, closesS: 1_800_000_120, lower: 100_000, upper: 100_100 },
    rangeGap: null,
    ...change,
  };
}

/** @param rowOf  of a requested pair */
export function answerRows(backend: FakeBackend, rowOf: (pair: WatchedPair) => WatchRow = (pair) => aRow(pair)): void {
  backend.on('GET /market/watch', ({ search }) => {
    const keys = new URLSearchParams(search).get('pairs')?.split(',') ?? [];
    return json({ rows: keys.flatMap((key) => pairOfKey(key) ?? []).map(rowOf) });
  });
}

/** Answers as the database does. */
export function watchServer(backend: FakeBackend, pairs: Watchlist = []) {
  const server = { pairs: [...pairs] };
  backend.on('GET /rest/v1/watched_pairs', () => json(server.pairs));
  for (const [name, rule] of Object.entries({ add: withPairs, remove: withoutPairs, order: inOrder }))
    backend.on(`POST /rest/v1/rpc/${name}_watched_pairs`, ({ body }) => {
      const { p_pairs } = body as { p_pairs: WatchedPair[] };
      server.pairs = rule(server.pairs, p_pairs);
      return json(server.pairs);
    });
  return server;
}

export function mountSide(shown: WatchedPair = BTC, { isBeside = true } = {}) {
  return render(
    <QueryClientProvider client={queryClient}>
      <MemoryRouter initialEntries={['/kat?model=lion']}>
        <WatchSide shown={shown} isBeside={isBeside} onClose={() => undefined} />
        <Toaster />
      </MemoryRouter>
    </QueryClientProvider>,
  );
}
