/** What the subscription page shows: each state of a subscription as text, and a button for each plan. */
import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test } from 'vitest';
import { subscriptionState } from '#domain/billing/subscription-state.ts';
import { queryClient } from '../../platform/query-client.ts';
import { json } from '../../platform/testing/fake-backend.ts';
import { endDay } from './subscription/subscription-messages.ts';
import { aLion, aRow, billingServer, current, mountPage, planButton, plans } from './testing/fake-billing-server.tsx';

const HOUR_S = 3600;
const DAY_S = 24 * HOUR_S;
const nowS = () => Math.floor(Date.now() / 1000);

test('shows a paid plan: price, Active, renewal date, its card, and what kind of payments these are', async () => {
  billingServer(aRow());
  mountPage();
  await plans();

  const card = current();
  expect(card.getByText('Bobcat')).toBeDefined();
  expect(card.getByText('$29.99 per month')).toBeDefined();
  expect(card.getByText('Active')).toBeDefined();
  expect(card.getByText('Renews in')).toBeDefined();
  expect(card.getByText('20 days')).toBeDefined();
  expect((await card.findByText(/expires 04\/34/)).parentElement?.textContent).toBe(
    'Visa ending in 4242, expires 04/34',
  );
  expect(card.getByText('Test payments – no real money')).toBeDefined();
});

test('shows each plan with a heading, a price, its features and exactly one button, disabled for the current one', async () => {
  billingServer(aRow());
  mountPage();

  const { free, bobcat, lion } = await plans();
  expect([free, bobcat, lion].map((card) => within(card).getAllByRole('button').length)).toEqual([1, 1, 1]);
  expect(bobcat.textContent).toContain('$29.99 per month');
  expect(lion.textContent).toContain('15 predictions a day, 300 a month');
  const button = within(bobcat).getByRole<HTMLButtonElement>('button', { name: 'Current plan' });
  expect(button.disabled).toBe(true);
  expect(within(lion).getByRole<HTMLButtonElement>('button', { name: 'Upgrade to Lion' }).disabled).toBe(false);
});

test('shows Free and Inactive without a subscription, nothing to cancel, and both plans for sale', async () => {
  billingServer(null);
  mountPage();

  expect((await planButton('free')).textContent).toBe('Current plan');
  expect((await planButton('bobcat')).textContent).toBe('Subscribe to Bobcat');
  expect(current().getByText('Inactive')).toBeDefined();
  expect(screen.queryByText(/(Renews|Expires) in/)).toBeNull();
  expect(screen.queryByRole('button', { name: /Cancel subscription|Manage billing/ })).toBeNull();
});

test('shows a pending cancellation, which can be undone and blocks another plan', async () => {
  billingServer(aRow({ cancel_at_period_end: true }));
  mountPage();

  const upgrade = await planButton('lion');
  expect(upgrade).toHaveProperty('disabled', true);
  const why = document.getElementById(upgrade.getAttribute('aria-describedby') ?? '');
  expect(why?.textContent).toBe('Your subscription is set to end. Undo the cancellation first.');
  expect(current().getByText('Cancels at period end')).toBeDefined();
  expect(current().getByText('Expires in')).toBeDefined();
  expect(current().getByRole('button', { name: 'Undo Cancel' }).title).toBe('Keep Plan');
  expect(screen.queryByRole('button', { name: 'Cancel subscription' })).toBeNull();
});

test('shows the plan, price and date of a scheduled downgrade', async () => {
  const row = aLion({ pending_price_id: 'price_bobcat', current_period_end: nowS() + 30 * HOUR_S });
  billingServer(row);
  mountPage();

  expect(await planButton('bobcat')).toHaveProperty('disabled', true);
  const day = endDay(subscriptionState(row, new Map(), nowS()), 'Africa/Lagos');
  expect(current().getByText('Downgrade Scheduled')).toBeDefined();
  expect(
    await current().findByText(`Your plan is Bobcat, $29.99 per month, from ${day}. Until then you keep Lion.`),
  ).toBeDefined();
  expect(current().getByText('Renews in')).toBeDefined();
});

test.each([
  ['past due', aRow({ status: 'past_due' }), 'Active', 'Payment failed', 'Pay now'],
  ['unpaid', aRow({ status: 'unpaid' }), 'Inactive', 'Payment failed', 'Pay now'],
  ['paused', aRow({ status: 'paused' }), 'Inactive', 'Paused', null],
  ['a price that maps to no plan', aRow({ price_id: 'price_x' }), 'Active', 'A plan that isn’t sold here', null],
  [
    'ended, in its grace',
    aRow({ status: 'canceled', current_period_end: nowS() - HOUR_S }),
    'Active',
    'Subscription ended',
    null,
  ],
  [
    'a renewal that is hours late',
    aRow({ current_period_end: nowS() - 3 * HOUR_S }),
    'Active',
    'Renewal in progress',
    null,
  ],
  ['on trial', aRow({ status: 'trialing' }), 'Active', 'Trial', null],
])('shows the state of the subscription: %s', async (_what, row, status, title, action) => {
  billingServer(row);
  mountPage();
  await plans();

  expect(current().getByText(status)).toBeDefined();
  expect(current().getByText(title)).toBeDefined();
  if (action !== null) expect(current().getByRole('button', { name: action })).toBeDefined();
  else expect(current().queryByRole('button', { name: 'Pay now' })).toBeNull();
});

test('counts an ended plan as no plan, and shows when it ended', async () => {
  billingServer(aRow({ status: 'canceled', current_period_end: Date.UTC(2026, 0, 2, 23, 30) / 1000 }));
  mountPage();

  expect((await planButton('bobcat')).textContent).toBe('Subscribe to Bobcat');
  expect(await current().findByText(/^Bobcat ended on 3 Jan 2026\./)).toBeDefined();
});

test('disables every button where no payments are taken, and says so', async () => {
  billingServer(aRow(), { payments: 'none' });
  mountPage();

  for (const plan of ['free', 'lion'] as const) {
    const button = await planButton(plan);
    expect(button).toHaveProperty('disabled', true);
    const why = document.getElementById(button.getAttribute('aria-describedby') ?? '');
    expect(why?.textContent).toBe('Payments are not set up on this site.');
  }
  expect(screen.queryByRole('button', { name: /Cancel subscription|Manage billing/ })).toBeNull();
});

test.each([
  ['past due', aRow({ status: 'past_due' })],
  ['unpaid', aRow({ status: 'unpaid' })],
  ['paused', aRow({ status: 'paused' })],
  ['a price that maps to no plan', aRow({ price_id: 'price_x' })],
  ['ended', aRow({ status: 'canceled', current_period_end: nowS() - 3 * HOUR_S })],
])('suggests no action without a button where no payments are taken: %s', async (_what, row) => {
  billingServer(row, { payments: 'none' });
  mountPage();
  await plans();

  expect(screen.getByRole('region', { name: 'Current subscription' }).textContent).not.toMatch(
    /Manage billing|Cancel it|Choose a plan|[Pp]ay /,
  );
});

test('says that a cancelled plan whose renewal is unpaid can be paid and can continue', async () => {
  const row = aRow({ status: 'past_due', cancel_at_period_end: true });
  billingServer(row);
  mountPage();
  await plans();

  const day = endDay(subscriptionState(row, new Map(), nowS()), 'Africa/Lagos');
  const notice = `The last payment for Bobcat didn’t go through. Your account moves to Free on ${day} or earlier. Pay the open invoice to keep Bobcat until that day.`;
  expect(await current().findByText(notice)).toBeDefined();
  for (const name of ['Pay now', 'Undo Cancel']) expect(current().getByRole('button', { name })).toBeDefined();
});

test('does not renew automatically what is unpaid or paused', async () => {
  billingServer(aRow({ status: 'paused', current_period_end: nowS() - DAY_S }));
  mountPage();
  await plans();

  expect(current().queryByText(/(Renews|Expires) in/)).toBeNull();
  expect(current().queryByText('Period')).toBeNull();
});

test('says that plan and quota do not bind an admin', async () => {
  const server = billingServer(null);
  server.on('GET /rest/v1/profiles', () => json({ id: 'x', role: 'admin', full_name: null, avatar_url: null }));
  mountPage();
  await plans();

  expect(await current().findByText('Admins have every model and no quota on any plan.')).toBeDefined();
  expect(current().queryByText(/Choose a plan to run/)).toBeNull();
});

test('names a model of a plan that cannot forecast yet before it is paid', async () => {
  billingServer(null);
  mountPage();

  const { lion, bobcat } = await plans();
  expect(lion.textContent).toContain('Panther (Kat 2.2): not trained yet. Lion (Kat 2.4): not trained yet.');
  expect(bobcat.textContent).not.toContain('not trained yet');
});

test('reports a subscription that does not load, sells nothing, and loads again', async () => {
  const server = billingServer(aRow());
  server.on('GET /rest/v1/stripe_user_subscriptions', () => json({ message: 'broken' }, 500));
  queryClient.setDefaultOptions({ queries: { retry: false } });
  mountPage();
  await screen.findByText('We couldn’t load your subscription');
  expect(screen.queryByRole('heading', { name: 'Plans' })).toBeNull();

  server.on('GET /rest/v1/stripe_user_subscriptions', () => json([aRow()]));
  await userEvent.click(screen.getByRole('button', { name: 'Retry' }));

  expect((await planButton('bobcat')).textContent).toBe('Current plan');
});

test('shows what another tab changed when this one returns, and updates plan and quota', async () => {
  const server = billingServer(aRow());
  mountPage();
  await plans();
  const quotaCalls = () => server.to('/functions/v1/get-quota').length;
  await waitFor(() => expect(quotaCalls()).toBe(1));

  server.row = aLion();
  window.dispatchEvent(new Event('focus'));

  await waitFor(() => expect(current().getByText('Lion')).toBeDefined());
  const row = queryClient.getQueryData<{ price_id: string }>(['subscription', '11111111-1111-4111-8111-111111111111']);
  expect(row?.price_id).toBe('price_lion');
  await waitFor(() => expect(quotaCalls()).toBe(2));
});
