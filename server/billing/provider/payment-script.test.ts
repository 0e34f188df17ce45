/** Where browsers get the payment provider's script. */
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { paymentScript, paymentScriptSources } from './payment-script.ts';

test('the stand-in’s script is a file of our own site, and nothing is loaded where nothing can be bought', () => {
  const path = paymentScript('sandbox');

  const script = readFileSync(new URL(`../../../web/public${path}`, import.meta.url), 'utf8');
  expect(script).toContain('window.Stripe');
  expect(script).not.toContain('://');
  expect(paymentScript('none')).toBeNull();
});

test.each(['test', 'live'] as const)(
  'in %s mode it is the provider’s own, of the release that the SDK speaks',
  (mode) => {
    const version = readFileSync(new URL('apiVersion.js', import.meta.resolve('stripe')), 'utf8');
    const release = /'\d{4}-\d{2}-\d{2}\.([a-z]+)'/.exec(version)?.[1];

    const script = new URL(paymentScript(mode) ?? '');

    expect(script.href).toBe(`https://js.stripe.com/${release}/stripe.js`);
    expect(paymentScriptSources(mode)?.scripts).toContain(script.origin);
  },
);
