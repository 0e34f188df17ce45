/** Customers of the watched payment sandbox, each on a separate clock that moves only when a test moves it. */
import type Stripe from 'stripe';
import { BOBCAT, CARDS, type WatchedSandbox } from './watched-sandbox.ts';

export function newSession(stripe: Stripe, customer: string, price = BOBCAT) {
  return stripe.checkout.sessions.create({
    mode: 'subscription',
    customer,
    client_reference_id: 'u1',
    line_items: [{ price, quantity: 1 }],
    success_url: 'http://site.test/done?session={CHECKOUT_SESSION_ID}',
    cancel_url: 'http://site.test/plans',
    subscription_data: { metadata: { user_id: 'u1' }, billing_mode: { type: 'flexible' } },
  });
}

export async function aCustomer(stripe: Stripe) {
  const clock = await stripe.testHelpers.testClocks.create({ frozen_time: Math.floor(Date.now() / 1000), name: 'own' });
  const customer = await stripe.customers.create({ email: 'ada@example.com', test_clock: clock.id });
  /** @param seconds  since the clock's start */
  const pass = (seconds: number) =>
    stripe.testHelpers.testClocks.advance(clock.id, { frozen_time: clock.frozen_time + seconds });
  return { clock, customer, pass };
}

/** @throws Error if the card is declined */
export async function aSubscriber({ stripe, pay }: WatchedSandbox, price = BOBCAT, card: string = CARDS.good) {
  const { clock, customer, pass } = await aCustomer(stripe);
  const session = await newSession(stripe, customer.id, price);
  const { status } = await pay(session.url, card);
  if (status !== 303) throw new Error(`The card ${card} was answered with ${status}.`);
  const [subscription] = (await stripe.subscriptions.list({ customer: customer.id })).data;
  const [item] = subscription?.items.data ?? [];
  if (subscription === undefined || item === undefined) throw new Error('There is no subscription.');
  return { clock, customer, session, subscription, item, pass };
}

/** The id of a reference that may be expanded. @throws Error if there is no reference */
export function idOf(value: string | { id: string } | null | undefined): string {
  const id = typeof value === 'object' ? value?.id : value;
  if (id === undefined) throw new Error('Nothing is there.');
  return id;
}
