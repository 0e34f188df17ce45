/** Shared by tests of the subscription page: the page with its providers, and a fake server whose row they set. */
import { QueryClientProvider } from '@tanstack/react-query';
import { render, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { MemoryRouter } from 'react-router';
import { aSubscription } from '#domain/billing/testing/subscription-fixtures.ts';
import { queryClient } from '../../../platform/query-client.ts';
import {
  CONFIG,
  type FakeBackend,
  fakeBackend,
  json,
  storeSession,
  USER,
} from '../../../platform/testing/fake-backend.ts';
import { Toaster } from '../../../ui/overlay/toaster.tsx';
import { SubscriptionManager } from '../subscription/subscription-manager.tsx';

type Row = ReturnType<typeof aSubscription>;

const DAY_S = 86_400;

/** A paid Bobcat that ends 20 days from now. */
export function aRow(change: Partial<Row> = {}): Row {
  const nowS = Math.floor(Date.now() / 1000);
  return aSubscription({
    current_period_start: nowS - 10 * DAY_S,
    current_period_end: nowS + 20 * DAY_S,
    ...change,
  });
}

export const aLion = (change: Partial<Row> = {}) => aRow({ price_id: 'price_lion', ...change });

/** The user's time zone is an hour ahead of UTC. */
const PROFILE = { id: USER.id, role: 'user', full_name: null, avatar_url: null, timezone: 'Africa/Lagos' };

export interface BillingServer extends FakeBackend {
  /** The caller's row; null: not a customer yet. */
  row: Row | null;
  /** Bodies sent to a server function, in order. */
  sentTo(name: string): unknown[];
  answer(name: string, body: unknown, status?: number): void;
}

export function billingServer(row: Row | null, config: Partial<typeof CONFIG> = {}): BillingServer {
  const backend = fakeBackend();
  const server: BillingServer = {
    ...backend,
    row,
    sentTo: (name) => backend.to(`/functions/v1/${name}`).map(({ body }) => body),
    answer: (name, body, status = 200) => backend.on(`POST /functions/v1/${name}`, () => json(body, status)),
  };
  const settings = { ...CONFIG, payments: 'sandbox' as const, paymentScript: '/payment-script.js', ...config };
  backend.on('GET /config.json', () => json(settings));
  backend.on('GET /rest/v1/stripe_user_subscriptions', () => json(server.row === null ? [] : [server.row]));
  backend.on('GET /rest/v1/payment_methods', () =>
    json([{ brand: 'visa', last4: '4242', exp_month: 4, exp_year: 2034 }]),
  );
  backend.on('GET /rest/v1/profiles', () => json(PROFILE));
  storeSession();
  return server;
}

export function mountPage() {
  return render(
    <QueryClientProvider client={queryClient}>
      <MemoryRouter>
        <SubscriptionManager userId={USER.id} />
        <Toaster />
      </MemoryRouter>
    </QueryClientProvider>,
  );
}

/** Resolves once the subscription is shown. */
export async function plans(): Promise<Record<'free' | 'bobcat' | 'lion', HTMLElement>> {
  const cardOf = (name: string) => {
    const card = screen.getByRole('heading', { level: 3, name }).closest('li');
    if (card === null) throw new Error(`${name} has no card.`);
    return card;
  };
  await screen.findByRole('heading', { level: 2, name: 'Plans' });
  return { free: cardOf('Free'), bobcat: cardOf('Bobcat'), lion: cardOf('Lion') };
}

/** The only button of a plan's card. */
export async function planButton(plan: 'free' | 'bobcat' | 'lion'): Promise<HTMLElement> {
  return within((await plans())[plan]).getByRole('button');
}

export const current = () => within(screen.getByRole('region', { name: 'Current subscription' }));
export const dialog = () => within(screen.getByRole('dialog'));
export const press = async (name: string) => userEvent.click(await screen.findByRole('button', { name }));
export const confirm = (name: string) => userEvent.click(dialog().getByRole('button', { name }));
export const alertText = async () => (await screen.findByRole('alert')).textContent;
