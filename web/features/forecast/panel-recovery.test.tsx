import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test, vi } from 'vitest';
import { callFunction } from '../../platform/functions.ts';
import { toast } from '../../ui/toast.ts';
import { anUnsaved, aStart, candlesUntil, forecastPath, T0 } from './forecast-test-data.ts';
import { button, callsTo, count, fetchMock, LION, onSaved, pick, serve, show } from './panel-test-setup.tsx';

vi.mock('../../charts/candle-canvas.ts', () => import('../../charts/testing/fake-canvas.ts'));
vi.mock('../../session/session.ts', () => ({ useSession: vi.fn(), accessToken: async () => 'token' }));
vi.mock('../../session/entitlement.ts', () => ({ useEntitlement: vi.fn() }));
vi.mock('../../platform/functions.ts', () => ({ callFunction: vi.fn() }));
vi.mock('../../platform/error-log.ts', () => ({ reportError: vi.fn() }));
vi.mock('../../platform/config.ts', () => ({ publicConfig: vi.fn() }));

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
