/** Buyers with separate clocks, and the changes requested from the payment sandbox. */
import { createClient } from '@supabase/supabase-js';
import { expect } from 'vitest';
import * as z from 'zod/mini';
import type { ErrorCode } from '#domain/errors/app-error.ts';
import { MESSAGES } from '#domain/errors/messages.ts';
import { type BillingWorld, type FunctionAnswer, PRICES } from '../../../support/worlds/billing-world.ts';

export const DAY_S = 86_400;

type Plan = keyof typeof PRICES;

/** What goes wrong with which calls; see docs/payments-sandbox.md. */
export interface Fault {
  method: 'GET' | 'POST' | 'DELETE';
  path: string;
  kind: 'timeout' | 'reset_before' | 'reset_after' | 'http_500' | 'http_429' | 'http_409' | 'slow';
  times?: number;
  ms?: number;
}

export type Buyer = Awaited<ReturnType<ReturnType<typeof billingStories>['buyer']>>;

const rowSchema = z.object({
  customer_id: z.string(),
  subscription_id: z.nullable(z.string()),
  price_id: z.nullable(z.string()),
  status: z.nullable(z.string()),
  current_period_start: z.nullable(z.number()),
  current_period_end: z.nullable(z.number()),
  cancel_at_period_end: z.nullable(z.boolean()),
  pending_subscription_id: z.nullable(z.string()),
  pending_price_id: z.nullable(z.string()),
});

/** What the product's rules refuse, as it travels. */
export function refusal(code: ErrorCode): FunctionAnswer {
  return { status: 200, body: { ok: false, error: MESSAGES[code], reason: MESSAGES[code], code } };
}

/** Trouble, and what is wrong with the call itself. */
export function failure(status: number, code: ErrorCode): FunctionAnswer {
  return { status, body: { error: MESSAGES[code], code } };
}

export function billingStories(world: () => BillingWorld) {
  /** A signed-in user whose customer has a separate clock. @param startS  default: now */
  async function buyer(startS = Math.floor(Date.now() / 1000)) {
    const { stripe, url, control } = world();
    const person = await world().signUp();
    const clock = await stripe.testHelpers.testClocks.create({ frozen_time: startS });
    await control('POST', '/clock', { default_test_clock: clock.id });
    expect(await world().call(person, 'stripe-bootstrap')).toEqual({ status: 200, body: { ok: true } });
    await control('POST', '/clock', { default_test_clock: null });

    const call = (name: string, body: object = {}) => world().call(person, name, body);
    const row = async () => rowSchema.parse(await world().row(person));
    const checkout = (plan: Plan, changes: object = {}) =>
      call('stripe-checkout', {
        price_id: PRICES[plan],
        success_url: `${url}/checkout/success`,
        cancel_url: `${url}/checkout/cancel`,
        mode: 'subscription',
        ...changes,
      });

    return {
      ...person,
      person,
      customerId: (await row()).customer_id,
      client: createClient(url, 'anon', { accessToken: async () => person.accessToken }),
      call,
      row,
      checkout,
      /** Buys a plan as a browser would. @returns the subscription's id */
      async subscribe(plan: Plan, card?: string): Promise<string> {
        const { body } = await checkout(plan);
        await world().pay(String(body.url), card);
        const confirmed = await call('checkout-confirm', { session_id: body.sessionId });
        expect(confirmed).toMatchObject({ status: 200, body: { status: 'complete', plan } });
        return (await row()).subscription_id ?? '';
      },
      /** Moves the clock, a month at a time. @param atS  epoch seconds */
      async advanceTo(atS: number): Promise<void> {
        const { frozen_time } = await stripe.testHelpers.testClocks.retrieve(clock.id);
        for (let nowS = frozen_time; nowS < atS; ) {
          nowS = Math.min(atS, nowS + 31 * DAY_S);
          await stripe.testHelpers.testClocks.advance(clock.id, { frozen_time: nowS });
        }
      },
      /** The present price, by the provider. */
      async price(subscriptionId: string): Promise<string | undefined> {
        return (await stripe.subscriptions.retrieve(subscriptionId)).items.data[0]?.price.id;
      },
      /** The rows and the provider's state, once its events are taken. */
      async agree(): Promise<void> {
        await world().settled();
        expect(await world().disagreements(person)).toEqual([]);
      },
    };
  }

  const newest = async () => (await world().requests()).at(-1)?.number ?? 0;
  const newer = async (after: number) => (await world().requests()).filter(({ number }) => number > after);

  return {
    buyer,
    /** Counts from now on, once events are taken. @returns all calls about this customer, subscription or any checkout */
    async callsAbout(id: string): Promise<() => Promise<string[]>> {
      await world().settled();
      const before = await newest();
      return async () =>
        (await newer(before))
          .map(({ method, path }) => `${method} ${path}`)
          .filter((call) => call.includes(id) || call.includes('/v1/checkout'));
    },
    /** Until `undoFaults`. */
    fault: (fault: Fault) => world().control('POST', '/faults', fault),
    undoFaults: () => world().control('DELETE', '/faults'),
    /** Lets the provider's events wait while `act` runs: what is known then, our own calls have written. */
    async withoutEvents<T>(act: () => Promise<T>): Promise<T> {
      await world().control('POST', '/webhooks', { mode: 'hold' });
      try {
        return await act();
      } finally {
        await world().control('POST', '/webhooks', { mode: 'deliver' });
        await world().control('POST', '/webhooks/release');
      }
    },
    /** Counts from now on. @returns calls that changed something, in order, with ids left out */
    async watch(): Promise<() => Promise<string[]>> {
      const before = await newest();
      return async () =>
        (await newer(before))
          .filter(({ method, is_replayed }) => method !== 'GET' && !is_replayed)
          .map(
            ({ method, path }) => `${method} ${path.replace(/(sub_sched|sub|cus|cs_test|in)_[A-Za-z0-9]+/g, ':id')}`,
          );
    },
  };
}
