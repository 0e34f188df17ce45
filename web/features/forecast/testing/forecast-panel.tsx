import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { act, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { MemoryRouter, useLocation } from 'react-router';
import { expect, vi } from 'vitest';
import type { ModelFigures } from '#domain/forecast/model-figures.ts';
import type { StreamStart } from '#domain/forecast/stream-message.ts';
import { generatedFigures } from '#domain/forecast/testing/figure-fixtures.ts';
import { MINUTE_S, toColumns } from '#domain/market/candle.ts';
import { barSecondsOf, DEFAULT_TIMEFRAME } from '#domain/market/timeframes.ts';
import {
  aSession,
  type FakeBackend,
  fakeBackend,
  json,
  storeSession,
  USER,
} from '../../../platform/testing/fake-backend.ts';
import { fakeLocation } from '../../../platform/testing/fake-location.ts';
import { signedIn } from '../../../session/testing/signed-in.ts';
import { aForecast } from '../../../site/testing/latest-forecast-fixtures.ts';
import { usePanelChoice } from '../controls/panel-choice.ts';
import { ForecastPanel } from '../panel/forecast-panel.tsx';
import { SYMBOL_LIST } from '../panel/panel-frame.tsx';
import type { PanelAlerts } from '../panel/saved-alerts.tsx';
import { anUnsaved, aStart, candlesUntil, forecastPath, T0 } from './forecast-fixtures.ts';

// A click opens the list immediately, as on a page whose user already pointed at it.
await SYMBOL_LIST.load();

/** Bobcat is measured; the others are not trained. */
const FIGURES: ModelFigures[] = [
  generatedFigures('bobcat'),
  { model: 'panther', state: 'not-trained', figures: null },
  { model: 'lion', state: 'not-trained', figures: null },
];

export type Who = 'visitor' | 'free' | 'bobcat' | 'lion' | 'admin';

export const onSaved = vi.fn<(row: unknown) => void>();

export interface PanelServer extends FakeBackend {
  /** Paths with query of each request whose path has this prefix. */
  callsTo(start: string): string[];
  opened(): string[];
}

/** Call before each test: a fake server with a market, one model's figures, and predictions left. */
export function panelServer(): PanelServer {
  onSaved.mockReset();
  const backend = fakeBackend();
  const { assign } = fakeLocation();
  backend.on('GET /models.json', () => json({ models: FIGURES }));
  backend.on('GET /forecast/reservations', () => json({ reservations: [] }));
  backend.on('GET /history', () => history());
  backend.on('GET /forecast/latest', () => json(aForecast()));
  backend.on('GET /stream-kat2', () => stream());
  backend.fn('get-quota', () => json({ ok: true, remaining_daily: 15, remaining_monthly: '300' }));
  backend.fn('create-prediction', () => json({ ok: true, row: SAVED }));
  return {
    ...backend,
    callsTo: (start) =>
      backend.requests.filter(({ path }) => path.startsWith(start)).map(({ path, search }) => path + search),
    opened: () => assign.mock.calls.map(([url]) => url),
  };
}

export const history = (headers: Record<string, string> = {}, barS = MINUTE_S): Response =>
  Response.json(toColumns(candlesUntil(T0, 450, barS)), { headers });

export function stream(start: Partial<StreamStart> = {}): Response {
  const path = forecastPath(T0, 50, barSecondsOf(start.timeframe ?? DEFAULT_TIMEFRAME));
  const events = path.map((candle, i) => `id: r1:${i + 1}\ndata: ${JSON.stringify(candle)}\n\n`);
  return eventStream(startEvent(start) + events.join(''));
}

export const startEvent = (start: Partial<StreamStart> = {}): string =>
  `id: r1:0\nevent: start\ndata: ${JSON.stringify(aStart(start))}\n\n`;

export const eventStream = (body: BodyInit): Response =>
  new Response(body, { headers: { 'content-type': 'text/event-stream' } });

/** An abandoned forecast of ETH, complete at the server. */
export const storedForecast = (): Response =>
  json({
    start: aStart({ sym: 'ETHUSDT.P' }),
    history: candlesUntil(T0, 150),
    forecast: forecastPath(),
    state: 'reserved',
  });

export function storeUnsaved(server: FakeBackend): void {
  server.on('GET /forecast/reservations', () => json({ reservations: [anUnsaved()] }));
  server.on('GET /forecast/reservations/r1', () => storedForecast());
}

const SAVED = {
  id: 'p1',
  user_id: USER.id,
  cryptocurrency: 'BTC',
  timeframe: '1min',
  model: 'kat1',
  created_at: '2026-01-06T12:00:00Z',
  data: [],
};

/**
 * A user's panel replaces another one once its code has loaded, and a click in that moment would miss both.
 * @param address  of the page, with its query
 */
export async function show(server: FakeBackend, who: Who, address = '/kat', alerts?: PanelAlerts) {
  if (who === 'visitor') return render(page(address));
  setPlan(server, who);
  await signedIn();
  const shown = render(page(address, alerts));
  await act(() => vi.dynamicImportSettled());
  return shown;
}

/**
 * The user's stored session has expired, and the request for a new one is pending.
 * @returns lets the server answer: with a session, or with none for a visitor
 */
export function showBeforeSession(server: FakeBackend): (who: Who) => void {
  const answer = Promise.withResolvers<Response>();
  server.on('POST /auth/v1/token', () => answer.promise);
  storeExpiredSession();
  render(page());
  return (who) => {
    setPlan(server, who);
    const refusal = { code: 'refresh_token_not_found', message: 'Invalid Refresh Token' };
    answer.resolve(who === 'visitor' ? json(refusal, 400) : json(aSession()));
  };
}

function storeExpiredSession(): void {
  storeSession();
  const session = { ...aSession(), expires_at: Math.floor(Date.now() / 1000) - 60 };
  for (const key of Object.keys(window.localStorage)) window.localStorage.setItem(key, JSON.stringify(session));
}

function setPlan(server: FakeBackend, who: Who): void {
  if (who === 'admin') server.profile({ role: 'admin' });
  else if (who !== 'visitor') server.plan(who);
}

function page(address = '/kat', alerts?: PanelAlerts) {
  return (
    <QueryClientProvider client={new QueryClient({ defaultOptions: { queries: { retry: false } } })}>
      <MemoryRouter initialEntries={[address]}>
        <PanelWithChoice alerts={alerts} />
      </MemoryRouter>
    </QueryClientProvider>
  );
}

/** Chosen by the address, as on the page. */
function PanelWithChoice({ alerts }: { alerts: PanelAlerts | undefined }) {
  const { pathname, search } = useLocation();
  const { choose, ...choice } = usePanelChoice();
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <ForecastPanel
        choice={choice}
        choose={choose}
        onPopOut={() => {}}
        chances={{ isOpen, setOpen }}
        alerts={alerts}
        onSaved={onSaved}
      />
      <span data-address={pathname + search} />
    </>
  );
}

export const address = () => document.querySelector('[data-address]')?.getAttribute('data-address');
export const count = () => Number(document.querySelector('[data-candle-count]')?.getAttribute('data-candle-count'));
export const button = () => screen.getByRole('button', { name: /^Prediction/ });
/** Clicks the button once the plan and the quota are known: before, it refuses. */
export async function predict(): Promise<void> {
  await vi.waitFor(() => expect(button().getAttribute('aria-disabled')).toBe('false'));
  await userEvent.click(button());
}
export const pick = async (name: string, option: string) => {
  // The models are disabled until the plan is known.
  await vi.waitFor(() => expect(screen.getByRole('combobox', { name })).toHaveProperty('disabled', false));
  await userEvent.click(screen.getByRole('combobox', { name }));
  await userEvent.click(await screen.findByRole('option', { name: new RegExp(`^${option.replace(/[()]/g, '.')}`) }));
};
