import { screen, within } from '@testing-library/react';
import { beforeEach, expect, test, vi } from 'vitest';
import { toast } from '../../ui/toast.ts';
import { button, called, cells, events, fact, headings, loaded, prepareScreen, show, soon } from './admin-screen.tsx';

vi.mock('./admin-api.ts', async (original) => ({
  ...(await original<typeof import('./admin-api.ts')>()),
  adminSettings: vi.fn(),
  fetchUserPage: vi.fn(),
  fetchUserQuotas: vi.fn(),
  fetchQuotaPoints: vi.fn(),
  fetchDayTotals: vi.fn(),
  fetchSummary: vi.fn(),
  fetchRenewals: vi.fn(),
  fetchUserPredictions: vi.fn(),
  verifySubscriptions: vi.fn(),
}));
beforeEach(prepareScreen);

test('cards, charts and rows tell what was loaded, and toasts say so once', async () => {
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
    expect(vi.mocked(toast.success).mock.calls.flat().sort()).toEqual([
      'Loaded 2 days of prediction stats',
      'Loaded 4 users',
    ]),
  );
  expect(toast.error).not.toHaveBeenCalled();
});

test('the pictures have the specified heights', async () => {
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

test.each([
  ['the list', () => called.fetchUserPage.mockRejectedValue(new Error('Failed to load users')), 'Failed to load users'],
  [
    'the quotas',
    () => called.fetchUserQuotas.mockRejectedValue(new Error('Failed to load user quotas')),
    'Failed to load user quotas',
  ],
  ['the scatter', () => called.fetchQuotaPoints.mockRejectedValue(new Error('statement timeout')), 'statement timeout'],
  [
    'the days',
    () => called.fetchDayTotals.mockRejectedValue(new Error('Failed to load predictions per day')),
    'Failed to load predictions per day',
  ],
  ['no days at all', () => called.fetchDayTotals.mockResolvedValue([]), 'No prediction data found'],
])('a failure of %s is told once', async (_what, fail, message) => {
  fail();
  show();

  await soon(() => expect(toast.error).toHaveBeenCalledExactlyOnceWith(message));
});

test.each(['Paid Plan Mix', 'Renewals', 'Users'])('a list that failed is tried again from %s', async (heading) => {
  called.fetchUserPage.mockRejectedValueOnce(new Error('Not authorized.'));
  show();
  const panel = await screen.findByRole('region', { name: heading });

  await events.click(await within(panel).findByText('Retry'));

  await loaded();
});

test('days without a prediction say so', async () => {
  called.fetchDayTotals.mockResolvedValue([{ day: '2026-11-20', total: 0 }]);
  show();

  expect(await screen.findByText('No predictions in the selected range.')).toBeDefined();
});

test('bulk verify tells its figures and loads the list anew', async () => {
  show();
  await loaded();

  await events.click(button('Bulk verify'));

  await soon(() => expect(toast.success).toHaveBeenCalledWith('Verified 2 updated / 9 checked'));
  await soon(() => expect(called.fetchUserPage).toHaveBeenCalledTimes(2));
});

test('bulk verify that fails says why', async () => {
  called.verifySubscriptions.mockRejectedValue(new Error('Bulk verify failed'));
  show();
  await loaded();

  await events.click(button('Bulk verify'));

  await soon(() => expect(toast.error).toHaveBeenCalledWith('Bulk verify failed'));
});
