import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { act, render, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { MemoryRouter } from 'react-router';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Entitlement } from '#domain/billing/entitlement.ts';
import type { ModelStatus } from '#domain/config/public-config.ts';
import { MODEL_NAMES } from '#domain/forecast/models.ts';
import { toColumns } from '#domain/market/candle.ts';
import { publicConfig } from '../../platform/config.ts';
import { callFunction } from '../../platform/functions.ts';
import { CONFIG } from '../../platform/testing/fake-backend.ts';
import { useEntitlement } from '../../session/entitlement.ts';
import { useSession } from '../../session/session.ts';
import { toast } from '../../ui/toast.ts';
import { ForecastPanel } from './forecast-panel.tsx';
import { anUnsaved, aStart, candlesUntil, forecastPath, T0 } from './forecast-test-data.ts';

vi.mock('../../charts/candle-canvas.ts', () => ({
  createCandleCanvas: () => ({ reset() {}, append() {}, point() {}, repaint() {}, resize() {}, destroy() {} }),
}));
vi.mock('../../session/session.ts', () => ({ useSession: vi.fn(), accessToken: async () => 'token' }));
vi.mock('../../session/entitlement.ts', () => ({ useEntitlement: vi.fn() }));
vi.mock('../../platform/functions.ts', () => ({ callFunction: vi.fn() }));
vi.mock('../../platform/error-log.ts', () => ({ reportError: vi.fn() }));
vi.mock('../../platform/config.ts', () => ({ publicConfig: vi.fn() }));

const FREE: Entitlement = { plan: 'free', isAdmin: false, models: [] };
const BOBCAT: Entitlement = { plan: 'bobcat', isAdmin: false, models: ['bobcat'] };
const LION: Entitlement = { plan: 'lion', isAdmin: false, models: MODEL_NAMES };
const ADMIN: Entitlement = { plan: 'free', isAdmin: true, models: MODEL_NAMES };

const assign = vi.fn();
const fetchMock = vi.fn<(url: string, init: RequestInit) => Promise<Response>>();
const onSaved = vi.fn();

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

function serve(url: string): Response {
  if (url === '/forecast/reservations') return Response.json({ reservations: [] });
  if (url.startsWith('/history')) return Response.json(toColumns(candlesUntil(T0, 450)));
  const events = forecastPath().map((candle, i) => `id: r1:${i + 1}\ndata: ${JSON.stringify(candle)}\n\n`);
  const text = `id: r1:0\nevent: start\ndata: ${JSON.stringify(aStart())}\n\n${events.join('')}`;
  return new Response(text, { headers: { 'content-type': 'text/event-stream' } });
}

function answerOf(name: string): unknown {
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

function show(entitlement: Entitlement | null) {
  const user =
    entitlement === null
      ? null
      : { id: 'u1', email: 'a@example.com', emailConfirmed: true, fullName: null, createdAt: '2026-01-01' };
  vi.mocked(useSession).mockReturnValue({ initialized: true, user, signOut: async () => {} });
  vi.mocked(useEntitlement).mockReturnValue({
    isLoading: false,
    entitlement: entitlement ?? FREE,
    profile: null,
    subscription: null,
    nowS: 0,
    refetch() {},
  });
  return render(
    <QueryClientProvider client={new QueryClient()}>
      <MemoryRouter>
        <ForecastPanel onPopOut={() => {}} onSaved={onSaved} />
      </MemoryRouter>
    </QueryClientProvider>,
  );
}

const count = () => Number(document.querySelector('[data-candle-count]')?.getAttribute('data-candle-count'));
const button = () => screen.getByRole('button', { name: /^Prediction/ });
const callsTo = (start: string) => fetchMock.mock.calls.map(([url]) => url).filter((url) => url.startsWith(start));
const READY = { state: 'ready', kind: 'neural', version: '1' } as const;
const pick = async (name: string, option: string) => {
  await userEvent.click(screen.getByRole('combobox', { name }));
  await userEvent.click(screen.getByRole('option', { name: new RegExp(`^${option.replace(/[()]/g, '.')}`) }));
};

test('a visitor sees 150 sample candles and then 50 more, one per 100 ms, and no call is made', () => {
  vi.useFakeTimers();
  show(null);
  expect(screen.getByRole('heading', { name: 'BTC Demo' })).toBeDefined();
  expect(screen.getByText('sample data')).toBeDefined();
  expect(count()).toBe(150);

  act(() => vi.advanceTimersByTime(1000));
  expect(count()).toBe(160);

  act(() => vi.advanceTimersByTime(10_000));
  expect(count()).toBe(200);
  expect(button().getAttribute('aria-disabled')).toBe('true');
  button().click();
  expect(fetchMock).not.toHaveBeenCalled();
  expect(callFunction).not.toHaveBeenCalled();
  expect(assign).not.toHaveBeenCalled();
});

test('with reduced motion the sample stands still: all 200 at once', () => {
  vi.spyOn(window, 'matchMedia').mockReturnValue({ matches: true } as MediaQueryList);

  show(null);

  expect(count()).toBe(200);
});

test('a lion user presses Prediction: 50 candles arrive, 200 are saved, the page hears of it', async () => {
  show(LION);
  await screen.findByText('15 left today / 300 this month');
  await vi.waitFor(() => expect(count()).toBe(150));

  await userEvent.click(button());

  await vi.waitFor(() => expect(onSaved).toHaveBeenCalledOnce());
  expect(count()).toBe(200);
  expect(screen.getByRole('heading', { name: 'BTC Prediction' })).toBeDefined();
  const saves = vi.mocked(callFunction).mock.calls.filter(([name]) => name === 'create-prediction');
  expect(saves).toHaveLength(1);
  expect(saves[0]?.[1]).toMatchObject({ model: 'kat1', cryptocurrency: 'BTC', timeframe: '1min' });
  expect(saves[0]?.[1]).toHaveProperty('data.length', 200);
  const quotaCalls = vi.mocked(callFunction).mock.calls.filter(([name]) => name === 'get-quota');
  expect(quotaCalls.length).toBeGreaterThan(1);
  const table = screen.getByRole('table');
  expect(within(table).getByRole('row', { name: /^\+50/ }).textContent).toBe('+5099.0103.098.0104.0');
  expect(screen.getByText('simulated')).toBeDefined();
});

test('a free user is led to the plans by the button, by Unlock Models and by a locked model', async () => {
  show(FREE);

  await userEvent.click(button());
  await userEvent.click(screen.getByRole('button', { name: 'Unlock Models' }));
  await userEvent.click(screen.getByRole('combobox', { name: 'Model' }));
  const locked = screen.getByRole('option', { name: 'Lion (Kat 2.4)' });
  expect(locked.title).toBe('Upgrade to unlock');
  await userEvent.click(locked);

  expect(assign.mock.calls).toEqual(Array(3).fill(['/account/subscription']));
  expect(fetchMock.mock.calls.every(([url]) => !url.startsWith('/stream-kat2'))).toBe(true);
});

test('a bobcat user keeps Bobcat when a locked model is clicked', async () => {
  show(BOBCAT);

  await pick('Model', 'Panther (Kat 2.2)');

  expect(assign).toHaveBeenCalledExactlyOnceWith('/account/subscription');
  expect(screen.getByRole('combobox', { name: 'Model' }).textContent).toBe('Bobcat (Kat 1)');
  expect(screen.queryByRole('button', { name: 'Unlock Models' })).toBeNull();
});

test('an admin has no quota, may amplify, and saves nothing', async () => {
  show(ADMIN);
  await vi.waitFor(() => expect(count()).toBe(150));
  await userEvent.clear(screen.getByLabelText('Amplify'));
  await userEvent.type(screen.getByLabelText('Amplify'), '250');

  await userEvent.click(button());

  await vi.waitFor(() => expect(count()).toBe(200));
  expect(fetchMock.mock.lastCall?.[0]).toContain('amp=250');
  expect(callsTo('/forecast/')).toEqual([]);
  expect(callFunction).not.toHaveBeenCalled();
});

test("history that fails says 'Failed to load' and waits for the user", async () => {
  const told = vi.spyOn(toast, 'error');
  fetchMock.mockImplementation(async () =>
    Response.json({ error: 'Away.', code: 'venue/unavailable' }, { status: 503 }),
  );
  show(LION);

  await screen.findByText('Failed to load');
  expect(told).toHaveBeenCalledExactlyOnceWith('Failed to load');
  expect(callsTo('/history')).toHaveLength(1);

  fetchMock.mockImplementation(async (url) => serve(url));
  await userEvent.click(screen.getByRole('button', { name: 'Retry' }));
  await vi.waitFor(() => expect(count()).toBe(150));
});

test("'na' is none left: the button refuses and does nothing", async () => {
  vi.mocked(callFunction).mockResolvedValue({ ok: true, remaining_daily: 'na', remaining_monthly: 'n/a' });
  show(LION);
  await screen.findByText('0 left today / 0 this month');
  const before = fetchMock.mock.calls.length;

  await userEvent.click(button());

  expect(button().getAttribute('aria-disabled')).toBe('true');
  expect(fetchMock.mock.calls).toHaveLength(before);
  expect(assign).not.toHaveBeenCalled();
});

test("the quota's reason is told as it came", async () => {
  const told = vi.spyOn(toast, 'error');
  vi.mocked(callFunction).mockResolvedValue({ ok: false, reason: 'Plan ended' });

  show(LION);

  await vi.waitFor(() => expect(told).toHaveBeenCalledExactlyOnceWith('Plan ended'));
  expect(screen.getByText('0 left today / 0 this month')).toBeDefined();
});

test('a model without weights says so and costs nothing', async () => {
  const told = vi.spyOn(toast, 'error');
  fetchMock.mockImplementation(async (url) =>
    url.startsWith('/history')
      ? serve(url)
      : Response.json({ error: 'This model is not trained yet.', code: 'forecast/not-trained' }, { status: 503 }),
  );
  show(LION);
  await screen.findByText('15 left today / 300 this month');
  await pick('Model', 'Lion (Kat 2.4)');

  await userEvent.click(button());

  expect(await screen.findByText('This model is not trained yet.')).toBeDefined();
  expect(told).toHaveBeenCalledExactlyOnceWith('This model is not trained yet.');
  expect(fetchMock.mock.lastCall?.[0]).toContain('ver=214');
  expect(count()).toBe(150);
});

test.each<[string, ModelStatus, string, RegExp]>([
  ['trained', READY, 'Lion (Kat 2.4)', /^Neural: a network/],
  ['not trained', { state: 'not-trained', kind: null, version: null }, 'Bobcat (Kat 1)', /^Statistical: log-HAR/],
  ['out of order', { state: 'disabled', kind: null, version: null }, 'Bobcat (Kat 1)', /^Statistical: log-HAR/],
])('a lion user starts with the best model that works: Lion is %s', async (_what, lion, label, words) => {
  vi.mocked(publicConfig).mockResolvedValue({ ...CONFIG, models: { ...CONFIG.models, lion } });

  show(LION);

  expect(await screen.findByText(words)).toBeDefined();
  expect(screen.getByRole('combobox', { name: 'Model' }).textContent).toBe(label);
});

test.each<[string, ModelStatus['state'], RegExp]>([
  ['not trained', 'not-trained', /^Not trained yet: it cannot forecast/],
  ['out of order', 'disabled', /^Out of order: it cannot forecast/],
])('a picked model that is %s says so before it is asked', async (_what, state, words) => {
  const models = { ...CONFIG.models, lion: { state, kind: null, version: null } };
  vi.mocked(publicConfig).mockResolvedValue({ ...CONFIG, models });
  show(LION);
  await screen.findByText(/^Statistical/);

  await pick('Model', 'Lion (Kat 2.4)');

  expect(await screen.findByText(words)).toBeDefined();
});

test('another symbol loads its own history', async () => {
  show(LION);
  await vi.waitFor(() => expect(count()).toBe(150));

  await pick('Symbol', 'Gold');

  expect(await screen.findByRole('heading', { name: 'Gold Prediction' })).toBeDefined();
  expect(callsTo('/history').at(-1)).toContain('exc=COMEX&sym=GC1%21');
});

const REMEMBERED = { reservationId: 'r1', userId: 'u1', symbolLabel: 'ETH', model: 'bobcat' };

test('a reload finishes the forecast that was being watched and saves it', async () => {
  window.sessionStorage.setItem('kat-forecast', JSON.stringify(REMEMBERED));
  const start = aStart({ sym: 'ETHUSDT.P' });
  const body = { start, history: candlesUntil(T0, 150), forecast: forecastPath(), state: 'reserved' };
  fetchMock.mockImplementation(async () => Response.json(body));

  show(LION);

  expect(await screen.findByRole('heading', { name: 'ETH Prediction' })).toBeDefined();
  await vi.waitFor(() => expect(onSaved).toHaveBeenCalledOnce());
  expect(fetchMock.mock.calls.map(([url]) => url)).toEqual(['/forecast/reservations/r1']);
  expect(count()).toBe(200);
  expect(screen.getByText('saved')).toBeDefined();
  expect(window.sessionStorage.getItem('kat-forecast')).toBeNull();
});

test("another user's forecast is not looked for", async () => {
  window.sessionStorage.setItem('kat-forecast', JSON.stringify({ ...REMEMBERED, userId: 'u2' }));

  show(LION);

  await vi.waitFor(() => expect(count()).toBe(150));
  expect(callsTo('/forecast/reservations/')).toEqual([]);
});

/** A server that keeps one forecast of ETH which nobody finished. */
function serveLeft(url: string): Response {
  if (url === '/forecast/reservations') return Response.json({ reservations: [anUnsaved()] });
  if (!url.startsWith('/forecast/reservations/')) return serve(url);
  const start = aStart({ sym: 'ETHUSDT.P' });
  return Response.json({ start, history: candlesUntil(T0, 150), forecast: forecastPath(), state: 'reserved' });
}

test('a new browser finishes and saves what a killed one left, draws it, and says so once', async () => {
  const told = vi.spyOn(toast, 'success');
  fetchMock.mockImplementation(async (url) => serveLeft(url));

  show(LION);

  expect(await screen.findByRole('heading', { name: 'ETH Prediction' })).toBeDefined();
  await vi.waitFor(() => expect(count()).toBe(200));
  expect(screen.getByText('saved')).toBeDefined();
  expect(onSaved).toHaveBeenCalledOnce();
  expect(told).toHaveBeenCalledExactlyOnceWith('Your last forecast was finished and saved.');
  const names = vi.mocked(callFunction).mock.calls.map(([name]) => name);
  expect(names.filter((name) => name === 'create-prediction')).toHaveLength(1);
  expect(names.at(-1)).toBe('get-quota');
});

test('in a tab where something was picked it is saved too, and the picture stays with what was picked', async () => {
  const first = show(LION);
  await screen.findByText('15 left today / 300 this month');
  await pick('Symbol', 'SOL');
  first.unmount();
  fetchMock.mockImplementation(async (url) => serveLeft(url));

  show(LION);

  await vi.waitFor(() => expect(onSaved).toHaveBeenCalledOnce());
  expect(screen.getByRole('heading', { name: 'SOL Prediction' })).toBeDefined();
  expect(count()).toBe(150);
});

test('a forecast that was pressed for meanwhile is not pushed off the chart', async () => {
  const listed = Promise.withResolvers<void>();
  fetchMock.mockImplementation(async (url) => {
    if (url === '/forecast/reservations') await listed.promise;
    return url.startsWith('/stream') ? serve(url) : serveLeft(url);
  });
  show(LION);
  await screen.findByText('15 left today / 300 this month');
  await vi.waitFor(() => expect(count()).toBe(150));
  await userEvent.click(button());
  await vi.waitFor(() => expect(onSaved).toHaveBeenCalledOnce());

  listed.resolve();

  await vi.waitFor(() => expect(onSaved).toHaveBeenCalledTimes(2));
  expect(screen.getByRole('heading', { name: 'BTC Prediction' })).toBeDefined();
});

test.each([
  ['another model is picked', () => pick('Model', 'Lion (Kat 2.4)')],
  ['another symbol is picked', () => pick('Symbol', 'SOL')],
  ['the page is left', async (unmount: () => void) => unmount()],
])('the stream closes when %s', async (_what, act) => {
  let streamSignal: AbortSignal | null | undefined;
  fetchMock.mockImplementation(async (url, init) => {
    if (url.startsWith('/history')) return serve(url);
    streamSignal = init.signal;
    const text = `id: r1:0\nevent: start\ndata: ${JSON.stringify(aStart())}\n\n`;
    const body = new ReadableStream({ start: (controller) => controller.enqueue(new TextEncoder().encode(text)) });
    return new Response(body, { headers: { 'content-type': 'text/event-stream' } });
  });
  const { unmount } = show(LION);
  await screen.findByText('15 left today / 300 this month');
  await vi.waitFor(() => expect(count()).toBe(150));
  await userEvent.click(button());
  await screen.findByText(/one plausible path; 80 % band/);

  await act(unmount);

  await vi.waitFor(() => expect(streamSignal?.aborted).toBe(true));
  expect(vi.mocked(callFunction).mock.calls.some(([name]) => name === 'create-prediction')).toBe(false);
});
