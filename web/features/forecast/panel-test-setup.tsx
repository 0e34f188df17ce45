/** What the tests of the panel share: who is signed in, and a server that answers. The mocks stand in each test file. */
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { MemoryRouter } from 'react-router';
import { afterEach, beforeEach, vi } from 'vitest';
import type { Entitlement } from '#domain/billing/entitlement.ts';
import { generatedFigures } from '#domain/forecast/generated-figures.ts';
import type { ModelFigures } from '#domain/forecast/model-figures.ts';
import { MODEL_NAMES } from '#domain/forecast/models.ts';
import type { StreamStart } from '#domain/forecast/stream-message.ts';
import { toColumns } from '#domain/market/candle.ts';
import { DEFAULT_SYMBOL, type MarketSymbol } from '#domain/market/symbols.ts';
import { publicConfig } from '../../platform/config.ts';
import { callFunction } from '../../platform/functions.ts';
import { CONFIG } from '../../platform/testing/fake-backend.ts';
import { useEntitlement } from '../../session/entitlement.ts';
import { useSession } from '../../session/session.ts';
import { ForecastPanel } from './forecast-panel.tsx';
import { aStart, candlesUntil, forecastPath, T0 } from './forecast-test-data.ts';
import { pickedSymbol } from './symbol-memory.ts';

/** Bobcat was measured; the others are not trained. */
export const FIGURES: ModelFigures[] = [
  generatedFigures('bobcat'),
  { model: 'panther', state: 'not-trained', figures: null },
  { model: 'lion', state: 'not-trained', figures: null },
];

export const FREE: Entitlement = { plan: 'free', isAdmin: false, models: [] };
export const BOBCAT: Entitlement = { plan: 'bobcat', isAdmin: false, models: ['bobcat'] };
export const LION: Entitlement = { plan: 'lion', isAdmin: false, models: MODEL_NAMES };
export const ADMIN: Entitlement = { plan: 'free', isAdmin: true, models: MODEL_NAMES };

export const assign = vi.fn<(url: string) => void>();
export const fetchMock = vi.fn<(url: string, init: RequestInit) => Promise<Response>>();
export const onSaved = vi.fn<(row: unknown) => void>();

beforeEach(() => {
  vi.stubGlobal(
    'fetch',
    fetchMock.mockReset().mockImplementation(async (url) => serve(url)),
  );
  vi.stubGlobal('location', { ...window.location, assign: assign.mockReset() });
  vi.mocked(callFunction)
    .mockReset()
    .mockImplementation(async (name) => answerOf(name));
  onSaved.mockReset();
  vi.mocked(publicConfig).mockReset().mockResolvedValue(CONFIG);
});
afterEach(() => {
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

export function serve(url: string, start: Partial<StreamStart> = {}): Response {
  if (url === '/models.json') return Response.json({ models: FIGURES });
  if (url === '/forecast/reservations') return Response.json({ reservations: [] });
  if (url.startsWith('/history')) return Response.json(toColumns(candlesUntil(T0, 450)));
  const events = forecastPath().map((candle, i) => `id: r1:${i + 1}\ndata: ${JSON.stringify(candle)}\n\n`);
  const text = `id: r1:0\nevent: start\ndata: ${JSON.stringify(aStart(start))}\n\n${events.join('')}`;
  return new Response(text, { headers: { 'content-type': 'text/event-stream' } });
}

export function answerOf(name: string): unknown {
  if (name === 'get-quota') return { ok: true, remaining_daily: 15, remaining_monthly: '300' };
  return {
    ok: true,
    row: {
      id: 'p1',
      user_id: 'u1',
      cryptocurrency: 'BTC',
      timeframe: '1min',
      model: 'kat1',
      created_at: '2026-01-06T12:00:00Z',
      data: [],
    },
  };
}

/** @param entitlement  null: a visitor; 'unknown': the page does not know yet who looks */
export function show(entitlement: Entitlement | null | 'unknown') {
  const client = new QueryClient();
  const page = () => (
    <QueryClientProvider client={client}>
      <MemoryRouter>
        <PanelWithSymbol />
      </MemoryRouter>
    </QueryClientProvider>
  );
  look(entitlement);
  const shown = render(page());
  return {
    ...shown,
    /** Somebody else looks at the same page. */
    turn(next: Entitlement | null) {
      look(next);
      shown.rerender(page());
    },
  };
}

function look(who: Entitlement | null | 'unknown'): void {
  const entitlement = who === 'unknown' ? null : who;
  const user =
    entitlement === null
      ? null
      : { id: 'u1', email: 'a@example.com', emailConfirmed: true, fullName: null, createdAt: '2026-01-01' };
  vi.mocked(useSession).mockReturnValue({
    initialized: who !== 'unknown',
    user,
    held: null,
    needsSecondFactor: false,
    signOut: async () => {},
  });
  vi.mocked(useEntitlement).mockReturnValue({
    isLoading: false,
    hasFailed: false,
    entitlement: entitlement ?? FREE,
    profile: null,
    subscription: null,
    nowS: 0,
    refetch() {},
  });
}

/** The page holds the symbol. */
function PanelWithSymbol() {
  const [symbol, setSymbol] = useState<MarketSymbol>(() => pickedSymbol() ?? DEFAULT_SYMBOL);
  return <ForecastPanel symbol={symbol} onSymbol={setSymbol} onPopOut={() => {}} onSaved={onSaved} />;
}

export const count = () => Number(document.querySelector('[data-candle-count]')?.getAttribute('data-candle-count'));
export const button = () => screen.getByRole('button', { name: /^Prediction/ });
export const callsTo = (start: string) =>
  fetchMock.mock.calls.map(([url]) => url).filter((url) => url.startsWith(start));
export const pick = async (name: string, option: string) => {
  await userEvent.click(screen.getByRole('combobox', { name }));
  await userEvent.click(screen.getByRole('option', { name: new RegExp(`^${option.replace(/[()]/g, '.')}`) }));
};
