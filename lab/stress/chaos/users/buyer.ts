/** Buys a plan, tries again where the outcome is unknown, cancels and resumes, and reads the plan meanwhile. */
import Stripe from 'stripe';
import * as z from 'zod/mini';
import { PLANS } from '../../../../domain/billing/plans.ts';
import type { Sighting } from '../history/history.ts';
import type { Answered } from '../history/recorder.ts';
import { type Act, type ActorContext, toAnswered } from './actor.ts';
import { openCheckout, type ProviderKeys, payOnPage } from './checkout.ts';
import { isTaken, type SiteUser } from './site.ts';

const confirmedSchema = z.object({ status: z.string() });
const rowsSchema = z.array(
  z.object({
    subscription_id: z.nullable(z.string()),
    cancel_at_period_end: z.nullable(z.boolean()),
  }),
);

/** What a buyer's page remembers. */
export interface Buyer {
  user: SiteUser;
  subscriptionId: string | null;
}

export function buyActs(context: ActorContext, buyer: Buyer): Act[] {
  return [
    [3, () => (buyer.subscriptionId === null ? buy(context, buyer) : readPlan(context, buyer))],
    [3, () => readPlan(context, buyer)],
    [3, () => change(context, buyer, 'cancel')],
    [2, () => change(context, buyer, 'resume')],
  ];
}

/** One in so many leaves after paying: the site learns of it only by the provider's event. */
const LEAVES = 0.4;
const CHANGES_MIND = 0.5;

export async function buy(context: ActorContext, buyer: Buyer): Promise<void> {
  const { site, recorder, random } = context;
  const { user } = buyer;
  const session = await openCheckout(site, user);
  if (session === null) return;
  const { priceCents: amountCents } = PLANS.lion;
  const paid = await recorder.call(user.email, { kind: 'pay', plan: 'lion', amountCents }, async () => {
    const isPaid = await payOnPage(session.url);
    return { outcome: isPaid === null ? 'maybe' : isPaid ? 'ok' : 'refused' };
  });
  if (paid.outcome === 'refused' || random() < LEAVES) return;
  await recorder.call(user.email, { kind: 'confirm' }, async () => {
    const answer = await site.invoke(user, 'checkout-confirm', { session_id: session.sessionId });
    if (!isTaken(answer)) return toAnswered(answer);
    const { status } = confirmedSchema.parse(answer.body);
    return { outcome: status === 'complete' ? 'ok' : 'refused', note: status };
  });
  await readPlan(context, buyer);
}

async function change(context: ActorContext, buyer: Buyer, kind: 'cancel' | 'resume'): Promise<void> {
  const { site, recorder, random } = context;
  const { user, subscriptionId } = buyer;
  if (subscriptionId === null) return;
  await recorder.call(user.email, { kind }, async () => {
    const body = { subscription_id: subscriptionId };
    return toAnswered(await site.invoke(user, `${kind}-subscription`, body));
  });
  await readPlan(context, buyer);
  // Thinks again while the provider's event of the first change is still on its way.
  if (random() < CHANGES_MIND) await change(context, buyer, kind === 'cancel' ? 'resume' : 'cancel');
}

export function readPlan({ site, recorder }: Pick<ActorContext, 'site' | 'recorder'>, buyer: Buyer): Promise<Answered> {
  const { user } = buyer;
  return recorder.call(user.email, { kind: 'read-plan' }, async () => {
    const path = `/rest/v1/stripe_user_subscriptions?select=subscription_id,cancel_at_period_end&user_id=eq.${user.id}`;
    const answer = await site.request(path, { user });
    if (!isTaken(answer)) return toAnswered(answer);
    const [row] = rowsSchema.parse(answer.body).filter((one) => one.subscription_id !== null);
    buyer.subscriptionId = row?.subscription_id ?? buyer.subscriptionId;
    const shown = { subscriptionId: row?.subscription_id ?? null, isEnding: row?.cancel_at_period_end ?? false };
    return { outcome: 'ok', answer: shown };
  });
}

/** What the provider has for a user: what was paid is without what was paid back. */
export async function readLedger(
  { secretKey, port }: ProviderKeys,
  { user }: Buyer,
): Promise<Extract<Sighting, { kind: 'ledger' }>> {
  const stripe = new Stripe(secretKey, { host: '127.0.0.1', port, protocol: 'http' });
  const customers = (await stripe.customers.search({ query: `metadata['user_id']:'${user.id}'` })).data;
  const subscriptions: z.infer<typeof ledgerSubscription>[] = [];
  const paidCents: number[] = [];
  for (const { id: customer } of customers) {
    for (const one of (await stripe.subscriptions.list({ customer, status: 'all' })).data)
      subscriptions.push({ id: one.id, status: one.status, isEnding: one.cancel_at_period_end });
    for (const invoice of (await stripe.invoices.list({ customer, status: 'paid' })).data) {
      const cents = invoice.amount_paid - (await refundedCents(stripe, invoice.id ?? ''));
      if (cents > 0) paidCents.push(cents);
    }
  }
  return { kind: 'ledger', user: user.email, customers: customers.length, subscriptions, paidCents };
}

const ledgerSubscription = z.object({ id: z.string(), status: z.string(), isEnding: z.boolean() });

async function refundedCents(stripe: Stripe, invoiceId: string): Promise<number> {
  const payments = (await stripe.invoicePayments.list({ limit: 100 })).data;
  const intent = payments.find(({ invoice }) => invoice === invoiceId)?.payment.payment_intent;
  if (intent == null) return 0;
  const id = typeof intent === 'string' ? intent : intent.id;
  const { latest_charge: charge } = await stripe.paymentIntents.retrieve(id, { expand: ['latest_charge'] });
  return typeof charge === 'object' && charge !== null ? charge.amount_refunded : 0;
}
