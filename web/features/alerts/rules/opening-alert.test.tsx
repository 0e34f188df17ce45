/** The alert at the opening of a closed market, switched beside its button. */
import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test } from 'vitest';
import { symbolNamed } from '#domain/market/testing/symbol-named.ts';
import { json } from '../../../platform/testing/fake-backend.ts';
import { alertServer, aRule, mount, USER_ID } from '../testing/fake-alert-server.tsx';
import { OpeningAlert } from './opening-alert.tsx';

const button = () => screen.getByRole('button', { name: 'Alert me at the open' });
const isOn = () => button().getAttribute('aria-pressed');

const show = () => mount(<OpeningAlert userId={USER_ID} symbol={symbolNamed('MSFT')} />);

test('stores one alert by email, and on devices where there are some, and removes it by another click', async () => {
  const server = alertServer({ hasDevice: true });
  show();
  await screen.findByTitle('One alert when MSFT opens, by email and on your devices');
  expect(isOn()).toBe('false');

  await userEvent.click(button());
  expect(isOn()).toBe('true');
  await waitFor(() =>
    expect(server.rules).toMatchObject([{ kind: 'market-opens', sym: 'MSFT', byMail: true, byPush: true }]),
  );
  expect(screen.getByText('On, by email and on your devices')).toBeDefined();
  await userEvent.click(button());

  await waitFor(() => expect(server.rules).toEqual([]));
  expect(isOn()).toBe('false');
});

test('shows an alert that is set already, and not the one of another market', async () => {
  alertServer({
    rules: [
      aRule({ kind: 'market-opens', sym: 'MSFT' }),
      aRule({ id: '44444444-4444-4444-8444-444444444459', kind: 'market-opens', sym: 'GC1!' }),
    ],
  });
  show();

  await waitFor(() => expect(isOn()).toBe('true'));
  expect(screen.getByText('On, on this page')).toBeDefined();
});

test('shows the server’s message for a market that has opened meanwhile, and is off again', async () => {
  const server = alertServer();
  const message = 'This market is already open. You need no alert for it.';
  server.backend.on('POST /functions/v1/save-alert-rule', () =>
    json({ ok: false, reason: 'alerts/market-open', message }),
  );
  show();

  await userEvent.click(button());

  expect((await screen.findByRole('alert')).textContent).toContain(message);
  expect(isOn()).toBe('false');
});

test('loads the alerts again on a click after they failed', async () => {
  const server = alertServer();
  server.backend.on('POST /functions/v1/list-alerts', () => json({ message: 'broken' }, 500));
  show();
  await screen.findByText('We couldn’t load your alerts. Click to try again.');
  server.backend.on('POST /functions/v1/list-alerts', () =>
    json({ ok: true, rules: [aRule({ kind: 'market-opens', sym: 'MSFT' })], alerts: [], unread: 0 }),
  );

  await userEvent.click(button());

  await waitFor(() => expect(isOn()).toBe('true'));
});

test('stores an alert that was clicked before it was known what is on', async () => {
  const server = alertServer();
  const list = Promise.withResolvers<Response>();
  server.backend.on('POST /functions/v1/list-alerts', () => list.promise);
  show();
  await userEvent.click(button());
  expect(isOn()).toBe('true');
  expect(server.sent('save-alert-rule')).toEqual([]);

  list.resolve(json({ ok: true, rules: [], alerts: [], unread: 0 }));

  await waitFor(() => expect(server.rules).toHaveLength(1));
});
