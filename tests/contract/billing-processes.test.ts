/** Two server processes over one database and one provider: neither knows the other's queue. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Hono } from 'hono';
import { afterEach, expect, test } from 'vitest';
import * as z from 'zod/mini';
import { openBilling } from '../../server/billing/billing.ts';
import type { CallerReader } from '../../server/platform/http/calls/caller.ts';
import { errorResponse } from '../../server/platform/http/calls/http-errors.ts';
import { functionRoutes } from '../../server/platform/http/calls/server-function.ts';
import { listen, stopServer } from '../../server/platform/http/listen.ts';
import { testLog } from '../support/database/database.ts';
import { describeOneDatabase } from '../support/database/each-database.ts';
import { openedForTests } from '../support/run/opened-for-tests.ts';
import { type BillingWorld, type FunctionAnswer, PRICES } from '../support/worlds/billing-world.ts';
import { sharedBillingWorld } from '../support/worlds/shared-billing-world.ts';
import { type Buyer, billingStories, refusal } from './support/services/billing.ts';

describeOneDatabase('two processes', (kind) => {
  const world = sharedBillingWorld(kind);
  const second = openedForTests(() => secondProcess(world()));
  const { buyer, fault, undoFaults, watch } = billingStories(world);

  afterEach(undoFaults);

  /** The same call, half of the times to each. */
  const both = (ada: Buyer, count: number, name: string, body: object): Promise<FunctionAnswer[]> =>
    Promise.all(
      Array.from({ length: count }, (_, index) =>
        index % 2 === 0 ? ada.call(name, body) : second().call(ada.id, name, body),
      ),
    );
  const purchase = (plan: keyof typeof PRICES) => ({
    price_id: PRICES[plan],
    success_url: `${world().url}/checkout/success`,
    cancel_url: `${world().url}/checkout/cancel`,
    mode: 'subscription',
  });

  test('leave one open checkout, and let a user in between try again', async () => {
    const ada = await buyer();

    const answers = await both(ada, 8, 'stripe-checkout', purchase('bobcat'));

    const open = await world().stripe.checkout.sessions.list({ customer: ada.customerId, status: 'open' });
    expect(open.data).toHaveLength(1);
    for (const answer of answers)
      if (answer.body.ok === false) expect(answer).toEqual(refusal('billing/busy'));
      else expect(answer.body.sessionId).toBe(open.data[0]?.id);
    const [again] = await both(ada, 1, 'stripe-checkout', purchase('bobcat'));
    expect(again?.body.sessionId).toBe(open.data[0]?.id);
  });

  test('charge an upgrade once, also while the provider is slow with the first', async () => {
    const ada = await buyer();
    const body = { subscription_id: await ada.subscribe('bobcat'), new_price_id: PRICES.lion };
    await ada.call('preview-invoice', body);
    await fault({ method: 'POST', path: `/v1/subscriptions/${body.subscription_id}`, kind: 'slow', ms: 1500 });

    const answers = await both(ada, 6, 'update-subscription', body);

    for (const answer of answers)
      expect(answer.body).toMatchObject({ ok: true, subscription: { price_id: PRICES.lion } });
    const { data } = await world().stripe.invoices.list({ subscription: body.subscription_id });
    expect(data.map(({ amount_paid }) => amount_paid)).toEqual([4000, 2999]);
    await ada.agree();
  });

  test('plan a downgrade once', async () => {
    const ada = await buyer();
    const body = { subscription_id: await ada.subscribe('lion'), new_price_id: PRICES.bobcat };

    const answers = await both(ada, 6, 'update-subscription', body);

    for (const answer of answers) expect(answer).toMatchObject({ status: 200, body: { ok: true } });
    expect(await ada.row()).toMatchObject({ price_id: PRICES.lion, pending_price_id: PRICES.bobcat });
    await ada.agree();
  });

  test('cancel, and continue, as if they were one', async () => {
    const ada = await buyer();
    const body = { subscription_id: await ada.subscribe('bobcat') };
    const calls = await watch();

    const canceled = await both(ada, 6, 'cancel-subscription', body);
    for (const answer of canceled) expect(answer.body).toMatchObject({ ok: true });
    expect(await ada.row()).toMatchObject({ cancel_at_period_end: true });

    const resumed = await both(ada, 6, 'resume-subscription', body);
    for (const answer of resumed) expect(answer.body).toMatchObject({ ok: true });
    expect(await ada.row()).toMatchObject({ cancel_at_period_end: false });
    // At most one of each process.
    expect((await calls()).length).toBeLessThanOrEqual(4);
    await ada.agree();
  });
});

/** Billing alone, with a separate queue, which trusts the caller's name. */
async function secondProcess(world: BillingWorld) {
  const inFile = <T extends z.ZodMiniType>(schema: T, name: string): z.output<T> =>
    schema.parse(JSON.parse(readFileSync(join(world.dataDir, name), 'utf8')));
  const { secretKey } = inFile(z.object({ secretKey: z.string() }), 'payments-keys.json');
  const { hostname: host, port } = new URL(inFile(z.object({ url: z.string() }), 'payments-control.json').url);
  const billing = await openBilling({
    source: {
      mode: 'sandbox',
      secretKey,
      webhookSecrets: [],
      api: { protocol: 'http', host, port: Number(port) },
      pagesUrl: null,
    },
    database: world.database,
    clock: { nowMs: () => Date.now() },
    log: testLog,
    priceIds: PRICES,
    isOwnAddress: (url) => new URL(url).origin === world.url,
  });
  const callers: CallerReader = {
    read: () => Promise.reject(new Error('not called')),
    async requireUser(request) {
      const userId = (request.headers.get('authorization') ?? '').replace('Bearer ', '');
      return { role: 'authenticated', claims: { sub: userId }, userId, sessionId: userId };
    },
  };
  const requireAdmin = () => Promise.reject(new Error('not called'));
  const app = new Hono()
    .onError(errorResponse)
    .route('/', functionRoutes({ callers, requireAdmin }, billing.functions));
  const server = await listen(app.fetch, { host: '127.0.0.1', port: 0 }, testLog);
  const url = `http://127.0.0.1:${z.object({ port: z.number() }).parse(server.address()).port}`;
  return {
    async call(userId: string, name: string, body: object): Promise<FunctionAnswer> {
      const answer = await fetch(`${url}/functions/v1/${name}`, {
        method: 'POST',
        headers: { authorization: `Bearer ${userId}`, 'content-type': 'application/json' },
        body: JSON.stringify(body),
      });
      return { status: answer.status, body: z.record(z.string(), z.unknown()).parse(await answer.json()) };
    },
    async close() {
      await billing.close();
      await stopServer(server);
    },
  };
}
