import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test } from 'vitest';
import { json } from '../../../platform/testing/fake-backend.ts';
import { aLion, billingServer } from '../testing/fake-billing-server.tsx';
import { PlanPanel } from './plan-panel.tsx';

const SUBSCRIPTIONS = '/rest/v1/stripe_user_subscriptions';

function show() {
  render(
    <QueryClientProvider client={new QueryClient({ defaultOptions: { queries: { retry: false } } })}>
      <PlanPanel />
    </QueryClientProvider>,
  );
}

test('lists the plan’s models and says which of them are not trained yet', async () => {
  billingServer(aLion());
  show();

  await screen.findAllByText('not trained yet');
  expect(screen.getAllByRole('listitem').map((item) => item.textContent)).toEqual([
    'Bobcat (Kat 1)',
    'Panther (Kat 2.2)not trained yet',
    'Lion (Kat 2.4)not trained yet',
  ]);
});

test('does not pass a plan that fails to load off as the free one, and loads again', async () => {
  const server = billingServer(null);
  server.on(`GET ${SUBSCRIPTIONS}`, () => json({ message: 'broken' }, 500));
  show();
  expect((await screen.findByRole('alert')).textContent).toContain('We couldn’t load your plan');
  expect(screen.queryByText('Free')).toBeNull();
  expect(server.to(SUBSCRIPTIONS)).toHaveLength(1);

  server.on(`GET ${SUBSCRIPTIONS}`, () => json([aLion()]));
  await userEvent.click(screen.getByRole('button', { name: 'Retry' }));

  expect(await screen.findByText('Lion')).toBeDefined();
  expect(server.to(SUBSCRIPTIONS)).toHaveLength(2);
});

test('misses no plan where the role alone decides', async () => {
  const server = billingServer(null);
  server.on(`GET ${SUBSCRIPTIONS}`, () => json({ message: 'broken' }, 500));
  server.on('GET /rest/v1/profiles', () => json({ id: 'x', role: 'admin', full_name: null, avatar_url: null }));
  show();

  expect(await screen.findByText('Admin')).toBeDefined();
  expect(screen.queryByRole('alert')).toBeNull();
});
