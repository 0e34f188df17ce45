/** The sweeper makes up within a minute for lost events, broken-off work and checkouts that no one ended. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, test, vi } from 'vitest';
import * as z from 'zod/mini';
import { type Billing, openBilling } from '../../server/billing/billing.ts';
import { testLog } from '../support/database/database.ts';
import { openedForTests } from '../support/run/opened-for-tests.ts';
import { WAIT_MS } from '../support/run/wait-limit.ts';
import { CARDS, openBillingWorld, PRICES } from '../support/worlds/billing-world.ts';

const DAY_S = 86_400;
/** A server's scheduled round at the same time may have taken the row, and then finishes it. */
const TAKEN_UP = { timeout: WAIT_MS, interval: 20 };
const nowS = () => Math.floor(Date.now() / 1000);

describe('the sweeper', () => {
  // A separate world: a round takes up what is due of all people. On PGlite, which the shared world leaves out: there
  // jobs, events and calls share one connection.
  const world = openedForTests(() => openBillingWorld('pglite'));
  let aheadMs = 0;
  /** A second server process beside the world's, whose round does not wait for the minute. */
  const second = openedForTests(async () => {
    const { database, dataDir } = world();
    const keys = z
      .object({ secretKey: z.string(), webhookSecret: z.string() })
      .parse(JSON.parse(readFileSync(join(dataDir, 'payments-keys.json'), 'utf8')));
    const { url } = z
      .object({ url: z.string() })
      .parse(JSON.parse(readFileSync(join(dataDir, 'payments-control.json'), 'utf8')));
    const api = { protocol: 'http', host: '127.0.0.1', port: Number(new URL(url).port) } as const;
    const billing: Billing = await openBilling({
      source: { mode: 'sandbox', ...keys, webhookSecrets: [keys.webhookSecret], api, pagesUrl: null },
      database,
      clock: { nowMs: () => Date.now() + aheadMs },
      log: testLog,
      priceIds: PRICES,
      isOwnAddress: () => true,
    });
    return billing;
  });
  const webhooks = (mode: string) => world().control('POST', '/webhooks', { mode });
  /** No event arrives, and the list of events is empty. */
  async function deaf() {
    await webhooks('drop');
    await world().control('POST', '/faults', { method: 'GET', path: '/v1/events', kind: 'http_500', times: 1000 });
  }

  afterEach(async () => {
    aheadMs = 0;
    await world().control('DELETE', '/faults');
    await webhooks('deliver');
  });

  /** Rows were written a while ago. */
  const age = (id: string, interval: string) =>
    world().rows(
      'update public.stripe_subscriptions set updated_at = now() - $2::text::interval where subscription_id = $1',
      [id, interval],
    );

  test('renews a row whose period is over, though every event was lost', async () => {
    const ada = await world().signUp('Ada');
    // A clock in the past: the period that ends on it has ended here too.
    const startS = nowS() - 32 * DAY_S;
    const clock = await world().stripe.testHelpers.testClocks.create({ frozen_time: startS });
    await world().control('POST', '/clock', { default_test_clock: clock.id });
    await world().call(ada, 'stripe-bootstrap');
    await world().control('POST', '/clock', { default_test_clock: null });
    const id = await world().buy(ada, 'bobcat');
    await world().settled();
    const before = await world().row(ada);
    await deaf();
    await world().stripe.testHelpers.testClocks.advance(clock.id, { frozen_time: nowS() });
    // More than a tenth of the time since the period ended, which is up to four days after a February.
    await age(id, '12 hours');

    await second().sweep();

    await vi.waitFor(async () => {
      const after = await world().row(ada);
      expect(Number(after?.current_period_end)).toBeGreaterThan(Number(before?.current_period_end) + 27 * DAY_S);
    }, TAKEN_UP);
    expect(await world().disagreements(ada)).toEqual([]);
  });

  test('checks after a day what no event has reported', async () => {
    const ben = await world().signUp('Ben');
    const id = await world().buy(ben, 'lion');
    await world().settled();
    await deaf();
    await world().stripe.subscriptions.cancel(id);
    await age(id, '23 hours');
    await second().sweep();
    expect(await world().row(ben)).toMatchObject({ status: 'active' });

    await age(id, '25 hours');
    await second().sweep();

    await vi.waitFor(async () => expect(await world().row(ben)).toMatchObject({ status: 'canceled' }), TAKEN_UP);
  });

  test('takes up an event that failed', async () => {
    const cleo = await world().signUp('Cleo');
    const id = await world().buy(cleo, 'bobcat');
    await world().settled();
    await webhooks('drop');
    await world().stripe.subscriptions.update(id, { cancel_at_period_end: true });
    const [event] = (await world().stripe.events.list({ type: 'customer.subscription.updated', limit: 1 })).data;
    // As a process leaves it that was killed in the middle of the work.
    await world().rows(
      `insert into public.stripe_events (event_id, type, livemode, created, received_at, claimed_until)
       values ($1, 'customer.subscription.updated', false, 1, now() - interval '2 minutes', now() - interval '1 minute')`,
      [event?.id],
    );

    await second().sweep();

    expect(await world().row(cleo)).toMatchObject({ cancel_at_period_end: true });
    const [stored] = await world().rows('select processed_at from public.stripe_events where event_id = $1', [
      event?.id,
    ]);
    expect(stored?.processed_at).toEqual(expect.any(String));
  });

  test('asks for events that never came, once they cannot be on their way any more', async () => {
    const hal = await world().signUp('Hal');
    const opened = await world().call(hal, 'billing-portal', { return_url: `${world().url}/account` });
    await world().settled();
    await webhooks('drop');
    // Nothing else requests events of a customer without a subscription.
    const card = new URLSearchParams({ action: 'card', number: CARDS.mastercard, expiry: '12 / 34', cvc: '123' });
    await fetch(String(opened.body.url), { method: 'POST', redirect: 'manual', body: card });
    await second().sweep();
    expect(await world().disagreements(hal)).not.toEqual([]);

    aheadMs = 3 * 60_000;
    await second().sweep();

    expect(await world().disagreements(hal)).toEqual([]);
    // Stored like one that arrived: posting it later changes nothing.
    const [stored] = await world().rows(
      "select count(*)::int as count from public.stripe_events where type = 'payment_method.attached' and processed_at is not null and object_id = (select customer_id from public.stripe_customers where user_id = $1)",
      [hal.id],
    );
    expect(stored).toEqual({ count: 1 });
  });

  test('ends a checkout that ran out, and one that was paid unheard', async () => {
    await deaf();
    const [dan, eve] = [await world().signUp('Dan'), await world().signUp('Eve')];
    const ran = await world().checkout(dan, 'bobcat');
    await world().stripe.checkout.sessions.expire(ran.sessionId);
    const paid = await world().checkout(eve, 'lion');
    await world().pay(paid.url);
    await world().rows("update public.billing_checkouts set created_at = now() - interval '40 minutes'");

    await second().sweep();

    const states = await world().rows(
      'select session_id, state from public.billing_checkouts where session_id = any ($1::text[]) order by state',
      [[ran.sessionId, paid.sessionId]],
    );
    expect(states).toEqual([
      { session_id: paid.sessionId, state: 'complete' },
      { session_id: ran.sessionId, state: 'expired' },
    ]);
    expect(await world().row(eve)).toMatchObject({ status: 'active', price_id: PRICES.lion });
  });

  test('makes the customer whose making broke off', async () => {
    const fay = await world().signUp('Fay');
    await world().rows(
      "insert into public.stripe_customers (user_id, claimed_at) values ($1, now() - interval '10 minutes')",
      [fay.id],
    );

    await second().sweep();

    expect(await world().row(fay)).toMatchObject({ customer_id: expect.stringMatching(/^cus_/) });
    expect(await world().disagreements(fay)).toEqual([]);
  });

  test('ends a subscription that the provider does not know any more, and raises an alarm', async () => {
    const gus = await world().signUp('Gus');
    await world().call(gus, 'stripe-bootstrap');
    await world().rows(
      `insert into public.stripe_subscriptions (subscription_id, customer_id, price_id, status, current_period_end, stripe_created, updated_at)
       select 'sub_gone', customer_id, $2, 'active', extract(epoch from now())::bigint + 900000, 1, now() - interval '2 days'
         from public.stripe_customers where user_id = $1`,
      [gus.id, PRICES.lion],
    );

    await second().sweep();

    const canceled = { subscription_id: 'sub_gone', status: 'canceled' };
    await vi.waitFor(async () => expect(await world().row(gus)).toMatchObject(canceled), TAKEN_UP);
    expect(await world().rows("select kind from public.billing_alarms where subject = 'sub_gone'")).toEqual([
      { kind: 'subscription-gone' },
    ]);
  });

  test('forgets events after sixty days', async () => {
    await world().rows(
      `insert into public.stripe_events (event_id, type, livemode, created, received_at, processed_at)
       values ('evt_old', 'x', false, 1, now() - interval '61 days', now()),
              ('evt_young', 'x', false, 1, now() - interval '59 days', now())`,
    );

    await second().sweep();

    expect(await world().rows("select event_id from public.stripe_events where type = 'x'")).toEqual([
      { event_id: 'evt_young' },
    ]);
  });
});
