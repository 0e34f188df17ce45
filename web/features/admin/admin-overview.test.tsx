import { act, screen, within } from '@testing-library/react';
import { beforeEach, expect, test, vi } from 'vitest';
import { json } from '../../platform/testing/fake-backend.ts';
import { toggleUtc } from '../../ui/browser/time-zone.ts';
import { toast } from '../../ui/overlay/toast.ts';
import {
  type AdminServer,
  adminServer,
  button,
  cells,
  counted,
  events,
  fact,
  headings,
  loaded,
  names,
  show,
  soon,
} from './testing/admin-screen.tsx';

let server: AdminServer;

beforeEach(() => {
  server = adminServer();
});

test('shows what was loaded in cards, charts and rows, and toasts once', async () => {
  toggleUtc();
  show();
  await loaded();

  expect(fact('Total Paid Users')).toBe('2');
  expect(fact('Lion')).toBe('1');
  expect(fact('Bobcat')).toBe('1');
  expect(fact('Active Users')).toBe('1');
  expect(fact('Canceling Users')).toBe('1');
  expect(fact('Most Recent Paid Sub')).toBe('30 Oct 2026');
  expect(headings()).toEqual(['Paid Plan Mix', 'User Quotas', 'Predictions per Day', 'Renewals ($69.99)', 'Users']);
  await soon(() => expect(cells('Ada Lovelace')[4]).toMatch(/^\d\d$/));
  expect(cells('Ada Lovelace').toSpliced(4, 1).join('|')).toBe(
    'A|Ada Lovelace|ada@example.com|Lion $69.99|3d 0h 0m|Active|Europe/London|1 Feb 2025|-',
  );
  expect(cells('bob')[6]).toBe('Cancels on 29 Nov 2026');
  expect(cells('Cy')[3]).toBe('Free');
  await soon(() =>
    expect(
      vi
        .mocked(toast.success)
        .mock.calls.map(([text]) => text)
        .sort(),
    ).toEqual(['Loaded 2 days of prediction stats', 'Loaded 4 users']),
  );
  expect(toast.error).not.toHaveBeenCalled();
});

test('updates the time left by the clock every 60 seconds', async () => {
  show();
  await loaded();
  expect(cells('Ada Lovelace')[5]).toBe('3d 0h 0m');

  await act(() => vi.advanceTimersByTimeAsync(60_000));

  expect(cells('Ada Lovelace')[5]).toBe('2d 23h 59m');
});

test('shows ten columns', async () => {
  show();
  await loaded();

  const headers = [...document.querySelectorAll('thead th')].map((header) => header.textContent);
  expect(headers.map((text) => text.replace(/[▲▼ ]+$/, ''))).toEqual([
    ...['Avatar', 'Name', 'Email', 'Plan', 'Monthly Quota', 'Time Left'],
    ...['Status', 'Timezone', 'Joined', 'Last Activity'],
  ]);
});

test('draws pictures with the specified heights', async () => {
  show();
  await loaded();
  const heightOf = (name: string) => document.querySelector(`svg[aria-label^="${name}"]`)?.getAttribute('height');
  await soon(() =>
    expect(['Paid Plan Mix', 'User Quotas', 'Predictions per Day', 'Renewals'].map(heightOf)).toEqual([
      '260',
      '260',
      '300',
      '300',
    ]),
  );
});

const noNetwork = () => Promise.reject(new TypeError('Failed to fetch'));

test.each([
  ['the list', 'admin_list_users', noNetwork, 'Failed to load users'],
  ['the quotas', 'admin_remaining_monthly', noNetwork, 'Failed to load user quotas'],
  [
    'the scatter',
    'admin_scatter_quota',
    () => json({ code: '57014', message: 'statement timeout' }, 500),
    'statement timeout',
  ],
  ['the days', 'get_predictions_per_day', noNetwork, 'Failed to load predictions per day'],
  ['no days at all', 'get_predictions_per_day', () => json([]), 'No prediction data found'],
])('reports a failure of %s once', async (_what, procedure, respond, message) => {
  server.procedure(procedure, respond);
  show();

  await soon(() => expect(toast.error).toHaveBeenCalledExactlyOnceWith(message));
});

test.each([
  ['Paid Plan Mix', 'admin_summary'],
  ['Renewals', 'admin_renewals'],
])('reports a failed count in %s and loads it again', async (heading, procedure) => {
  server.procedure(procedure, noNetwork);
  show();
  const panel = await screen.findByRole('region', { name: heading });
  const retry = await within(panel).findByText('Retry');
  const before = server.calls(procedure).length;

  await events.click(retry);

  await soon(() => expect(server.calls(procedure).length).toBeGreaterThan(before));
  expect(names()).toHaveLength(4);
});

test('loads a list that failed again', async () => {
  server.procedure('admin_list_users', () => json({ code: '42501', message: 'Not authorized.' }, 403));
  show();
  const panel = await screen.findByRole('region', { name: 'Users' });
  const retry = await within(panel).findByText('Retry');

  server.procedure('admin_list_users', () => counted(server.users, 0, server.users.length));
  await events.click(retry);

  await loaded();
});

test('says so for days without a prediction', async () => {
  server.procedure('get_predictions_per_day', () => json([{ day: '2026-11-20', total: 0 }]));
  show();

  expect(await screen.findByText('No predictions in the selected range.')).toBeDefined();
});

test('reports the figures of a bulk verification, and loads the list and the counts again', async () => {
  show();
  await loaded();

  await events.click(button('Bulk verify'));

  await soon(() => expect(toast.success).toHaveBeenCalledWith('Verified 2 updated / 9 checked'));
  await soon(() => expect(server.pages()).toHaveLength(2));
  await soon(() => expect(server.calls('admin_summary')).toHaveLength(2));
  expect(server.to('/functions/v1/admin-verify-subscriptions')).toHaveLength(1);
});

test('reports why a bulk verification fails', async () => {
  server.fn('admin-verify-subscriptions', noNetwork);
  show();
  await loaded();

  await events.click(button('Bulk verify'));

  await soon(() => expect(toast.error).toHaveBeenCalledWith('Bulk verify failed'));
  await soon(() => expect(server.errors().map(({ error_message }) => error_message)).toContain('Bulk verify failed'));
});
