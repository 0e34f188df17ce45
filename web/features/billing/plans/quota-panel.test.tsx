import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test } from 'vitest';
import { json } from '../../../platform/testing/fake-backend.ts';
import { aRow, billingServer } from '../testing/fake-billing-server.tsx';
import { QuotaPanel } from './quota-panel.tsx';

/** Null: the plan cannot be read. */
function serve(plan: 'bobcat' | 'free' | null, quota: object) {
  const server = billingServer(plan === 'bobcat' ? aRow() : null, { payments: 'none' });
  server.answer('get-quota', { ok: true, ...quota });
  if (plan === null) server.on('GET /rest/v1/stripe_user_subscriptions', () => json({ message: 'broken' }, 500));
  return server;
}

function show() {
  render(
    <QueryClientProvider client={new QueryClient({ defaultOptions: { queries: { retry: false } } })}>
      <QuotaPanel upgrade={<a href="/account/subscription">See the plans</a>} />
    </QueryClientProvider>,
  );
}

test('reports a quota that does not load, promises nothing, and loads again', async () => {
  const server = serve('bobcat', {});
  server.on('POST /functions/v1/get-quota', () => Promise.reject(new TypeError('Failed to fetch')));
  show();
  expect((await screen.findByRole('alert')).textContent).toBe('Failed to load quotaYour predictions still work.Retry');

  server.answer('get-quota', { ok: true, remaining_daily: 7, remaining_monthly: 41 });
  await userEvent.click(screen.getByRole('button', { name: 'Retry' }));

  expect(await screen.findByText('41')).toBeDefined();
});

test('leads from the free plan to the plans instead of showing none left of none', async () => {
  serve('free', { remaining_daily: 0, remaining_monthly: 0 });
  show();

  expect(await screen.findByText('The free plan includes no predictions.')).toBeDefined();
  expect(screen.getByRole('link', { name: 'See the plans' })).toBeDefined();
  expect(screen.queryByRole('meter')).toBeNull();
});

test('says so for a plan without a limit, beside one with a limit', async () => {
  serve('bobcat', { remaining_daily: -1, remaining_monthly: 41 });
  show();

  expect(await screen.findByText('Unlimited')).toBeDefined();
  expect(screen.getByText('41')).toBeDefined();
  expect(screen.getAllByRole('meter')).toHaveLength(1);
});

test('shows what is left without a total where the plan did not load', async () => {
  serve(null, { remaining_daily: 7, remaining_monthly: 41 });
  show();

  expect(await screen.findByText('41')).toBeDefined();
  expect(screen.queryByText(/of 0/)).toBeNull();
});
