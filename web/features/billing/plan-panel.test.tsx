import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { render, screen } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { MODEL_NAMES } from '#domain/forecast/models.ts';
import { publicConfig } from '../../platform/config.ts';
import { CONFIG } from '../../platform/testing/fake-backend.ts';
import { useEntitlement } from '../../session/entitlement.ts';
import { PlanPanel } from './plan-panel.tsx';

vi.mock('../../platform/config.ts', () => ({ publicConfig: vi.fn() }));
vi.mock('../../session/entitlement.ts', () => ({ useEntitlement: vi.fn() }));

test('the plan lists its models and says which of them are not trained yet', async () => {
  vi.mocked(publicConfig).mockResolvedValue(CONFIG);
  vi.mocked(useEntitlement).mockReturnValue({
    isLoading: false,
    entitlement: { plan: 'lion', isAdmin: false, models: MODEL_NAMES },
    profile: null,
    subscription: null,
    nowS: 0,
    refetch() {},
  });

  render(
    <QueryClientProvider client={new QueryClient()}>
      <PlanPanel />
    </QueryClientProvider>,
  );

  await screen.findAllByText('not trained yet');
  expect(screen.getAllByRole('listitem').map((item) => item.textContent)).toEqual([
    'Bobcat (Kat 1)',
    'Panther (Kat 2.2)not trained yet',
    'Lion (Kat 2.4)not trained yet',
  ]);
});
