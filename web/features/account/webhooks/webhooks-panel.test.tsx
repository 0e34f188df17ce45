/** The webhooks of an account: their state, a secret shown once, the log, and what each button sends. */
import { screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test, vi } from 'vitest';
import { type FakeBackend, fakeBackend, json, storeSession, USER } from '../../../platform/testing/fake-backend.ts';
import { setProfileZone } from '../../../ui/browser/time-zone.ts';
import { alertText, mountPanel, press } from '../testing/security-panel.tsx';
import { WebhooksPanel } from './webhooks-panel.tsx';

const SECRET = `whsec_${'Ab3'.repeat(14)}Z`;
const URL = 'https://hooks.example.com/kat';
const id = (digit: number) => `55555555-5555-4555-8555-55555555555${digit}`;

function aRow(digit: number, change: object = {}) {
  return {
    id: id(digit),
    url: URL,
    events: ['alert.created'],
    state: 'active',
    pause_reason: null,
    failing_since: null,
    last_delivered_at: '2026-11-21T09:00:00+00:00',
    dropped: 0,
    former_until: null,
    created_at: '2026-11-19T22:15:00.123456+00:00',
    ...change,
  };
}
const delivery = (number: number, change: object = {}) => ({
  id: number,
  event_id: id(number),
  event: 'alert.created',
  body: '{"type":"alert.created"}',
  state: 'delivered',
  attempts: 1,
  created_at: '2026-11-21T09:00:00+00:00',
  tried_at: '2026-11-21T09:00:01+00:00',
  answer_status: 204,
  answer_start: null,
  problem: null,
  took_ms: 12,
  ...change,
});

let backend: FakeBackend;
let rows: ReturnType<typeof aRow>[];

beforeEach(() => {
  backend = fakeBackend();
  rows = [aRow(1)];
  backend.on('GET /rest/v1/webhook_endpoints', () => json(rows));
  backend.on('GET /rest/v1/webhook_deliveries', () =>
    json([
      delivery(3),
      delivery(2, { state: 'waiting', answer_status: 500, attempts: 4, answer_start: 'Out of order' }),
    ]),
  );
  backend.on('POST /functions/v1/create-webhook', () => {
    rows = [...rows, aRow(2, { url: 'https://new.example.com/' })];
    return json({ ok: true, id: id(2), secret: SECRET });
  });
  backend.on('POST /functions/v1/rotate-webhook-secret', () => json({ ok: true, secret: SECRET }));
  for (const name of [
    'update-webhook',
    'set-webhook-state',
    'remove-webhook',
    'send-test-webhook',
    'resend-webhook-delivery',
    'skip-webhook-delivery',
  ])
    backend.on(`POST /functions/v1/${name}`, () => json({ ok: true }));
  storeSession();
});

function mount() {
  setProfileZone('Europe/Berlin');
  return mountPanel(<WebhooksPanel userId={USER.id} />);
}
const dialog = () => within(screen.getByRole('dialog'));
const list = async () => within(await screen.findByRole('list', { name: 'Your webhooks' })).getAllByRole('listitem');
const sentTo = (name: string) => backend.to(`/functions/v1/${name}`).map(({ body }) => body);

test('adds one with the chosen events, and shows its secret once', async () => {
  const { container } = mount();
  await list();

  await press('Add webhook');
  await userEvent.click(dialog().getByLabelText('An alert fires'));
  await userEvent.type(dialog().getByLabelText('Address'), 'https://new.example.com/');
  await userEvent.click(dialog().getByRole('button', { name: 'Add webhook' }));
  // In a new dialog.
  await screen.findByText(SECRET);
  expect(sentTo('create-webhook')).toEqual([
    { url: 'https://new.example.com/', events: ['prediction.created', 'prediction.resolved'] },
  ]);
  expect(document.activeElement?.textContent).toBe('I have saved it');
  await userEvent.click(dialog().getByRole('button', { name: 'I have saved it' }));
  expect(container.textContent).not.toContain(SECRET);
  await screen.findByText('https://new.example.com/');
});

test.each([
  ['webhooks/bad-address', 'starts with https://'],
  ['webhooks/too-many', 'You have 5 webhooks'],
  ['request/too-many', 'wait a while'],
  ['x', 'Nothing was changed'],
])('explains %s', async (reason, message) => {
  backend.on('POST /functions/v1/create-webhook', () => json({ ok: false, reason, message: reason }));
  mount();
  await list();

  await press('Add webhook');
  await userEvent.type(dialog().getByLabelText('Address'), 'http://10.0.0.1/');
  await userEvent.click(dialog().getByRole('button', { name: 'Add webhook' }));
  expect(await alertText()).toContain(message);
  expect(dialog().getByLabelText('Address')).toHaveProperty('value', 'http://10.0.0.1/');
});

test('shows the log with what was sent and answered, resends and skips', async () => {
  mount();
  await press('Show log');
  const log = within(await screen.findByRole('list', { name: `Deliveries to ${URL}` }));
  const [sent, waiting] = log.getAllByRole('listitem');

  expect(sent?.textContent).toContain('Delivered');
  expect(sent?.textContent).toContain('21 Nov 2026, 10:00:01 GMT+1 · answer: 204 · 12 ms');
  expect(waiting?.textContent).toContain('Retrying');
  expect(waiting?.textContent).toContain('answer: 500');
  expect(waiting?.textContent).toContain('4 tries');
  expect(waiting?.textContent).toContain('Out of order');
  await press('Resend An alert fires, 3');
  await press('Skip An alert fires, 2');
  expect(sentTo('resend-webhook-delivery')).toEqual([{ id: 3 }]);
  expect(sentTo('skip-webhook-delivery')).toEqual([{ id: 2 }]);
});

test('says why one is paused, resumes it, and sends a test only while it is active', async () => {
  rows = [aRow(1, { state: 'paused', pause_reason: 'failing', dropped: 3 })];
  mount();

  const [row] = await list();
  expect(row?.textContent).toContain('accepted nothing for 24 hours');
  expect(row?.textContent).toContain('3 events');
  expect(screen.queryByRole('button', { name: 'Send test' })).toBeNull();
  rows = [aRow(1)];
  await press('Resume');
  expect(sentTo('set-webhook-state')).toEqual([{ id: id(1), state: 'active' }]);
  await press('Send test');
  expect(sentTo('send-test-webhook')).toEqual([{ id: id(1) }]);
});

test('rotates the secret and deletes only when confirmed', async () => {
  mount();

  await press(`New secret for ${URL}`);
  await userEvent.click(dialog().getByRole('button', { name: 'Cancel' }));
  expect(sentTo('rotate-webhook-secret')).toEqual([]);
  await press(`New secret for ${URL}`);
  await userEvent.click(dialog().getByRole('button', { name: 'Create secret' }));
  await screen.findByText(SECRET);
  await press('I have saved it');

  await press(`Delete ${URL}`);
  rows = [];
  await userEvent.click(dialog().getByRole('button', { name: 'Delete' }));
  await vi.waitFor(() => expect(sentTo('remove-webhook')).toEqual([{ id: id(1) }]));
  await screen.findByText('No webhook yet');
});

test('reports a failed load, and loads again', async () => {
  backend.on('GET /rest/v1/webhook_endpoints', () => json({ message: 'broken' }, 500));
  mount();
  await screen.findByText('We couldn’t load your webhooks');

  backend.on('GET /rest/v1/webhook_endpoints', () => json(rows));
  await press('Retry');
  expect(await list()).toHaveLength(1);
});

test.each([
  [{ state: 'paused', pause_reason: 'owner' }, 'Paused', 'You paused it.'],
  [{ state: 'paused', pause_reason: 'closed', failing_since: '2026-11-21T10:00:00+00:00' }, 'Paused', 'answered 410'],
  [{ failing_since: '2026-11-21T10:00:00+00:00' }, 'Failing', 'Failing since21 Nov 2026, 11:00'],
  [{ last_delivered_at: null }, '', 'Last deliverednever'],
  [{ dropped: 1 }, '', 'Dropped1 event'],
])('says of a webhook with %j what happened to it', async (change, badge, message) => {
  rows = [aRow(1, change)];
  mount();

  const [row] = await list();
  expect(row?.querySelector('p')?.textContent).toBe(`${URL}${badge}`);
  expect(row?.textContent).toContain(message);
  // A paused one sends nothing that could fail.
  expect(row?.textContent?.includes('Failing since')).toBe(badge === 'Failing');
});

test('says until when the former secret is valid, and no longer', async () => {
  const [past, future] = [-60_000, 3_600_000].map((ms) => new Date(Date.now() + ms).toISOString());
  rows = [aRow(1, { former_until: past }), aRow(2, { former_until: future })];
  mount();

  const shown = (await list()).map(({ textContent }) => textContent?.includes('Former secret until'));
  expect(shown).toEqual([false, true]);
});

test('changes the address and the events of one, and shows no secret', async () => {
  rows = [aRow(1, { events: ['alert.created', 'prediction.created'] })];
  mount();
  await press(`Change ${URL}`);
  const address = dialog().getByLabelText('Address');
  expect(address).toHaveProperty('value', URL);
  await userEvent.click(dialog().getByLabelText('An alert fires'));
  await userEvent.type(address, '/2');
  await userEvent.click(dialog().getByRole('button', { name: 'Save' }));

  await screen.findByText('Webhook saved');
  expect(sentTo('update-webhook')).toEqual([{ id: id(1), url: `${URL}/2`, events: ['prediction.created'] }]);
  expect(screen.queryByText('We only show it once.')).toBeNull();
});

test('saves none without an event', async () => {
  mount();
  await press(`Change ${URL}`);
  await userEvent.click(dialog().getByLabelText('An alert fires'));
  await userEvent.click(dialog().getByRole('button', { name: 'Save' }));

  expect(await alertText()).toContain('Choose at least one event.');
  expect(sentTo('update-webhook')).toEqual([]);
});

test('takes no more than five', async () => {
  rows = [1, 2, 3, 4, 5].map((digit) => aRow(digit));
  mount();

  await screen.findByText(/^You have 5 webhooks, the most you can have\./);
  expect(screen.getByRole('button', { name: 'Add webhook' })).toHaveProperty('disabled', true);
});

test.each([
  ['Pause', 'set-webhook-state'],
  ['Send test', 'send-test-webhook'],
])('says beside the webhook that “%s” failed', async (name, call) => {
  backend.on(`POST /functions/v1/${call}`, () => json({ ok: false, reason: 'request/too-many', message: 'no' }));
  mount();
  await press(name);

  expect(await alertText()).toContain('wait a while');
  expect(screen.queryByText(/^(Webhook paused|Test queued)$/)).toBeNull();
});

test('reports a log that does not load, loads it again, and says that nothing was sent yet', async () => {
  backend.on('GET /rest/v1/webhook_deliveries', () => json({ message: 'broken' }, 500));
  mount();
  await press('Show log');
  await screen.findByText('We couldn’t load the log');

  backend.on('GET /rest/v1/webhook_deliveries', () => json([]));
  await press('Retry');
  await screen.findByText('Nothing was sent yet.');
  await press('Hide log');
  expect(screen.queryByText('Nothing was sent yet.')).toBeNull();
});
