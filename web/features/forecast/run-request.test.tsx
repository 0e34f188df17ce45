/** A forecast that the command palette requests of the panel. */
import { act, render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test } from 'vitest';
import { json } from '../../platform/testing/fake-backend.ts';
import { requestForecast } from '../../site/forecast-request.ts';
import { Toaster } from '../../ui/overlay/toaster.tsx';
import { history, type PanelServer, panelServer, show } from './testing/forecast-panel.tsx';

let server: PanelServer;
beforeEach(() => {
  server = panelServer();
});

const streams = () => server.callsTo('/stream-kat2');

test('runs one forecast once plan and quota are known, and another on the next request', async () => {
  requestForecast();
  await show(server, 'lion');
  await screen.findByText('saved');
  expect(streams()).toHaveLength(1);

  act(() => requestForecast());

  await waitFor(() => expect(streams()).toHaveLength(2));
});

test('waits for the first candles, which no one requested', async () => {
  const { promise: arrived, resolve: arrive } = Promise.withResolvers<void>();
  server.on('GET /history', async () => {
    await arrived;
    return history();
  });
  render(<Toaster />);
  requestForecast();
  await show(server, 'lion');
  await screen.findByText(/15 left today/);
  arrive();

  await screen.findByText('saved');
  expect(screen.queryByText('A forecast is already running.')).toBeNull();
});

test('runs a forecast that was clicked before the quota was known', async () => {
  const { promise: known, resolve: answer } = Promise.withResolvers<void>();
  server.fn('get-quota', async () => {
    await known;
    return json({ ok: true, remaining_daily: 15, remaining_monthly: '300' });
  });
  await show(server, 'lion');
  const button = await screen.findByRole('button', { name: /^Prediction – left today/ });

  await userEvent.click(button);
  expect(button.getAttribute('aria-busy')).toBe('true');
  expect(streams()).toEqual([]);
  answer();

  await screen.findByText('saved');
  expect(streams()).toHaveLength(1);
});

test('opens the plans for a free user, as the button does', async () => {
  requestForecast();
  await show(server, 'free');

  await waitFor(() => expect(server.opened()).toEqual(['/account/subscription']));
  expect(streams()).toEqual([]);
});

test('says why no forecast starts when none is left', async () => {
  server.quota(0, 12);
  render(<Toaster />);
  requestForecast();
  await show(server, 'lion');

  expect(await screen.findByText('The forecast didn’t start: 0 left today / 12 this month.')).toBeTruthy();
  expect(streams()).toEqual([]);
});
