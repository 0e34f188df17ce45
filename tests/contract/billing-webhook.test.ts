/** The payment provider's events: who is believed, and what late, lost, many and mixed-up ones do. */
import { createHmac } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import * as z from 'zod/mini';
import { describeOneDatabase } from '../support/database/each-database.ts';
import { sharedBillingWorld } from '../support/worlds/shared-billing-world.ts';

const DAY_S = 86_400;

describeOneDatabase('the webhook', (kind) => {
  const world = sharedBillingWorld(kind);
  const webhooks = (mode: Record<string, unknown>) => world().control('POST', '/webhooks', mode);

  beforeEach(() => webhooks({}));
  afterEach(() => world().control('DELETE', '/faults'));

  const nowS = () => Math.floor(Date.now() / 1000);
  const anEvent = (fields: Record<string, unknown> = {}) => ({
    id: `evt_${Math.random().toString(36).slice(2)}`,
    object: 'event',
    type: 'customer.updated',
    livemode: false,
    created: nowS(),
    data: { object: { id: 'cus_nobody', object: 'customer' } },
    ...fields,
  });

  /** Signs as the provider does, with the secret that only the data folder knows. */
  async function post(event: unknown, signing: { atS?: number; secret?: string; body?: string } = {}): Promise<number> {
    const keys = readFileSync(join(world().dataDir, 'payments-keys.json'), 'utf8');
    const { webhookSecret } = z.object({ webhookSecret: z.string() }).parse(JSON.parse(keys));
    const text = JSON.stringify(event);
    const atS = signing.atS ?? nowS();
    const hash = createHmac('sha256', signing.secret ?? webhookSecret)
      .update(`${atS}.${text}`)
      .digest('hex');
    const answer = await fetch(`${world().url}/billing/webhook`, {
      method: 'POST',
      body: signing.body ?? text,
      headers: { 'stripe-signature': `t=${atS},v1=${hash}` },
    });
    return answer.status;
  }

  const storedEvent = async (id: string) =>
    (await world().rows('select * from public.stripe_events where event_id = $1', [id]))[0] ?? null;

  test.each<[string, Parameters<typeof post>[1]]>([
    ['signed by another sender', { secret: 'whsec_other' }],
    ['that was replayed after its time', { atS: nowS() - 320 }],
    ['from the future', { atS: nowS() + DAY_S }],
    ['altered by one blank', { body: `${JSON.stringify({ id: 'evt_x' })} ` }],
  ])('does not believe an event %s', async (_what, signing) => {
    const event = anEvent();

    expect(await post(event, signing)).toBe(400);
    expect(await storedEvent(event.id)).toBeNull();
  });

  test('does not believe an event of the other mode, nor one without signature, nor an endless one', async () => {
    expect(await post(anEvent({ livemode: true }))).toBe(400);
    const bare = await fetch(`${world().url}/billing/webhook`, { method: 'POST', body: '{}' });
    expect([bare.status, await bare.json()]).toEqual([400, expect.objectContaining({ code: 'billing/bad-signature' })]);
    const large = await fetch(`${world().url}/billing/webhook`, { method: 'POST', body: 'x'.repeat(1_100_000) });
    expect(large.status).toBe(413);
    expect((await fetch(`${world().url}/billing/webhook`)).status).toBe(405);
  });

  test('takes every type, known or not, and a replay in time does nothing', async () => {
    const event = anEvent({ type: 'something.new', data: { object: { object: 'something' } } });

    expect(await post(event)).toBe(200);
    const first = await storedEvent(event.id);
    expect(await post(event, { atS: nowS() - 250 })).toBe(200);

    expect(first).toMatchObject({ attempts: 0, last_error: null, processed_at: expect.any(String) });
    expect(await storedEvent(event.id)).toEqual(first);
  });

  test('works once on what comes many times simultaneously', async () => {
    const ada = await world().signUp('Ada');
    const id = await world().buy(ada, 'bobcat');
    await world().settled();
    const event = anEvent({ type: 'customer.subscription.updated', data: { object: { id, object: 'subscription' } } });
    const reads = async () =>
      (await world().requests()).filter(({ method, path }) => method === 'GET' && path === `/v1/subscriptions/${id}`);
    const before = (await reads()).length;

    const answers = await Promise.all([post(event), post(event), post(event), post(event), post(event)]);

    expect(answers).toEqual([200, 200, 200, 200, 200]);
    expect((await reads()).length - before).toBe(1);
  });

  test('leaves the row as the provider has it, though all events of a life come twice, late and shuffled', async () => {
    const ben = await world().signUp('Ben');
    const frozen_time = nowS();
    const clock = await world().stripe.testHelpers.testClocks.create({ frozen_time });
    await world().control('POST', '/clock', { default_test_clock: clock.id });
    await world().call(ben, 'stripe-bootstrap');
    await world().control('POST', '/clock', { default_test_clock: null });
    await webhooks({ mode: 'hold', order: 'shuffle', seed: 7, copies: 2 });
    const session = await world().checkout(ben, 'bobcat');
    await world().pay(session.url);
    const { subscription } = await world().stripe.checkout.sessions.retrieve(session.sessionId);
    const id = z.string().parse(subscription);
    const [item] = (await world().stripe.subscriptions.retrieve(id)).items.data;
    await world().stripe.subscriptions.update(id, { items: [{ id: item?.id ?? '', price: 'price_kat_lion_monthly' }] });
    await world().stripe.testHelpers.testClocks.advance(clock.id, { frozen_time: frozen_time + 40 * DAY_S });
    await world().stripe.subscriptions.update(id, { cancel_at_period_end: true });
    await world().stripe.testHelpers.testClocks.advance(clock.id, { frozen_time: frozen_time + 80 * DAY_S });

    await world().control('POST', '/webhooks/release');
    await world().settled();

    expect(await world().row(ben)).toMatchObject({ status: 'canceled', subscription_id: id });
    expect(await world().disagreements(ben)).toEqual([]);
    const customer = String((await world().row(ben))?.customer_id);
    const deliveries = (await world().deliveries()).filter(({ body }) => body.includes(customer));
    expect(deliveries.length).toBeGreaterThan(10);
    expect(deliveries.every(({ status }) => status === 200)).toBe(true);
  });

  test('reports that the provider did not answer, stores why, and takes the event when it comes again', async () => {
    const cleo = await world().signUp('Cleo');
    const id = await world().buy(cleo, 'bobcat');
    await world().settled();
    const event = anEvent({ type: 'customer.subscription.updated', data: { object: { id, object: 'subscription' } } });
    await world().control('POST', '/faults', {
      method: 'GET',
      path: '/v1/subscriptions/',
      kind: 'http_500',
      times: 3,
    });

    expect(await post(event)).toBe(500);
    const failed = await storedEvent(event.id);
    expect(await post(event)).toBe(200);

    expect(failed).toMatchObject({ processed_at: null, attempts: 1, last_error: 'StripeAPIError', object_id: id });
    expect(await storedEvent(event.id)).toMatchObject({
      processed_at: expect.any(String),
      attempts: 1,
      last_error: null,
    });
  });

  test('flags a refund and takes no plan away', async () => {
    const dan = await world().signUp('Dan');
    const id = await world().buy(dan, 'lion');
    await world().settled();
    const before = await world().row(dan);
    const [invoice] = (await world().stripe.invoices.list({ subscription: id })).data;
    const [payment] = (await world().stripe.invoicePayments.list({ invoice: invoice?.id ?? '' })).data;
    const intent = z.string().parse(payment?.payment.payment_intent);
    const refund = await world().stripe.refunds.create({ payment_intent: intent });
    await world().settled();

    const alarms = await world().rows('select kind, details from public.billing_alarms where subject = $1', [
      refund.charge,
    ]);
    expect(alarms).toMatchObject([{ kind: 'refund', details: { amountRefunded: 6999 } }]);
    expect(await world().row(dan)).toEqual(before);
  });

  test('marks a checkout that was paid, and one that ran out', async () => {
    const eve = await world().signUp('Eve');
    const ran = await world().checkout(eve, 'bobcat');
    await world().stripe.checkout.sessions.expire(ran.sessionId);
    await world().settled();
    const paid = await world().checkout(eve, 'lion');
    await world().pay(paid.url);
    await world().settled();

    const states = await world().rows(
      'select session_id, state from public.billing_checkouts where user_id = $1 order by created_at',
      [eve.id],
    );
    expect(states).toEqual([
      { session_id: ran.sessionId, state: 'expired' },
      { session_id: paid.sessionId, state: 'complete' },
    ]);
  });
});
