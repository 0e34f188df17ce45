/** 'Alerts' beside a prediction: a dialog that knows what is on already. */
import { act, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test, vi } from 'vitest';
import { predictionRowSchema } from '#domain/forecast/prediction.ts';
import { json } from '../../../platform/testing/fake-backend.ts';
import { alertServer, aRule, mount, PREDICTION, USER_ID } from '../testing/fake-alert-server.tsx';
import { bellsOf } from './alert-bell.tsx';
import { useBells } from './use-bells.ts';

const ROW = predictionRowSchema.parse({
  id: PREDICTION,
  user_id: USER_ID,
  cryptocurrency: 'BTC',
  timeframe: '1min',
  model: 'kat2_4',
  created_at: '2026-11-20T10:00:00Z',
  data: [],
});

async function open() {
  mount(bellsOf(USER_ID).atPrediction(ROW, 'BTC 1min Lion (Kat 2.4)', 'word'));
  await userEvent.click(screen.getByRole('button', { name: /^Alerts/ }));
  await screen.findByRole('dialog', { name: 'Alerts' });
}

const BAND = 'A minute closes outside the 95% band';
const KNOWN = 'The outcome is known';
const toggle = (name: string) => screen.findByRole('switch', { name });

test('starts with both off, and stores each for this prediction with the ways that are ticked', async () => {
  const server = alertServer({ hasDevice: true });
  await open();
  expect((await toggle(BAND)).getAttribute('aria-checked')).toBe('false');

  await userEvent.click(screen.getByRole('checkbox', { name: 'Also by email' }));
  expect(server.sent('save-alert-rule')).toEqual([]);
  await userEvent.click(await toggle(BAND));
  await waitFor(() => expect(server.rules).toHaveLength(1));
  await userEvent.click(screen.getByRole('checkbox', { name: 'Also on my devices' }));

  await waitFor(() => expect(server.rules[0]?.byPush).toBe(true));
  const rule = { kind: 'band-broken', predictionId: PREDICTION, byMail: true };
  expect(server.sent('save-alert-rule')).toEqual([
    { ...rule, byPush: false },
    { ...rule, byPush: true },
  ]);
  expect((await toggle(KNOWN)).getAttribute('aria-checked')).toBe('false');
  // The bell rings once something is on.
  expect(screen.getByRole('button', { name: 'Alerts, on', hidden: true })).toBeDefined();
});

test('stays silent for an alert about releases, which its dialog does not list', async () => {
  alertServer({ rules: [aRule({ kind: 'release-due' })] });
  await open();
  await toggle(KNOWN);

  expect(screen.getByRole('button', { name: 'Alerts', hidden: true })).toBeDefined();
});

test('shows what is on, and removes it when switched off', async () => {
  const server = alertServer({ rules: [aRule({ predictionId: PREDICTION })] });
  await open();
  expect((await toggle(KNOWN)).getAttribute('aria-checked')).toBe('true');

  await userEvent.click(await toggle(KNOWN));

  await waitFor(() => expect(server.rules).toEqual([]));
});

test('shows what is on for all predictions, to be changed there', async () => {
  alertServer({ rules: [aRule({ byMail: true }), aRule({ kind: 'band-broken' })] });
  await open();

  const general = await toggle(KNOWN);
  expect([general.getAttribute('aria-checked'), general.hasAttribute('disabled')]).toEqual(['true', true]);
  expect(screen.getByText('On for all your predictions, also by email.')).toBeDefined();
  expect(screen.getByText('On for all your predictions.')).toBeDefined();
  expect(screen.queryByRole('checkbox')).toBeNull();
  const link = screen.getByRole('link', { name: 'Alerts for all my predictions' });
  expect(link.getAttribute('href')).toBe('/track-record#alerts');
});

test('shows the way to a device without one, and disables the box', async () => {
  alertServer();
  await open();

  const link = await screen.findByRole('link', { name: 'Turn them on for this device' });
  expect(link.getAttribute('href')).toBe('/account/notifications#notifications');
  expect(screen.getByRole('checkbox', { name: 'Also on my devices' }).hasAttribute('disabled')).toBe(true);
});

test('shows the server’s message for a deleted prediction, and flips the switch back', async () => {
  const server = alertServer();
  const notFound = {
    ok: false,
    reason: 'alerts/no-such-prediction',
    message: 'This prediction is not there any more.',
  };
  server.backend.on('POST /functions/v1/save-alert-rule', () => json(notFound));
  await open();

  await userEvent.click(await toggle(BAND));

  expect((await screen.findByRole('alert')).textContent).toContain(notFound.message);
  expect((await toggle(BAND)).getAttribute('aria-checked')).toBe('false');
});

test('loads the list again after a refusal, whichever bell was drawn last', async () => {
  const server = alertServer();
  const consoleError = vi.spyOn(console, 'error');
  server.backend.on('POST /functions/v1/save-alert-rule', () => json({ message: 'broken' }, 500));
  await open();
  // Made on another device meanwhile.
  await toggle(KNOWN);
  server.rules = [aRule({ predictionId: PREDICTION })];

  await userEvent.click(await toggle(BAND));

  await waitFor(async () => expect((await toggle(KNOWN)).getAttribute('aria-checked')).toBe('true'));
  expect(consoleError.mock.calls.filter(([text]) => String(text).includes('queryFn'))).toEqual([]);
});

test('reloads a list that did not load', async () => {
  const server = alertServer();
  const list = () => json({ ok: true, rules: [], alerts: [], unread: 0 });
  server.backend.on('POST /functions/v1/list-alerts', () => json({ message: 'broken' }, 500));
  await open();
  await screen.findByText('We couldn’t load your alerts');
  server.backend.on('POST /functions/v1/list-alerts', list);

  await userEvent.click(screen.getByRole('button', { name: 'Retry' }));

  expect(await toggle(BAND)).toBeDefined();
});

test('loads bells with their code for signed-in users, and not for visitors', async () => {
  alertServer();
  function Place({ userId }: { userId: string | undefined }) {
    return <div>{useBells(userId)?.atPrediction(ROW, 'BTC', 'icon')}</div>;
  }
  const { unmount } = mount(<Place userId={undefined} />);
  await act(() => new Promise((resolve) => setTimeout(resolve, 50)));
  expect(screen.queryByRole('button')).toBeNull();
  unmount();

  mount(<Place userId={USER_ID} />);

  expect(await screen.findByRole('button', { name: 'Alerts' })).toBeDefined();
});
