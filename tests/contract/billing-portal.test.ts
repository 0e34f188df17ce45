/** The provider's own page for invoices and cards. */
import { afterEach, expect, test } from 'vitest';
import { describeOneDatabase } from '../support/database/each-database.ts';
import { CARDS } from '../support/worlds/billing-world.ts';
import { sharedBillingWorld } from '../support/worlds/shared-billing-world.ts';
import { billingStories, failure } from './support/services/billing.ts';

describeOneDatabase('billing-portal', (kind) => {
  const world = sharedBillingWorld(kind);
  const { buyer, fault, undoFaults } = billingStories(world);
  const home = () => `${world().url}/account/subscription`;

  afterEach(undoFaults);

  const submit = (url: unknown, form: Record<string, string>) =>
    fetch(String(url), { method: 'POST', redirect: 'manual', body: new URLSearchParams(form) });

  test('opens a page of the own customer that leads back here', async () => {
    const ada = await buyer();
    await ada.subscribe('bobcat');

    const { data, error } = await ada.client.functions.invoke('billing-portal', { body: { return_url: home() } });

    expect([error, Object.keys(data)]).toEqual([null, ['url']]);
    expect(await (await fetch(data.url)).text()).toContain('Your plan');
    expect((await submit(data.url, { action: 'back' })).headers.get('location')).toBe(home());
  });

  test('shows a card here that was changed there', async () => {
    const ada = await buyer();
    await ada.subscribe('bobcat');
    const { url } = (await ada.call('billing-portal', { return_url: home() })).body;

    await submit(url, { action: 'card', number: CARDS.mastercard, expiry: '12 / 34', cvc: '123' });

    await ada.agree();
    expect(await world().row(ada.person)).toMatchObject({
      payment_method_brand: 'mastercard',
      payment_method_last4: '4444',
    });
  });

  test('is open to a user who has never bought anything', async () => {
    const eve = await world().signUp('Eve');
    const answer = await world().call(eve, 'billing-portal', { return_url: home() });
    expect(answer).toEqual({ status: 200, body: { url: expect.stringMatching(/\/portal\//) } });
  });

  test.each([
    'https://evil.example/',
    'https://evil.example\\@127.0.0.1/',
    '//evil.example',
    'javascript:alert(1)',
    '/account',
  ])('leads to nowhere else: %s', async (return_url) => {
    const ada = await buyer();
    expect(await ada.call('billing-portal', { return_url })).toEqual(failure(400, 'billing/foreign-address'));
  });

  test('is unavailable while the provider is', async () => {
    const ada = await buyer();
    await fault({ method: 'POST', path: '/v1/billing_portal/sessions', kind: 'reset_before', times: 20 });
    expect(await ada.call('billing-portal', { return_url: home() })).toEqual(
      failure(503, 'billing/provider-unavailable'),
    );
  });
});
