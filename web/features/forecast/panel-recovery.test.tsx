import { screen } from '@testing-library/react';
import { beforeEach, expect, test, vi } from 'vitest';
import { json, USER } from '../../platform/testing/fake-backend.ts';
import { toast } from '../../ui/overlay/toast.ts';
import { anUnsaved } from './testing/forecast-fixtures.ts';
import {
  count,
  onSaved,
  type PanelServer,
  panelServer,
  predict,
  show,
  storedForecast,
  storeUnsaved,
} from './testing/forecast-panel.tsx';

let server: PanelServer;
beforeEach(() => {
  server = panelServer();
});

const REMEMBERED = { reservationId: 'r1', userId: USER.id, symbolLabel: 'ETH', model: 'bobcat' };

test('finishes and saves the watched forecast after a reload', async () => {
  window.sessionStorage.setItem('kat-forecast', JSON.stringify(REMEMBERED));
  server.on('GET /forecast/reservations/r1', () => storedForecast());

  await show(server, 'lion');

  expect(await screen.findByRole('heading', { name: 'ETH Prediction' })).toBeDefined();
  await vi.waitFor(() => expect(onSaved).toHaveBeenCalledOnce());
  expect(server.callsTo('/forecast/reservations')).toEqual(['/forecast/reservations/r1']);
  expect([...server.callsTo('/history'), ...server.callsTo('/stream-kat2')]).toEqual([]);
  expect(count()).toBe(200);
  expect(screen.getByText('saved')).toBeDefined();
  expect(window.sessionStorage.getItem('kat-forecast')).toBeNull();
});

test('leaves an interrupted forecast off the chart where the address names another symbol', async () => {
  window.sessionStorage.setItem('kat-forecast', JSON.stringify(REMEMBERED));
  server.on('GET /forecast/reservations/r1', () => storedForecast());

  await show(server, 'lion', '/kat?sym=SOL');

  await vi.waitFor(() => expect(count()).toBe(150));
  expect(screen.getByRole('heading', { name: 'SOL Prediction' })).toBeDefined();
  expect(server.callsTo('/forecast/reservations/')).toEqual([]);
});

test("does not look for another user's forecast", async () => {
  window.sessionStorage.setItem('kat-forecast', JSON.stringify({ ...REMEMBERED, userId: 'u2' }));

  await show(server, 'lion');

  await vi.waitFor(() => expect(count()).toBe(150));
  expect(server.callsTo('/forecast/reservations/')).toEqual([]);
});

test('finishes and saves what a closed browser left, draws it, and reports it once', async () => {
  const shown = vi.spyOn(toast, 'success');
  storeUnsaved(server);

  await show(server, 'lion');

  expect(await screen.findByRole('heading', { name: 'ETH Prediction' })).toBeDefined();
  await vi.waitFor(() => expect(count()).toBe(200));
  expect(screen.getByText('saved')).toBeDefined();
  expect(onSaved).toHaveBeenCalledOnce();
  expect(shown).toHaveBeenCalledExactlyOnceWith('Your last forecast was finished and saved.');
  expect(server.to('/functions/v1/create-prediction')).toHaveLength(1);
  await vi.waitFor(() => expect(server.callsTo('/functions/').at(-1)).toBe('/functions/v1/get-quota'));
});

test('saves it too in a tab where something was picked, and leaves the picture there', async () => {
  storeUnsaved(server);

  await show(server, 'lion', '/kat?sym=SOL');

  await vi.waitFor(() => expect(onSaved).toHaveBeenCalledOnce());
  expect(screen.getByRole('heading', { name: 'SOL Prediction' })).toBeDefined();
  expect(count()).toBe(150);
});

test('leaves a forecast on the chart that was started meanwhile', async () => {
  const listed = Promise.withResolvers<void>();
  storeUnsaved(server);
  server.on('GET /forecast/reservations', async () => {
    await listed.promise;
    return json({ reservations: [anUnsaved()] });
  });
  await show(server, 'lion');
  await screen.findByText('15 left today / 300 this month');
  await vi.waitFor(() => expect(count()).toBe(150));
  await predict();
  await vi.waitFor(() => expect(onSaved).toHaveBeenCalledOnce());

  listed.resolve();

  await vi.waitFor(() => expect(onSaved).toHaveBeenCalledTimes(2));
  expect(screen.getByRole('heading', { name: 'BTC Prediction' })).toBeDefined();
});
