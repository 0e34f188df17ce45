/** Buying a plan on the subscription page: the way to the page that takes the payment, and each way it can fail. */
import { waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test } from 'vitest';
import { fakeLocation } from '../../platform/testing/fake-location.ts';
import { alertText, billingServer, mountPage, planButton, press } from './testing/fake-billing-server.tsx';

let browser: ReturnType<typeof fakeLocation>;

beforeEach(() => {
  browser = fakeLocation();
});

const HERE = window.location.origin;
const REFUSAL = { ok: false, error: 'This plan isn’t on sale.', reason: 'This plan isn’t on sale.' };

test('requests a checkout that returns here, and goes to the page of the answer', async () => {
  const server = billingServer(null);
  server.answer('stripe-checkout', { url: `${HERE}/test-payments/checkout/cs_1`, sessionId: 'cs_1' });
  mountPage();

  const button = await planButton('lion');
  await userEvent.dblClick(button);

  await waitFor(() => expect(browser.assign).toHaveBeenCalledWith(`${HERE}/test-payments/checkout/cs_1`));
  expect(server.sentTo('stripe-checkout')).toEqual([
    {
      price_id: 'price_lion',
      success_url: `${HERE}/checkout/success?session_id={CHECKOUT_SESSION_ID}`,
      cancel_url: `${HERE}/checkout/cancel`,
      mode: 'subscription',
    },
  ]);
  expect(button).toHaveProperty('disabled', true);
});

test.each([
  ['an answer with neither', 200, {}, 'Invalid checkout response'],
  ['an invalid answer', 200, 'pay here', 'Invalid checkout response'],
  ['a page of another site', 200, { url: 'https://evil.example/pay' }, 'Invalid checkout response'],
  ['a page that is a script', 200, { url: 'javascript:alert(1)' }, 'Invalid checkout response'],
  ['a refusal', 200, REFUSAL, 'Checkout failedThis plan isn’t on sale.'],
  [
    'a payment provider that is away',
    503,
    { code: 'billing/provider-unavailable', error: 'The payment provider does not answer right now.' },
    'Checkout failedThe payment provider does not answer right now.',
  ],
])('reports a checkout with %s, and allows another try', async (_what, status, answer, message) => {
  billingServer(null).answer('stripe-checkout', answer, status);
  mountPage();

  await press('Subscribe to Bobcat');

  expect(await alertText()).toBe(message);
  expect(browser.assign).not.toHaveBeenCalled();
  expect(await planButton('bobcat')).toHaveProperty('disabled', false);
});

test('requires sign-in of a user who was signed out meanwhile, and reports it', async () => {
  const server = billingServer(null);
  mountPage();
  const button = await planButton('bobcat');
  window.localStorage.clear();

  await userEvent.click(button);

  expect(await alertText()).toBe('Please sign in to subscribe');
  await waitFor(() =>
    expect(server.errors().map(({ error_message }) => error_message)).toContain('Please sign in to subscribe'),
  );
  expect(server.sentTo('stripe-checkout')).toEqual([]);
});

const scripts = () => [...document.head.querySelectorAll<HTMLScriptElement>('script[src="/payment-script.js"]')];

async function startWithoutUrl(server: ReturnType<typeof billingServer>) {
  server.answer('stripe-checkout', { sessionId: 'cs_1' });
  mountPage();
  await press('Subscribe to Bobcat');
  await waitFor(() => expect(scripts()).toHaveLength(1));
}

test('loads the payment script and requests the server’s page for a session alone', async () => {
  const server = billingServer(null);
  server.answer('stripe-checkout-url', { url: 'https://checkout.stripe.com/c/pay/cs_1' });
  await startWithoutUrl(server);

  scripts()[0]?.dispatchEvent(new Event('load'));

  await waitFor(() => expect(browser.assign).toHaveBeenCalledWith('https://checkout.stripe.com/c/pay/cs_1'));
  expect(server.sentTo('stripe-checkout-url')).toEqual([{ session_id: 'cs_1' }]);
});

test('reports a payment script that does not load, and loads it again on the next try', async () => {
  const server = billingServer(null);
  await startWithoutUrl(server);

  scripts()[0]?.dispatchEvent(new Event('error'));

  expect(await alertText()).toBe('Stripe failed to load');
  expect(scripts()).toEqual([]);
  expect(server.sentTo('stripe-checkout-url')).toEqual([]);
  await press('Subscribe to Bobcat');
  await waitFor(() => expect(scripts()).toHaveLength(1));
});

test('fails for a session whose page is not known, as a checkout of the provider does', async () => {
  const server = billingServer(null);
  server.answer('stripe-checkout-url', { ok: false, error: 'We couldn’t find this payment.' });
  await startWithoutUrl(server);

  scripts()[0]?.dispatchEvent(new Event('load'));

  expect(await alertText()).toBe('Stripe checkout failedWe couldn’t find this payment.');
});
