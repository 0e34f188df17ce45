import { QueryClientProvider } from '@tanstack/react-query';
import { render, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test } from 'vitest';
import { attentionOf } from '#domain/operations/attention.ts';
import type { OperationsFacts, OperationsState } from '#domain/operations/operations-state.ts';
import { NOON_MS, someFacts } from '#domain/operations/testing/operations-fixtures.ts';
import { queryClient } from '../../platform/query-client.ts';
import { type FakeBackend, fakeBackend, json } from '../../platform/testing/fake-backend.ts';
import type { ErrorGroup } from './operations-api.ts';
import { OperationsView } from './operations-view.tsx';

const ISO = new Date(NOON_MS).toISOString();
const { payments } = someFacts();
const WITH_ALARM: Partial<OperationsFacts> = {
  payments: {
    ...payments,
    openAlarms: { count: 1, isMore: false },
    alarms: [{ id: 'a1', kind: 'dispute', subject: 'dp_1', count: 2, firstAtMs: NOON_MS, lastAtMs: NOON_MS }],
  },
};

function aState(changes: Partial<OperationsFacts> = {}): OperationsState {
  const facts = someFacts(changes);
  return { ok: true, ...facts, attention: attentionOf(facts) };
}

function aGroup(changes: Partial<ErrorGroup> = {}): ErrorGroup {
  return {
    fingerprint: 'f1',
    message: 'TypeError: row 17 is missing',
    count: 12,
    users: 1,
    first_at: ISO,
    last_at: ISO,
    page: '/kat',
    component: 'chart',
    is_partial: false,
    ...changes,
  };
}

const RPC = { groups: 'admin_error_groups', reports: 'admin_errors', audit: 'admin_audit_log' } as const;

let backend: FakeBackend;
const answerState = (changes: Partial<OperationsFacts> = {}) =>
  backend.fn('operations-state', () => json(aState(changes)));
const failState = () => backend.fn('operations-state', () => Promise.reject(new TypeError('Failed to fetch')));
const answerRows = (what: keyof typeof RPC, ...rows: object[]) =>
  backend.on(`POST /rest/v1/rpc/${RPC[what]}`, () => json(rows));
/** The arguments of each request. */
const bodiesOf = (what: keyof typeof RPC) => backend.to(`/rest/v1/rpc/${RPC[what]}`).map(({ body }) => body);

beforeEach(() => {
  queryClient.setDefaultOptions({ queries: { retry: false } });
  backend = fakeBackend();
  answerState();
  answerRows('groups', aGroup());
  answerRows('reports');
  answerRows('audit');
});

function show() {
  render(
    <QueryClientProvider client={queryClient}>
      <OperationsView />
    </QueryClientProvider>,
  );
}
const region = async (name: string) => within(await screen.findByRole('region', { name }));

test('says that nothing needs attention of a site that runs well', async () => {
  show();

  expect(await screen.findByText('Nothing needs attention.')).toBeDefined();
});

test('shows what is missing in the public record and how far it is sealed', async () => {
  show();

  const record = await region('Public record');
  const value = (name: string) => record.getByText(name).nextElementSibling?.textContent;
  expect(value('Issuing')).toBe('on');
  expect(['Issued', 'Missed', 'Scored', 'Void'].map((name) => value(`${name}, last 24 h`))).toEqual([
    '3,456',
    '24',
    '3,300',
    '12',
  ]);
  expect(value('Sealed up to')).toBe('1h ago');
  expect(value('Last signed day')).toBe('2026-11-19');
});

test('lists what needs attention first, with the kind that its paragraph has', async () => {
  answerState(WITH_ALARM);
  show();

  await screen.findByText('1 urgent');
  const attention = await region('Attention');
  expect(attention.getByRole('listitem').textContent).toBe('Urgent 1 billing alarm is open: dispute. billing-alarms');
});

test('reports an alarm that was handled to the server, and loads everything again', async () => {
  answerState(WITH_ALARM);
  backend.fn('operations-acknowledge-alarm', () => {
    answerState();
    return json({ ok: true });
  });
  show();

  await userEvent.click(await screen.findByRole('button', { name: 'Acknowledge dispute for dp_1' }));

  expect(await screen.findByText('Nothing needs attention.')).toBeDefined();
  expect(backend.to('/functions/v1/operations-acknowledge-alarm').map(({ body }) => body)).toEqual([{ id: 'a1' }]);
  expect(bodiesOf('audit')).toHaveLength(2);
});

test('searches errors once the typing rests, and says when there were more', async () => {
  answerRows('groups', aGroup({ is_partial: true }));
  show();
  const errors = await region('Page errors');
  expect(
    await errors.findByText('12 reports in 1 group. Only the newest reports are counted. There were more.'),
  ).toBeDefined();

  await userEvent.type(errors.getByLabelText('Search errors'), 'row 17');
  await userEvent.click(errors.getByRole('radio', { name: 'Week' }));

  await waitFor(() => expect(bodiesOf('groups').at(-1)).toEqual({ p_search: 'row 17', p_hours: 168 }));
  const searches = bodiesOf('groups').map((body) => (body as { p_search: string | null }).p_search);
  expect(new Set(searches)).toEqual(new Set([null, 'row 17']));
});

test('opens a group to its reports with their stacks, which load only then', async () => {
  answerRows('reports', {
    id: 7,
    received_at: ISO,
    message: 'TypeError: row 17 is missing',
    stack: 'at draw',
    page: '/kat',
    component: null,
    context: { n: 1 },
    user_id: null,
  });
  show();
  const head = await screen.findByRole('button', { name: /row 17 is missing/ });
  expect(head.getAttribute('aria-expanded')).toBe('false');
  expect(bodiesOf('reports')).toEqual([]);

  await userEvent.click(head);

  expect((await screen.findByRole('region', { name: 'Stack trace of report 7' })).textContent).toContain('at draw');
  expect(screen.getByText('visitor')).toBeDefined();
  expect(head.getAttribute('aria-expanded')).toBe('true');
  expect(bodiesOf('reports')).toEqual([{ p_fingerprint: 'f1' }]);
});

test('names who did what by address, by the command, or as a deleted account', async () => {
  const row = { at: ISO, action: 'role.grant', subject: 's', actor_id: null, actor_email: null };
  answerRows(
    'audit',
    { ...row, id: 3, actor_id: 'u1', actor_email: 'chief@example.com', details: { checked: 3 } },
    { ...row, id: 2, details: { by: 'command', after: 'admin' } },
    { ...row, id: 1, actor_id: 'u2', details: {} },
  );
  show();

  const audit = await region('Admin actions');
  await audit.findByRole('cell', { name: 'chief@example.com' });
  expect(audit.getByRole('cell', { name: 'checked: 3' })).toBeDefined();
  expect(audit.getByRole('cell', { name: 'operator command' })).toBeDefined();
  expect(audit.getByRole('cell', { name: 'u2 (account removed)' })).toBeDefined();
});

test('offers another try without an answer, and still shows the errors', async () => {
  failState();
  show();

  const attention = await region('Attention');
  await attention.findByText('We couldn’t load the site’s status');
  expect(await screen.findByRole('button', { name: /row 17 is missing/ })).toBeDefined();
  answerState();
  await userEvent.click(attention.getByRole('button', { name: 'Retry' }));
  expect(await screen.findByText('Nothing needs attention.')).toBeDefined();
});

test('keeps old figures, marked as old, when the server is unavailable later', async () => {
  show();
  await screen.findByText('Nothing needs attention.');
  failState();

  await queryClient.refetchQueries({ queryKey: ['operations', 'state'] });

  const attention = await region('Attention');
  expect(await attention.findByText(/We couldn’t reach the server\./)).toBeDefined();
  expect(screen.getByText('Nothing needs attention.').closest('.old-figures')).not.toBeNull();
  expect(screen.getByRole('region', { name: 'Jobs' }).closest('.old-figures')).not.toBeNull();
});
