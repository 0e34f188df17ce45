/** Checks where browsers load the payment provider's script from. */
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { paymentScript, paymentScriptSources } from './payment-script.ts';

test('uses a script of this site for sandbox payments, and none without payments', () => {
  const path = paymentScript('sandbox');

  const script = readFileSync(new URL(`../../../web/public${path}`, import.meta.url), 'utf8');
  expect(script).toContain('window.Stripe');
  expect(script).not.toContain('://');
  expect(paymentScript('none')).toBeNull();
});

test.each(['test', 'live'] as const)(
  'uses the provider’s own script, of the release that the SDK expects, in %s mode',
  (mode) => {
    const version = readFileSync(new URL('apiVersion.js', import.meta.resolve('stripe')), 'utf8');
    const release = /'\d{4}-\d{2}-\d{2}\.([a-z]+)'/.exec(version)?.[1];

    const script = new URL(paymentScript(mode) ?? '');

    expect(script.href).toBe(`https://js.stripe.com/${release}/stripe.js`);
    expect(paymentScriptSources(mode)?.scripts).toContain(script.origin);
  },
);
