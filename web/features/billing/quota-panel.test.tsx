import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test, vi } from 'vitest';
import { callFunction } from '../../platform/functions.ts';
import { QuotaPanel } from './quota-panel.tsx';

const user = { id: 'u1', email: 'a@example.com', emailConfirmed: true, fullName: null, createdAt: '2026-01-01' };
vi.mock('../../platform/functions.ts', () => ({ callFunction: vi.fn() }));
vi.mock('../../session/session.ts', () => ({ useSession: () => ({ initialized: true, user }) }));
vi.mock('../../session/entitlement.ts', () => ({
  useEntitlement: () => ({
    isLoading: false,
    profile: null,
    entitlement: { plan: 'bobcat', isAdmin: false, models: ['bobcat'] },
  }),
}));

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
