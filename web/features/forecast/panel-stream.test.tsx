import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test, vi } from 'vitest';
import { toColumns } from '#domain/market/candle.ts';
import { json } from '../../platform/testing/fake-backend.ts';
import { toggleUtc } from '../../ui/browser/time-zone.ts';
import { toast } from '../../ui/overlay/toast.ts';
import { candlesUntil, T0 } from './testing/forecast-fixtures.ts';
import {
  button,
  count,
  eventStream,
  history,
  type PanelServer,
  panelServer,
  pick,
  predict,
  show,
  startEvent,
} from './testing/forecast-panel.tsx';

let server: PanelServer;
beforeEach(() => {
  server = panelServer();
});

test("shows 'Failed to load' for history that fails and waits for the user", async () => {
  const shown = vi.spyOn(toast, 'error');
  server.on('GET /history', () => json({ error: 'Away.', code: 'venue/unavailable' }, 503));
  await show(server, 'lion');

  await screen.findByText('Failed to load');
  expect(shown).toHaveBeenCalledExactlyOnceWith('Failed to load');
  expect(server.callsTo('/history')).toHaveLength(1);

  server.on('GET /history', () => history());
  await userEvent.click(screen.getByRole('button', { name: 'Retry' }));
  await vi.waitFor(() => expect(count()).toBe(150));
});

test("treats 'na' as none left: the button refuses and does nothing", async () => {
  server.fn('get-quota', () => json({ ok: true, remaining_daily: 'na', remaining_monthly: 'n/a' }));
  await show(server, 'lion');
  await screen.findByText('0 left today / 0 this month');
  await vi.waitFor(() => expect(count()).toBe(150));
  const before = server.callsTo('/history');

  await userEvent.click(button());

  expect(button().getAttribute('aria-disabled')).toBe('true');
  expect(server.callsTo('/history')).toEqual(before);
  expect(server.callsTo('/stream-kat2')).toEqual([]);
  expect(server.opened()).toEqual([]);
});

test("shows the quota's reason unchanged, and dashes until Retry loads it", async () => {
  const shown = vi.spyOn(toast, 'error');
  server.fn('get-quota', () => json({ ok: false, reason: 'Plan ended' }));

  await show(server, 'lion');

  await vi.waitFor(() => expect(shown).toHaveBeenCalledExactlyOnceWith('Plan ended'));
  expect(screen.getByText('– left today / – this month')).toBeDefined();
  await vi.waitFor(() => expect(count()).toBe(150));

  server.quota(15, 300);
  await userEvent.click(screen.getByRole('button', { name: 'Retry' }));

  expect(await screen.findByText('15 left today / 300 this month')).toBeDefined();
  expect(screen.queryByRole('button', { name: 'Retry' })).toBeNull();
});

test('loads the history of another symbol', async () => {
  await show(server, 'lion');
  await vi.waitFor(() => expect(count()).toBe(150));

  await pick('Symbol', 'Gold');

  expect(await screen.findByRole('heading', { name: 'Gold Prediction' })).toBeDefined();
  expect(server.callsTo('/history').at(-1)).toContain('exc=COMEX&sym=GC1%21');
});

test.each([
  ['another model is picked', () => pick('Model', 'Lion (Kat 2.4)')],
  ['another symbol is picked', () => pick('Symbol', 'SOL')],
  ['the page is left', async (unmount: () => void) => unmount()],
])('closes the stream when %s', async (_what, act) => {
  const text = new TextEncoder().encode(startEvent());
  server.on('GET /stream-kat2', () =>
    eventStream(new ReadableStream({ start: (controller) => controller.enqueue(text) })),
  );
  const { unmount } = await show(server, 'lion');
  await screen.findByText('15 left today / 300 this month');
  await vi.waitFor(() => expect(count()).toBe(150));
  await predict();
  await screen.findByText(/one plausible path; 80% band/);

  await act(unmount);

  await vi.waitFor(() => expect(server.to('/stream-kat2')[0]?.signal?.aborted).toBe(true));
  expect(server.to('/functions/v1/create-prediction')).toEqual([]);
});

const quotaCalls = () => server.to('/functions/v1/get-quota');

test('requests the quota again when a selection closes the stream', async () => {
  server.on('GET /stream-kat2', () => eventStream(new ReadableStream()));
  await show(server, 'lion');
  await screen.findByText('15 left today / 300 this month');
  await vi.waitFor(() => expect(count()).toBe(150));
  await predict();
  await vi.waitFor(() => expect(server.callsTo('/stream-kat2')).toHaveLength(1));
  expect(quotaCalls()).toHaveLength(1);

  await pick('Model', 'Panther (Kat 2.2)');

  await vi.waitFor(() => expect(quotaCalls()).toHaveLength(2));
});

test('keeps a running stream on Refresh, and notes in this tab what a reload needs to finish it', async () => {
  const text = new TextEncoder().encode(startEvent());
  server.on('GET /stream-kat2', () =>
    eventStream(new ReadableStream({ start: (controller) => controller.enqueue(text) })),
  );
  await show(server, 'lion');
  await screen.findByText('15 left today / 300 this month');
  await vi.waitFor(() => expect(count()).toBe(150));
  await predict();
  await screen.findByText(/one plausible path; 80% band/);
  const noted = JSON.parse(window.sessionStorage.getItem('kat-forecast') ?? 'null');
  expect(noted).toMatchObject({ reservationId: 'r1', symbolLabel: 'BTC', model: 'bobcat' });
  const before = quotaCalls().length;

  await userEvent.click(screen.getByRole('button', { name: 'Refresh' }));

  await vi.waitFor(() => expect(quotaCalls()).toHaveLength(before + 1));
  expect(server.to('/stream-kat2')[0]?.signal?.aborted).toBe(false);
});

test('opens no stream, for neither model, when another one is picked while the history loads', async () => {
  const loading = Promise.withResolvers<void>();
  await show(server, 'lion');
  await screen.findByText('15 left today / 300 this month');
  await vi.waitFor(() => expect(count()).toBe(150));
  server.on('GET /history', async () => {
    await loading.promise;
    return history();
  });
  await predict();
  await vi.waitFor(() => expect(server.callsTo('/history')).toHaveLength(2));

  await pick('Model', 'Panther (Kat 2.2)');
  loading.resolve();

  await vi.waitFor(() => expect(button().getAttribute('aria-disabled')).toBe('false'));
  expect(server.callsTo('/stream-kat2')).toEqual([]);
  expect(count()).toBe(150);
});

test('shows the market of the candles before a forecast, and since when it is closed', async () => {
  // Two days later: a time of today has no date, and one of another year has the year.
  vi.useFakeTimers({ toFake: ['Date'], now: (T0 + 2 * 86_400) * 1000 });
  toggleUtc();
  const headers = { 'x-market-kind': 'simulated', 'x-market-open': 'false' };
  const body = toColumns(candlesUntil(T0, 150));
  server.on('GET /history', () => Response.json(body, { headers }));

  await show(server, 'lion');

  expect(await screen.findByText('simulated')).toBeDefined();
  expect(screen.getByText('market closed')).toBeDefined();
  expect(screen.getByText('closed at 6 Jan, 12:01')).toBeDefined();
});
