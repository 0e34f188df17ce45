/** 'Alerts' on the track record: which alerts there are, and which were sent. */
import { act, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test, vi } from 'vitest';
import { json } from '../../platform/testing/fake-backend.ts';
import { AlertsSection } from './alerts-section.tsx';
import { alertServer, anAlert, aRule, mount, PREDICTION, SESSION_USER, USER_ID } from './testing/fake-alert-server.tsx';
import { VisitorsAlerts } from './visitors-alerts.tsx';

function show() {
  return mount(<AlertsSection user={SESSION_USER} anchorId="alerts" />);
}

const toggle = (name: string) => screen.findByRole('switch', { name });
const isOn = async (name: string) => (await toggle(name)).getAttribute('aria-checked') === 'true';
const BAND = 'Any of my predictions, A minute closes outside the 95% band';
const BTC = 'Models disagree, BTC';

test('explains an empty list: what will come, and why devices cannot be chosen yet', async () => {
  alertServer();
  show();

  await screen.findByText('No alerts yet');
  expect(screen.queryAllByRole('switch', { checked: true })).toEqual([]);
  expect(screen.queryByRole('switch', { name: 'Models disagree, Gold' })).toBeNull();
  const link = await screen.findByRole('link', { name: 'Turn them on for this device' });
  expect(link.getAttribute('href')).toBe('/account/notifications#notifications');
});

test('turns an alert on from the empty list, which then leads to the chart', async () => {
  const server = alertServer();
  show();

  await userEvent.click(await screen.findByRole('button', { name: 'Alert me when an outcome is known' }));

  expect((await screen.findByRole('link', { name: 'Open the chart' })).getAttribute('href')).toBe('/kat');
  expect(await isOn('Any of my predictions, The outcome is known')).toBe(true);
  expect(document.activeElement).toBe(screen.getByRole('region', { name: 'Latest alerts' }));
  await waitFor(() =>
    expect(server.sent('save-alert-rule')).toEqual([
      { kind: 'prediction-resolved', predictionId: null, byMail: false, byPush: false },
    ]),
  );
});

test('switches a row on, by email too, and off, and saves each click', async () => {
  const server = alertServer();
  show();

  await userEvent.click(await toggle(BTC));
  await waitFor(() => expect(server.rules).toHaveLength(1));
  await userEvent.click(await toggle(`${BTC}, by email`));
  await waitFor(() => expect(server.rules[0]?.byMail).toBe(true));
  expect(server.sent('save-alert-rule')).toEqual([
    { kind: 'models-disagree', sym: 'BTCUSDT.P', byMail: false, byPush: false },
    { kind: 'models-disagree', sym: 'BTCUSDT.P', byMail: true, byPush: false },
  ]);
  await userEvent.click(await toggle(BTC));

  await waitFor(() => expect(server.rules).toEqual([]));
  expect([await isOn(BTC), await isOn(`${BTC}, by email`)]).toEqual([false, false]);
  expect((await toggle(`${BTC}, by email`)).hasAttribute('disabled')).toBe(true);
});

test('alerts before a release within any prediction, and says when and how often', async () => {
  const server = alertServer();
  show();
  const row = 'Any of my predictions, A US release, such as CPI, is due';

  await userEvent.click(await toggle(row));

  await waitFor(() =>
    expect(server.sent('save-alert-rule')).toEqual([{ kind: 'release-due', byMail: false, byPush: false }]),
  );
  expect(await isOn(row)).toBe(true);
  expect(
    screen.getByText(/^Sent about 5 minutes before a release within a running forecast, once per release and market\./),
  ).toBeDefined();
});

test('adds an alert on a chance, lists it, and removes it', async () => {
  const server = alertServer();
  show();

  const form = within(await screen.findByRole('form', { name: 'Alert on a chance' }));
  await userEvent.click(form.getByRole('button', { name: 'Add alert' }));
  expect(screen.getByText('Enter a price above 0.')).toBeDefined();
  await userEvent.type(form.getByRole('textbox', { name: 'Price' }), '62,000');
  await userEvent.clear(form.getByRole('textbox', { name: 'More than, %' }));
  await userEvent.type(form.getByRole('textbox', { name: 'More than, %' }), '35');
  await userEvent.selectOptions(form.getByRole('combobox', { name: 'Within' }), '30');
  await userEvent.click(form.getByRole('button', { name: 'Add alert' }));

  const row = 'Chances, BTC to touch 62,000.0 within 30 minutes: more than 35%';
  expect(await isOn(row)).toBe(true);
  const chance = { model: 'bobcat', event: 'touch', price: 62_000, bar: 30, percent: 35 };
  await waitFor(() =>
    expect(server.sent('save-alert-rule')).toEqual([
      { kind: 'chance-reached', sym: 'BTCUSDT.P', chance, byMail: false, byPush: false },
    ]),
  );
  await waitFor(() => expect(server.rules).toHaveLength(1));
  await userEvent.click(await toggle(row));
  await waitFor(() => expect(server.rules).toEqual([]));
  expect(screen.queryByRole('switch', { name: row })).toBeNull();
});

test('lists a chance of a market beside the ten under its name', async () => {
  const chance = { model: 'bobcat', event: 'touch', price: 0.0000125, bar: 30, percent: 35 } as const;
  alertServer().rules.push(aRule({ kind: 'chance-reached', predictionId: null, sym: 'PEPEUSDT.P', chance }));
  show();

  expect(await isOn('Chances, PEPE/USDT to touch 0.0000125 within 30 minutes: more than 35%')).toBe(true);
});

test('ends off when clicked on and off before the server has answered', async () => {
  const server = alertServer();
  const save = Promise.withResolvers<void>();
  server.backend.on('POST /functions/v1/save-alert-rule', async () => {
    await save.promise;
    const rule = aRule({ kind: 'models-disagree', sym: 'BTCUSDT.P' });
    server.rules = [rule];
    return json({ ok: true, rule });
  });
  show();

  await userEvent.click(await toggle(BTC));
  await userEvent.click(await toggle(BTC));
  save.resolve();

  await waitFor(() => expect(server.sent('remove-alert-rule')).toEqual([{ id: aRule({}).id }]));
  await waitFor(() => expect(server.rules).toEqual([]));
  expect(await isOn(BTC)).toBe(false);
});

test.each([
  [
    'a refusal, in the server’s words',
    () => json({ ok: false, reason: 'alerts/too-many-rules', message: 'You have fifty alerts.' }),
    'You have fifty alerts.',
  ],
  ['no connection', () => Promise.reject(new TypeError('Failed to fetch')), 'We couldn’t reach the server.'],
])('flips the switch back after %s, and explains why', async (_what, answer, text) => {
  const server = alertServer();
  server.backend.on('POST /functions/v1/save-alert-rule', answer);
  show();
  await toggle(BAND);
  // The list that would show the state doesn't arrive either.
  server.backend.on('POST /functions/v1/list-alerts', () => json({ message: 'away' }, 503));

  await userEvent.click(await toggle(BAND));

  expect((await screen.findByRole('alert')).textContent).toContain(text);
  expect(await isOn(BAND)).toBe(false);
});

test('offers the switch of a device that is set up, and shows the other symbols in a rule about gold', async () => {
  const server = alertServer({ hasDevice: true, rules: [aRule({ kind: 'models-disagree', sym: 'GC1!' })] });
  show();

  const push = 'Models disagree, Gold, on my devices';
  await waitFor(async () => expect((await toggle(push)).hasAttribute('disabled')).toBe(false));
  await userEvent.click(await toggle(push));

  await waitFor(() => expect(server.rules[0]?.byPush).toBe(true));
  expect(screen.queryByText(/No device takes/)).toBeNull();
});

test('counts rules on single predictions, links them, and removes them in one click', async () => {
  const band = aRule({ id: '44444444-4444-4444-8444-444444444446', kind: 'band-broken', predictionId: PREDICTION });
  const server = alertServer({ rules: [aRule({ predictionId: PREDICTION }), band, aRule({ id: USER_ID })] });
  show();

  const text = await screen.findByText(/2 more alerts are set on single predictions/);
  expect(within(text).getByRole('link', { name: 'Your Predictions' }).getAttribute('href')).toBe(
    '/account/predictions',
  );
  await userEvent.click(within(text).getByRole('button', { name: 'Remove them' }));

  await waitFor(() => expect(server.rules).toEqual([aRule({ id: USER_ID })]));
  expect(screen.queryByText(/on single predictions/)).toBeNull();
});

test('lists past alerts newest first with their page, and marks them read once a user has seen them', async () => {
  const server = alertServer({ alerts: [anAlert(9), anAlert(8), anAlert(7, true)] });
  let see: (isSeen: boolean) => void = () => undefined;
  vi.stubGlobal(
    'IntersectionObserver',
    class {
      constructor(notify: (entries: { isIntersecting: boolean }[]) => void) {
        see = (isIntersecting) => notify([{ isIntersecting }]);
      }
      observe() {}
      disconnect() {}
    },
  );
  show();

  const items = await screen.findAllByRole('listitem');
  expect(items.map((item) => within(item).queryByText('new') !== null)).toEqual([true, true, false]);
  expect(items.map((item) => within(item).getByRole('link').getAttribute('href'))).toEqual([
    '/account/predictions',
    '/track-record',
    '/account/predictions',
  ]);
  expect(items[1]?.textContent).toContain('Models disagree about BTC');
  act(() => see(true));
  act(() => see(false));
  await new Promise((resolve) => setTimeout(resolve, 1100));
  expect(server.sent('read-alerts')).toEqual([]);
  act(() => see(true));

  await waitFor(() => expect(server.sent('read-alerts')).toEqual([{ upTo: 9 }]));
  // The marks stay for this visit: they say what is new.
  expect(screen.getAllByText('new')).toHaveLength(2);
  vi.unstubAllGlobals();
});

test('reports a failed load, and loads again', async () => {
  const server = alertServer();
  server.backend.on('POST /functions/v1/list-alerts', () => json({ message: 'broken' }, 500));
  show();
  await screen.findByText('We couldn’t load your alerts');
  server.backend.on('POST /functions/v1/list-alerts', () => json({ ok: true, rules: [], alerts: [], unread: 0 }));

  await userEvent.click(screen.getByRole('button', { name: 'Retry' }));

  await screen.findByText('No alerts yet');
});

test('shows visitors what there is, and returns here after sign-in', async () => {
  alertServer();
  mount(<VisitorsAlerts />);

  const link = screen.getByRole('link', { name: 'Sign in' });
  expect(link.getAttribute('href')).toBe('/auth/signin?next=%2Ftrack-record%23alerts');
});
