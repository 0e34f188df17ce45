import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, expect, test, vi } from 'vitest';
import { callFunction } from '../../platform/functions.ts';
import { QuotaPanel } from './quota-panel.tsx';

const user = { id: 'u1', email: 'a@example.com', emailConfirmed: true, fullName: null, createdAt: '2026-01-01' };
vi.mock('../../platform/functions.ts', () => ({ callFunction: vi.fn() }));
vi.mock('../../session/session.ts', () => ({ useSession: () => ({ initialized: true, user }) }));
const BOBCAT = { hasFailed: false, entitlement: { plan: 'bobcat', isAdmin: false, models: ['bobcat'] } };
let known: { hasFailed: boolean; entitlement: { plan: string; isAdmin: boolean; models: string[] } } = BOBCAT;
vi.mock('../../session/entitlement.ts', () => ({
  useEntitlement: () => ({ isLoading: false, profile: null, ...known }),
}));
afterEach(() => {
  known = BOBCAT;
});

function show(quota: object) {
  vi.mocked(callFunction).mockResolvedValue({ ok: true, ...quota });
  render(
    <QueryClientProvider client={new QueryClient()}>
      <QuotaPanel upgrade={<a href="/account/subscription">See the plans</a>} />
    </QueryClientProvider>,
  );
}

test('a quota that cannot be loaded says so, promises nothing, and can be asked for again', async () => {
  vi.mocked(callFunction).mockRejectedValueOnce(new Error('offline'));
  render(
    <QueryClientProvider client={new QueryClient()}>
      <QuotaPanel />
    </QueryClientProvider>,
  );
  expect((await screen.findByRole('alert')).textContent).toBe(
    'Failed to load quotaHow many predictions are left is not known.Retry',
  );

  vi.mocked(callFunction).mockResolvedValue({ ok: true, remaining_daily: 7, remaining_monthly: 41 });
  await userEvent.click(screen.getByRole('button', { name: 'Retry' }));

  expect(await screen.findByText('41')).toBeDefined();
});

test('the free plan is not told as none left of none, but leads to the plans', async () => {
  known = { hasFailed: false, entitlement: { plan: 'free', isAdmin: false, models: [] } };
  show({ remaining_daily: 0, remaining_monthly: 0 });

  expect(await screen.findByText('The free plan includes no predictions.')).toBeDefined();
  expect(screen.getByRole('link', { name: 'See the plans' })).toBeDefined();
  expect(screen.queryByRole('meter')).toBeNull();
});

test('a plan without a limit says so, beside one with a limit', async () => {
  show({ remaining_daily: -1, remaining_monthly: 41 });

  expect(await screen.findByText('Unlimited')).toBeDefined();
  expect(screen.getByText('41')).toBeDefined();
  expect(screen.getAllByRole('meter')).toHaveLength(1);
});

test('where the plan could not be read, what is left is told without a total', async () => {
  known = { hasFailed: true, entitlement: { plan: 'free', isAdmin: false, models: [] } };
  show({ remaining_daily: 7, remaining_monthly: 41 });

  expect(await screen.findByText('41')).toBeDefined();
  expect(screen.queryByText(/of 0/)).toBeNull();
});
