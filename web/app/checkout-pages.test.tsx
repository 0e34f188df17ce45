/** The pages after a checkout, in the whole site. */

import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test } from 'vitest';
import { aSubscription } from '#domain/billing/testing/subscription-fixtures.ts';
import { CONFIG, type FakeBackend, fakeBackend, json, storeSession } from '../platform/testing/fake-backend.ts';
import { visit } from './testing/visit.tsx';

const CONFIRM = '/functions/v1/checkout-confirm';
const ROWS = '/rest/v1/stripe_user_subscriptions';
const SUCCESS = '/checkout/success?session_id=cs_test_1';
/** 22 December 2026, 23:30 UTC: the day after in Kolkata. */
const END_S = Date.UTC(2026, 11, 22, 23, 30) / 1000;
const ROW = aSubscription({ price_id: 'price_lion', current_period_end: END_S });

/** A site that sells, and a signed-in user in Kolkata. */
function sellingBackend(): FakeBackend {
  const backend = fakeBackend();
  backend.on('GET /config.json', () => json({ ...CONFIG, payments: 'sandbox' }));
  backend.on('POST /functions/v1/stripe-bootstrap', () => json({ ok: true }));
  backend.on('GET /rest/v1/profiles', () =>
    json({ id: 'u', role: 'user', full_name: 'Ada', avatar_url: null, timezone: 'Asia/Kolkata' }),
  );
  return backend;
}

const heading = (name: string) => screen.findByRole('heading', { level: 1, name });
const main = () => within(screen.getByRole('main'));
const linksOf = () =>
  main()
    .getAllByRole('link')
    .map((link) => link.getAttribute('href'));

test('confirms a purchase immediately and shows it after two seconds, with what was bought and the next date in the user’s zone', async () => {
  const backend = sellingBackend();
  storeSession();
  backend.on(`POST ${CONFIRM}`, () =>
    json({ status: 'complete', plan: 'lion', subscription: { ...ROW, user_id: 'u' } }),
  );
  backend.on(`GET ${ROWS}`, () => json([ROW]));

  const startMs = performance.now();
  visit(SUCCESS);
  await heading('Confirming your purchase...');
  await waitFor(() => expect(backend.to(CONFIRM)).toHaveLength(1));
  await heading('Payment Successful!');

  expect(performance.now() - startMs).toBeGreaterThan(1500);
  expect(backend.to(CONFIRM)[0]?.body).toEqual({ session_id: 'cs_test_1' });
  await main().findByText('23 Dec 2026');
  const facts = main()
    .getAllByRole('definition')
    .map(({ textContent }) => textContent);
  expect(facts).toEqual(['Lion', '$69.99 per month', 'Active', '23 Dec 2026']);
  expect(linksOf().slice(0, 3)).toEqual(['/kat', '/dashboard', '/account/subscription']);
  const next = within(main().getByRole('region', { name: 'After your first prediction' }));
  expect(next.getByRole('link', { name: /^Set an alert/ }).getAttribute('href')).toBe('/account/notifications#alerts');
  expect(main().getByText('Test payments – no real money')).toBeDefined();
  expect(backend.to(ROWS).length).toBeGreaterThan(0);
  expect(backend.to(CONFIRM)).toHaveLength(1);
});

test('sends no request without a session’s id', async () => {
  const backend = sellingBackend();
  storeSession();

  visit('/checkout/success');

  await heading('No payment to show');
  expect(backend.to(CONFIRM)).toHaveLength(0);
});

test('leads a visitor to sign-in and back without a request', async () => {
  const backend = sellingBackend();

  visit(SUCCESS);

  await heading('Sign in to see your payment');
  expect(linksOf()[0]).toBe(`/auth/signin?next=${encodeURIComponent(SUCCESS)}`);
  expect(backend.to(CONFIRM)).toHaveLength(0);
});

test('hides another account’s payment, and does not pass the present plan off as bought', async () => {
  const backend = sellingBackend();
  storeSession();
  backend.on(`GET ${ROWS}`, () => json([ROW]));
  const refusal = {
    ok: false,
    error: 'We couldn’t find this payment.',
    reason: 'We couldn’t find this payment.',
    code: 'billing/no-such-checkout',
  };
  backend.on(`POST ${CONFIRM}`, () => json(refusal));

  visit(SUCCESS);

  await heading('No payment to show');
  expect(main().getByText('We couldn’t find this payment.')).toBeDefined();
  expect(main().getByText('Your plan')).toBeDefined();
  expect(main().queryByText('Product')).toBeNull();
});

test('says that an unpaid checkout charged nothing, and offers to check again', async () => {
  const backend = sellingBackend();
  storeSession();
  backend.on(`POST ${CONFIRM}`, () => json({ status: 'open', plan: 'free', subscription: null }));
  visit(SUCCESS);
  await heading('Not paid yet');

  backend.on(`POST ${CONFIRM}`, () => json({ status: 'complete', plan: 'lion', subscription: ROW }));
  await userEvent.click(main().getByRole('button', { name: 'Check again' }));

  await heading('Payment Successful!');
});

test('says that an expired checkout charged nothing', async () => {
  const backend = sellingBackend();
  storeSession();
  backend.on(`POST ${CONFIRM}`, () => json({ status: 'expired', plan: 'free', subscription: null }));

  visit(SUCCESS);

  await heading('This checkout has expired');
  expect(main().getByText(/No charges were made/)).toBeDefined();
});

test('leads from a cancelled payment to the plans, the dashboard and home', async () => {
  sellingBackend();

  visit('/checkout/cancel');

  await heading('Payment cancelled');
  expect(main().getByText('No charges were made')).toBeDefined();
  expect(linksOf().slice(0, 3)).toEqual(['/account/subscription', '/dashboard', '/']);
  const open = within(main().getByRole('region', { name: 'Open to you without a plan' }));
  expect(open.getByRole('link', { name: /^This minute’s forecast/ }).getAttribute('href')).toBe('/kat');
  expect(await main().findByText('Test payments – no real money')).toBeDefined();
  expect(document.title).toBe('Payment cancelled – Kat');
});

test('calls nothing a test where real money is paid', async () => {
  const backend = sellingBackend();
  backend.on('GET /config.json', () => json({ ...CONFIG, payments: 'live' }));

  visit('/checkout/cancel');

  await heading('Payment cancelled');
  await waitFor(() => expect(backend.to('/config.json').length).toBeGreaterThan(0));
  expect(main().queryByText(/Test payments/)).toBeNull();
});
