/**
 * The sandbox, or the provider's own test mode. Calls replace the hosted pages. Events are fetched and posted to the
 * server, which cannot be reached from outside this machine.
 */
import { randomBytes, randomUUID } from 'node:crypto';
import Stripe from 'stripe';
import * as z from 'zod/mini';
import { PLANS } from '#domain/billing/plans.ts';
import { SERVICE } from '../../../server/platform/database/database.ts';
import { openTestDatabase } from '../database/database.ts';
import { startWholeServer } from '../servers/whole-server.ts';
import { eventually } from './billing-world.ts';

export interface ProviderAccess {
  secretKey: string;
  /** On loopback; null: the provider's own address. */
  port: number | null;
  /** Makes the next reads of products fail as too many, if the provider can simulate that. */
  crowd(): Promise<unknown>;
  close(): Promise<unknown>;
}

export type ProviderWorld = Awaited<ReturnType<typeof openProviderWorld>>;
type Plan = 'bobcat' | 'lion';

/** Marks everything that the suite creates, so that leftovers of an aborted run can be found at the provider. */
export const SUITE = 'kat test suite';
const CLOCK_MS = 120_000;
const SETTLED_MS = 60_000;

const configSchema = z.object({ supabaseAnonKey: z.string() });
const signedUp = z.object({ access_token: z.string(), user: z.object({ id: z.string() }) });
const answerSchema = z.record(z.string(), z.unknown());

/** @throws Error for a key that isn't of the test mode, before any call is made with it */
export function testModeAccess(secretKey: string): ProviderAccess {
  if (!/^(?:sk|rk)_test_\w+$/.test(secretKey))
    throw new Error('STRIPE_TEST_KEY must begin with sk_test_ or rk_test_: these tests never touch real money.');
  return { secretKey, port: null, crowd: async () => undefined, close: async () => undefined };
}

/** @throws Error if the provider refuses a step; what was created until then is removed */
export async function openProviderWorld(access: ProviderAccess) {
  const at = access.port === null ? {} : ({ host: '127.0.0.1', port: access.port, protocol: 'http' } as const);
  const stripe = new Stripe(access.secretKey, { ...at, telemetry: false });
  const secret = `whsec_${randomBytes(16).toString('hex')}`;
  const undo: (() => Promise<unknown>)[] = [access.close];

  /** Undoes the steps, newest first. @throws Error if something could not be removed: look for it at the provider */
  async function close(): Promise<void> {
    const failed: unknown[] = [];
    for (const step of undo.splice(0).reverse()) await step().catch((error: unknown) => failed.push(error));
    if (failed.length > 0) throw new AggregateError(failed, `${failed.length} steps of cleaning up failed.`);
  }

  async function newPrice(plan: Plan): Promise<string> {
    const product = await stripe.products.create({ name: `${SUITE}: ${plan}` });
    undo.push(() => stripe.products.update(product.id, { active: false }));
    const terms = { currency: 'usd', unit_amount: PLANS[plan].priceCents, recurring: { interval: 'month' } } as const;
    const price = await stripe.prices.create({ product: product.id, ...terms });
    undo.push(() => stripe.prices.update(price.id, { active: false }));
    return price.id;
  }

  async function opened() {
    const prices = { bobcat: await newPrice('bobcat'), lion: await newPrice('lion') };
    const database = await openTestDatabase('pglite');
    undo.push(() => database.close());
    const server = await startWholeServer(database, {
      env: {
        STRIPE_SECRET_KEY: access.secretKey,
        STRIPE_WEBHOOK_SECRET: secret,
        STRIPE_PRICES: `bobcat=${prices.bobcat},lion=${prices.lion}`,
      },
      addresses: access.port === null ? {} : { stripeUrl: `http://127.0.0.1:${access.port}` },
    });
    undo.push(() => server.close());
    const { url } = server;
    const apikey = configSchema.parse(await (await fetch(`${url}/config.json`)).json()).supabaseAnonKey;

    async function post(path: string, body: unknown, headers: Record<string, string>) {
      const init = { method: 'POST', headers: { 'content-type': 'application/json', ...headers } };
      const answer = await fetch(`${url}${path}`, { ...init, body: JSON.stringify(body) });
      return { status: answer.status, body: answerSchema.parse(await answer.json()) };
    }

    /** A user of the product; `call` calls a server function. */
    async function person() {
      const email = `ada-${randomUUID()}@example.com`;
      const answer = await post('/auth/v1/signup', { email, password: 'Password1' }, { apikey });
      const { access_token, user } = signedUp.parse(answer.body);
      const authorization = `Bearer ${access_token}`;
      return {
        id: user.id,
        email,
        call: (name: string, body: object = {}) => post(`/functions/v1/${name}`, body, { apikey, authorization }),
        async row(): Promise<Record<string, unknown> | null> {
          const text = 'select * from public.stripe_user_subscriptions where user_id = $1';
          return (await database.query(SERVICE, text, [user.id]))[0] ?? null;
        },
      };
    }

    /** A user with a plan, on a separate test clock that starts now and moves only when a test moves it. */
    async function subscriber(plan: Plan) {
      const ada = await person();
      const frozen_time = Math.floor(Date.now() / 1000);
      const clock = await stripe.testHelpers.testClocks.create({ frozen_time, name: SUITE });
      // Deleting the clock deletes its customer and subscription.
      undo.push(() => stripe.testHelpers.testClocks.del(clock.id));
      const metadata = { user_id: ada.id };
      const { id: customer } = await stripe.customers.create({ test_clock: clock.id, metadata });

      /** Sets the card for later charges. @param token  the provider's name for a test card */
      async function payBy(token: string): Promise<string> {
        const { id } = await stripe.paymentMethods.attach(token, { customer });
        await stripe.customers.update(customer, { invoice_settings: { default_payment_method: id } });
        return id;
      }

      await payBy('pm_card_visa');
      const items = [{ price: prices[plan] }];
      const { id } = await stripe.subscriptions.create({
        customer,
        items,
        metadata,
        billing_mode: { type: 'flexible' },
      });

      /** Events of this customer, newest first. */
      const events = async () =>
        (await stripe.events.list({ limit: 100 }).autoPagingToArray({ limit: 500 })).filter((event) =>
          JSON.stringify(event).includes(customer),
        );
      const posted = new Set<string>();

      /** Posts events in the wrong order, each twice: neither may matter. */
      async function postEvents(): Promise<void> {
        for (const event of (await events()).filter((one) => !posted.has(one.id))) {
          const payload = JSON.stringify(event);
          const signature = stripe.webhooks.generateTestHeaderString({ payload, secret });
          const headers = { 'stripe-signature': signature };
          for (let copy = 0; copy < 2; copy += 1) {
            const { status } = await fetch(`${url}/billing/webhook`, { method: 'POST', headers, body: payload });
            if (status !== 200) throw new Error(`The event ${event.type} was answered with ${status}.`);
          }
          posted.add(event.id);
        }
      }

      const now = () => stripe.subscriptions.retrieve(id);
      const member = {
        ...ada,
        subscriptionId: id,
        customer,
        payBy,
        events,
        now,
        /** The row, once it agrees with the provider. @throws Error with both if it does not */
        async settled() {
          let difference = '';
          const agreed = async () => {
            await postEvents();
            const [row, there] = [await ada.row(), await now()];
            const { status, ended_at, cancel_at, cancel_at_period_end } = there;
            const item = there.items.data[0];
            const expected = {
              subscription_id: id,
              status,
              price_id: item?.price.id,
              current_period_end: Math.min(item?.current_period_end ?? 0, ended_at ?? Number.POSITIVE_INFINITY),
              cancel_at_period_end: cancel_at_period_end || (cancel_at !== null && ended_at === null),
            };
            difference = `${JSON.stringify(row)}, and not ${JSON.stringify(expected)}`;
            return row !== null && Object.entries(expected).every(([field, value]) => row[field] === value)
              ? row
              : null;
          };
          return eventually(agreed, SETTLED_MS).catch((cause: unknown) => {
            throw new Error(difference === '' ? 'No events were accepted.' : `The row is ${difference}.`, { cause });
          });
        },
        change: (name: string, to?: Plan) =>
          ada.call(name, { subscription_id: id, ...(to === undefined ? {} : { new_price_id: prices[to] }) }),
        async advanceTo(atS: number): Promise<void> {
          await stripe.testHelpers.testClocks.advance(clock.id, { frozen_time: atS });
          await eventually(async () => {
            const { status } = await stripe.testHelpers.testClocks.retrieve(clock.id);
            return status === 'advancing' ? null : status;
          }, CLOCK_MS);
        },
        async period() {
          const item = (await now()).items.data[0];
          if (item === undefined) throw new Error('The subscription has no item.');
          return { itemId: item.id, startS: item.current_period_start, endS: item.current_period_end };
        },
      };
      await member.settled();
      return member;
    }

    return { stripe, url, prices, person, subscriber, crowd: access.crowd, undoLater: undo.push.bind(undo), close };
  }

  return opened().catch(async (error: unknown) => {
    await close();
    throw error;
  });
}
