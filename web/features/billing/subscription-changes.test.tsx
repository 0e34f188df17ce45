/** Changing, ending and resuming a subscription on its page: requests, messages and refusals. */
import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test } from 'vitest';
import { queryClient } from '../../platform/query-client.ts';
import { json } from '../../platform/testing/fake-backend.ts';
import { fakeLocation } from '../../platform/testing/fake-location.ts';
import {
  aLion,
  alertText,
  aRow,
  billingServer,
  confirm,
  current,
  dialog,
  mountPage,
  planButton,
  press,
} from './testing/fake-billing-server.tsx';

let browser: ReturnType<typeof fakeLocation>;

beforeEach(() => {
  browser = fakeLocation();
});

const HERE = window.location.origin;
const REFUSAL = { ok: false, error: 'This plan isn’t on sale.', reason: 'This plan isn’t on sale.' };

test.each([
  ['its own field', { amount_due: 2667, currency: 'usd', proration_date: 1 }],
  ['an invoice', { invoice: { amount_due: 2667 } }],
  ['a preview', { preview: { amount_due: 2667 } }],
])('shows what an upgrade costs now and what it saves, in %s', async (_where, answer) => {
  const server = billingServer(aRow());
  server.answer('preview-invoice', answer);
  mountPage();

  await press('Upgrade to Lion');

  expect((await dialog().findByText('$26.67')).previousSibling?.textContent).toBe('Due now');
  expect(dialog().getByText('$43.32 (62%)')).toBeDefined();
  expect(server.sentTo('preview-invoice')).toEqual([{ subscription_id: 'sub_1', new_price_id: 'price_lion' }]);
  expect(server.sentTo('update-subscription')).toEqual([]);
});

test('sends a confirmed upgrade once, confirms it, and updates everything that shows the plan', async () => {
  const server = billingServer(aRow());
  server.answer('preview-invoice', { amount_due: 2667 });
  server.on('POST /functions/v1/update-subscription', () => {
    server.row = aLion();
    return json({ ok: true, subscription: server.row });
  });
  mountPage();
  await press('Upgrade to Lion');
  await dialog().findByText('$26.67');
  const quotaCalls = server.to('/functions/v1/get-quota').length;

  await userEvent.dblClick(dialog().getByRole('button', { name: 'Upgrade to Lion' }));

  await screen.findByText('Subscription updated successfully');
  expect(server.sentTo('update-subscription')).toEqual([{ subscription_id: 'sub_1', new_price_id: 'price_lion' }]);
  expect(current().getByText('Lion')).toBeDefined();
  expect((await planButton('lion')).textContent).toBe('Current plan');
  expect(screen.queryByRole('dialog', { hidden: false, name: 'Upgrade to Lion?' })).toBeNull();
  expect(document.activeElement?.textContent).toContain('$69.99 per month');
  await waitFor(() => expect(server.to('/functions/v1/get-quota').length).toBeGreaterThan(quotaCalls));
  const row = queryClient.getQueryData<{ price_id: string }>(['subscription', '11111111-1111-4111-8111-111111111111']);
  expect(row?.price_id).toBe('price_lion');
});

test('hides an amount that does not load, and still lets the upgrade be confirmed', async () => {
  const server = billingServer(aRow());
  server.answer('preview-invoice', { code: 'billing/provider-unavailable', error: 'away' }, 503);
  server.answer('update-subscription', { ok: true });
  mountPage();
  await press('Upgrade to Lion');

  const button = dialog().getByRole('button', { name: 'Upgrade to Lion' });
  await waitFor(() => expect(button).toHaveProperty('disabled', false));
  expect(dialog().queryByText('Due now')).toBeNull();
  expect(dialog().queryByText(/You save/)).toBeNull();
  await userEvent.click(button);

  await screen.findByText('Subscription updated successfully');
});

test('leads to the payment page for an upgrade that has to be paid or confirmed', async () => {
  const server = billingServer(aRow());
  server.answer('preview-invoice', { amount_due: 1 });
  server.answer('update-subscription', { ok: true, redirect_url: 'https://invoice.stripe.com/i/1' });
  mountPage();
  await press('Upgrade to Lion');
  await dialog().findByText('Due now');

  await confirm('Upgrade to Lion');

  await waitFor(() => expect(browser.assign).toHaveBeenCalledWith('https://invoice.stripe.com/i/1'));
  expect(screen.queryByText('Subscription updated successfully')).toBeNull();
});

test.each([
  ['a refusal', 200, REFUSAL, 'Failed to change subscriptionThis plan isn’t on sale.'],
  ['a fault of the server', 500, {}, 'Failed to change subscriptionSomething went wrong on our side.'],
  ['a page of another site', 200, { redirect_url: 'https://evil.example' }, 'Failed to change subscription'],
  ['an answer that says no', 200, { ok: false }, 'Failed to change subscription'],
])('reports %s of a change in its dialog, which stays open', async (_what, status, answer, message) => {
  const server = billingServer(aLion());
  server.answer('update-subscription', answer, status);
  mountPage();
  await press('Downgrade to Bobcat');

  await confirm('Downgrade to Bobcat');

  expect(await dialog().findByRole('alert')).toHaveProperty('textContent', message);
  expect(screen.getAllByRole('alert')).toHaveLength(1);
  expect(browser.assign).not.toHaveBeenCalled();
  await waitFor(() => expect(server.requests.some(({ path }) => path === '/rest/v1/error_logs')).toBe(true));
});

test('lists what a downgrade loses, schedules it, and can undo it', async () => {
  const server = billingServer(aLion());
  server.on('POST /functions/v1/update-subscription', ({ body }) => {
    const isUndo = JSON.stringify(body).includes('price_lion');
    server.row = aLion({ pending_price_id: isUndo ? null : 'price_bobcat' });
    return json({ ok: true, subscription: server.row });
  });
  mountPage();
  await press('Downgrade to Bobcat');
  const lost = dialog()
    .getAllByRole('listitem')
    .map(({ textContent }) => textContent);
  expect(lost).toContain('Panther (Kat 2.2) model');
  expect(lost).not.toContain('Bobcat (Kat 1) model');
  dialog().getByText('15 a day becomes 10, 300 a month becomes 60');

  await confirm('Downgrade to Bobcat');
  await current().findByText('Downgrade Scheduled');
  await screen.findByText('Subscription updated successfully');

  await press('Undo Downgrade');
  await waitFor(() => expect(current().queryByText('Downgrade Scheduled')).toBeNull());
  expect(server.sentTo('update-subscription')).toEqual([
    { subscription_id: 'sub_1', new_price_id: 'price_bobcat' },
    { subscription_id: 'sub_1', new_price_id: 'price_lion' },
  ]);
});

test.each(['Cancel subscription', 'Switch to Free'])(
  'confirms %s first, and sends nothing on Keep Plan',
  async (name) => {
    const server = billingServer(aRow());
    mountPage();
    await press(name);
    expect(document.activeElement).toBe(dialog().getByRole('button', { name: 'Keep Plan' }));
    expect(dialog().getByText('10 predictions a day, 60 a month')).toBeDefined();

    await confirm('Keep Plan');

    expect(server.sentTo('cancel-subscription')).toEqual([]);
    expect(screen.queryByRole('button', { name: 'Keep Plan' })).toBeNull();
  },
);

test.each([
  [{ ok: true }, 'Cancellation scheduled for period end'],
  [{ ok: true, already_set: true }, 'Cancellation already scheduled for period end'],
])('sends a cancellation once, sees it in the row, and reloads the page: %o', async (answer, message) => {
  const server = billingServer(aRow());
  server.on('POST /functions/v1/cancel-subscription', () => {
    server.row = aRow({ cancel_at_period_end: true });
    return json(answer);
  });
  mountPage();
  await press('Cancel subscription');

  await userEvent.dblClick(dialog().getByRole('button', { name: 'Cancel subscription' }));

  await waitFor(() => expect(browser.reload).toHaveBeenCalledOnce());
  expect(window.sessionStorage.getItem('kat-billing-told')).toBe(message);
  expect(server.sentTo('cancel-subscription')).toEqual([{ subscription_id: 'sub_1' }]);
});

test.each([
  [
    'a reason',
    { ok: false, error: 'This subscription has ended.', reason: 'This subscription has ended.' },
    'This subscription has ended.',
  ],
  ['no reason', { ok: false }, 'Cancel failed'],
])('reports a cancellation that is refused with %s, and keeps the page', async (_what, answer, message) => {
  billingServer(aRow()).answer('cancel-subscription', answer);
  mountPage();
  await press('Cancel subscription');

  await confirm('Cancel subscription');

  expect(await alertText()).toBe(message);
  expect(browser.reload).not.toHaveBeenCalled();
});

test('undoes a cancellation: sees it in the row, then reloads the page', async () => {
  const server = billingServer(aRow({ cancel_at_period_end: true }));
  server.on('POST /functions/v1/resume-subscription', () => {
    server.row = aRow();
    return json({ ok: true, subscription: server.row });
  });
  mountPage();

  await press('Undo Cancel');

  await waitFor(() => expect(browser.reload).toHaveBeenCalledOnce());
  expect(window.sessionStorage.getItem('kat-billing-told')).toBe('Your subscription renews again');
  expect(server.sentTo('resume-subscription')).toEqual([{ subscription_id: 'sub_1' }]);
});

test('reports a refused undo beside it', async () => {
  const reason = 'This subscription has ended. Choose a plan to start again.';
  const server = billingServer(aRow({ cancel_at_period_end: true }));
  server.answer('resume-subscription', { ok: false, error: reason, reason });
  mountPage();

  await press('Undo Cancel');

  expect(await alertText()).toBe(`We couldn’t undo the cancellation${reason}`);
  expect(browser.reload).not.toHaveBeenCalled();
});

test.each([
  ['the open invoice', { ok: true, redirect_url: 'https://invoice.stripe.com/i/2' }, 'https://invoice.stripe.com/i/2'],
  ['billing, where no invoice is named', { ok: true }, 'https://billing.stripe.com/p/1'],
])('leads from Pay now to %s', async (_where, answer, page) => {
  const server = billingServer(aRow({ status: 'past_due' }));
  server.answer('update-subscription', answer);
  server.answer('billing-portal', { url: 'https://billing.stripe.com/p/1' });
  mountPage();

  await press('Pay now');

  await waitFor(() => expect(browser.assign).toHaveBeenCalledWith(page));
  expect(server.sentTo('update-subscription')).toEqual([{ subscription_id: 'sub_1', new_price_id: 'price_bobcat' }]);
});

test('opens the payment provider’s own page from Manage billing, and returns here', async () => {
  const server = billingServer(aRow());
  server.answer('billing-portal', { url: 'https://billing.stripe.com/p/1' });
  mountPage();

  await press('Manage billing');

  await waitFor(() => expect(browser.assign).toHaveBeenCalledWith('https://billing.stripe.com/p/1'));
  expect(server.sentTo('billing-portal')).toEqual([{ return_url: `${HERE}/account/subscription` }]);
});

test('shows the message of the page before a reload', async () => {
  window.sessionStorage.setItem('kat-billing-told', 'Cancellation scheduled for period end');
  billingServer(aRow({ cancel_at_period_end: true }));
  mountPage();

  expect(await screen.findByText('Cancellation scheduled for period end')).toBeDefined();
});
