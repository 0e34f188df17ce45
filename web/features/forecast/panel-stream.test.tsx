import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test, vi } from 'vitest';
import { toColumns } from '#domain/market/candle.ts';
import { callFunction } from '../../platform/functions.ts';
import { toast } from '../../ui/toast.ts';
import { aStart, candlesUntil, T0 } from './forecast-test-data.ts';
import { assign, button, callsTo, count, fetchMock, LION, pick, serve, show } from './panel-test-setup.tsx';

vi.mock('../../charts/candle-canvas.ts', () => import('../../charts/testing/fake-canvas.ts'));
vi.mock('../../session/session.ts', () => ({ useSession: vi.fn(), accessToken: async () => 'token' }));
vi.mock('../../session/entitlement.ts', () => ({ useEntitlement: vi.fn() }));
vi.mock('../../platform/functions.ts', () => ({ callFunction: vi.fn() }));
vi.mock('../../platform/error-log.ts', () => ({ reportError: vi.fn() }));
vi.mock('../../platform/config.ts', () => ({ publicConfig: vi.fn() }));

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
  expect(screen.queryByRole('button', { name: 'Retry' })).toBeNull();
  await userEvent.click(screen.getByRole('button', { name: 'Refresh' }));
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

test('another symbol loads its own history', async () => {
  show(LION);
  await vi.waitFor(() => expect(count()).toBe(150));

  await pick('Symbol', 'Gold');

  expect(await screen.findByRole('heading', { name: 'Gold Prediction' })).toBeDefined();
  expect(callsTo('/history').at(-1)).toContain('exc=COMEX&sym=GC1%21');
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

const quotaCalls = () => vi.mocked(callFunction).mock.calls.filter(([name]) => name === 'get-quota');

test('the quota is asked for again when a selection closes the stream', async () => {
  fetchMock.mockImplementation(async (url) =>
    url.startsWith('/stream-kat2')
      ? new Response(new ReadableStream(), { headers: { 'content-type': 'text/event-stream' } })
      : serve(url),
  );
  show(LION);
  await screen.findByText('15 left today / 300 this month');
  await vi.waitFor(() => expect(count()).toBe(150));
  await userEvent.click(button());
  await vi.waitFor(() => expect(callsTo('/stream-kat2')).toHaveLength(1));
  expect(quotaCalls()).toHaveLength(1);

  await pick('Model', 'Panther (Kat 2.2)');

  await vi.waitFor(() => expect(quotaCalls()).toHaveLength(2));
});

test('another model picked while the history of a press loads: no stream opens, for neither model', async () => {
  const loading = Promise.withResolvers<void>();
  show(LION);
  await screen.findByText('15 left today / 300 this month');
  await vi.waitFor(() => expect(count()).toBe(150));
  fetchMock.mockImplementation(async (url) => {
    if (url.startsWith('/history')) await loading.promise;
    return serve(url);
  });
  await userEvent.click(button());
  await vi.waitFor(() => expect(callsTo('/history')).toHaveLength(2));

  await pick('Model', 'Panther (Kat 2.2)');
  loading.resolve();

  await vi.waitFor(() => expect(button().getAttribute('aria-disabled')).toBe('false'));
  expect(callsTo('/stream-kat2')).toEqual([]);
  expect(count()).toBe(150);
});

test('before a forecast the badge tells the market of the candles, and that it is closed since when', async () => {
  const headers = { 'x-market-kind': 'simulated', 'x-market-open': 'false' };
  const body = toColumns(candlesUntil(T0, 150));
  fetchMock.mockImplementation(async (url) =>
    url.startsWith('/history') ? Response.json(body, { headers }) : serve(url),
  );

  show(LION);

  expect(await screen.findByText('simulated')).toBeDefined();
  expect(screen.getByText('market closed')).toBeDefined();
  expect(screen.getByText(/^closed at 6 Jan, \d\d:01$/)).toBeDefined();
});
