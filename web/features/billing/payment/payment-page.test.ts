import { expect, test } from 'vitest';
import { paymentPage } from './payment-page.ts';

const HERE = 'https://kat.example';

test.each([
  ['/test-payments/checkout/cs_test_1', 'https://kat.example/test-payments/checkout/cs_test_1'],
  ['https://kat.example/test-payments/checkout/cs_test_1', 'https://kat.example/test-payments/checkout/cs_test_1'],
  ['https://checkout.stripe.com/c/pay/cs_1#fid', 'https://checkout.stripe.com/c/pay/cs_1#fid'],
  ['https://invoice.stripe.com/i/acct_1/live_1', 'https://invoice.stripe.com/i/acct_1/live_1'],
])('allows %s as a target', (address, expected) => {
  expect(paymentPage(address, HERE)).toBe(expected);
});

test.each([
  ['http://127.0.0.1:3000', 'http://localhost:3000'],
  ['http://localhost:3000', 'http://127.0.0.1:3000'],
  ['http://[::1]:3000', 'http://localhost:3000'],
])('keeps the name under which the user opened the site: from %s to %s', (named, here) => {
  expect(paymentPage(`${named}/test-payments/checkout/cs_test_1`, here)).toBe(
    `${here}/test-payments/checkout/cs_test_1`,
  );
});

test.each([
  ['http://127.0.0.1:4000/pay', 'http://localhost:3000'],
  ['https://127.0.0.1:3000/pay', 'http://localhost:3000'],
  ['http://127.0.0.1:3000/pay', 'http://kat.example:3000'],
  ['http://localhost.evil.example:3000/pay', 'http://localhost:3000'],
])('refuses %s as a target of %s', (address, here) => {
  expect(paymentPage(address, here)).toBeNull();
});

test.each([
  'http://checkout.stripe.com/pay',
  'https://checkout.stripe.com:8443/pay',
  'https://checkout.stripe.com.evil.example/pay',
  'https://evilstripe.com/pay',
  'https://evil.example/checkout.stripe.com',
  '//evil.example/pay',
  'javascript:alert(1)',
  'data:text/html,pay',
  'http://kat.example/pay',
  'https://kat.example@evil.example/',
])('refuses %s as a target', (address) => {
  expect(paymentPage(address, HERE)).toBeNull();
});
