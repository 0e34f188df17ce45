import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test, vi } from 'vitest';
import { NO_ENTITLEMENT } from '#domain/billing/entitlement.ts';
import { MODEL_NAMES } from '#domain/forecast/models.ts';
import { publicConfig } from '../../platform/config.ts';
import { CONFIG } from '../../platform/testing/fake-backend.ts';
import { type EntitlementState, useEntitlement } from '../../session/entitlement.ts';
import { PlanPanel } from './plan-panel.tsx';

vi.mock('../../platform/config.ts', () => ({ publicConfig: vi.fn() }));
vi.mock('../../session/entitlement.ts', () => ({ useEntitlement: vi.fn() }));

function show(known: Partial<EntitlementState>) {
  vi.mocked(publicConfig).mockResolvedValue(CONFIG);
  vi.mocked(useEntitlement).mockReturnValue({
    isLoading: false,
    hasFailed: false,
    entitlement: NO_ENTITLEMENT,
    profile: null,
    subscription: null,
    nowS: 0,
    refetch() {},
    ...known,
  });
  render(
    <QueryClientProvider client={new QueryClient()}>
      <PlanPanel />
    </QueryClientProvider>,
  );
}

test('the plan lists its models and says which of them are not trained yet', async () => {
  show({ entitlement: { plan: 'lion', isAdmin: false, models: MODEL_NAMES } });

  await screen.findAllByText('not trained yet');
  expect(screen.getAllByRole('listitem').map((item) => item.textContent)).toEqual([
    'Bobcat (Kat 1)',
    'Panther (Kat 2.2)not trained yet',
    'Lion (Kat 2.4)not trained yet',
  ]);
});

test('a plan that cannot be read is not passed off as the free one, and can be asked for again', async () => {
  const refetch = vi.fn();
  show({ hasFailed: true, refetch });
  expect(screen.getByRole('alert').textContent).toContain('Your plan could not be loaded');
  expect(screen.queryByText('Free')).toBeNull();

  await userEvent.click(screen.getByRole('button', { name: 'Retry' }));

  expect(refetch).toHaveBeenCalledOnce();
});

test('where the role alone decides, no plan is missed', () => {
  show({ hasFailed: true, entitlement: { plan: 'free', isAdmin: true, models: MODEL_NAMES } });

  expect(screen.getByText('Admin')).toBeDefined();
  expect(screen.queryByRole('alert')).toBeNull();
});
