/** The paper trading panel on a separate page, with prices that the test sends, and the server's side of trades. */
import { QueryClientProvider } from '@tanstack/react-query';
import { act, render, screen } from '@testing-library/react';
import { expect, vi } from 'vitest';
import { type MarketKind, type MarketSymbol, symbolOfLabel } from '#domain/market/symbols.ts';
import { queryClient } from '../../../platform/query-client.ts';
import { CONFIG, type FakeBackend, json } from '../../../platform/testing/fake-backend.ts';
import { type FakeLive, heartbeat, ticker } from '../../../platform/testing/fake-live.ts';
import { PaperTrading } from '../paper-trading.tsx';

export interface TradeRow {
  id: string;
  [column: string]: unknown;
}

export function mountPanel(world: FakeLive, backend: FakeBackend) {
  const symbol = (label: string): MarketSymbol => symbolOfLabel(label) ?? expect.fail(label);
  const tree = (of: string) => (
    <QueryClientProvider client={queryClient}>
      <PaperTrading symbol={symbol(of)} />
    </QueryClientProvider>
  );
  const wait = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms));
  return {
    wait,
    async shown(label = 'BTC', kind: MarketKind = 'simulated') {
      backend.config({ market: { ...CONFIG.market, kind } });
      const view = render(tree(label));
      await act(async () => world.connection().accept());
      await act(() => world.advance(0));
      return { ...view, show: (other: string) => view.rerender(tree(other)) };
    },
    /** A trade at this price, and the page's next drawing. */
    async priced(price: string, productId = 'BTC-USD'): Promise<void> {
      world.connection().receive(ticker(productId, price, { open_24h: '90' }), heartbeat(productId));
      await wait(130);
    },
  };
}

export const button = (name: string) => screen.getByRole('button', { name });

/** Stores as the database does: a trade whose id it has stays as it is. */
export function tradeServer(backend: FakeBackend, rows: readonly TradeRow[] = []) {
  const server = { rows: [...rows] };
  backend.on('GET /rest/v1/paper_trades', () => json(server.rows));
  backend.on('POST /rest/v1/rpc/add_paper_trades', ({ body }) => {
    const { p_trades } = body as { p_trades: TradeRow[] };
    const known = new Set(server.rows.map(({ id }) => id));
    server.rows = [...p_trades.filter(({ id }) => !known.has(id)), ...server.rows];
    return new Response(null, { status: 204 });
  });
  return server;
}
