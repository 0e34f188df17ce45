/** What must agree about a person whenever nothing is in progress. */
import { planOf } from '#domain/billing/entitlement.ts';
import { PLANS, priceTableOf } from '#domain/billing/plans.ts';
import { subscriptionState } from '#domain/billing/subscription-state.ts';
import { type BillingWorld, PRICES } from '../worlds/billing-world.ts';
import { ownRows } from './acts.ts';
import type { ModelPerson } from './person.ts';
import { type Live, providerStateOf } from './provider-state.ts';

const PRICE_TABLE = priceTableOf(PRICES);
const GRACE_S = 7200;

/** @returns each disagreement as a sentence */
export async function checked(world: BillingWorld, person: ModelPerson, nowS: () => number): Promise<string[]> {
  const fields = await world.disagreements(person);
  const wrong = fields.map(
    ({ of, field, provider, row }) =>
      `${of}.${field}: ${JSON.stringify(provider)} at the provider, ${JSON.stringify(row)} in the row`,
  );
  const { live, liveCount, customerId } = await providerStateOf(world, person.id);
  if (liveCount > 1) wrong.push(`${liveCount} subscriptions live at the same time`);

  const fromS = nowS();
  const rows = await ownRows(world, person);
  if (rows.length > 1) wrong.push(`${rows.length} rows of one person`);
  const row = rows[0] ?? null;
  const quota = await world.call(person, 'get-quota');
  const [gate] = await world.rows('select private.plan_of($1) as plan, private.allowed_models($1) as models', [
    person.id,
  ]);
  const toS = nowS();
  const screen = planOf(row, PRICE_TABLE, toS);
  // At the boundary's own second, either answer may be right.
  const isSure = planOf(row, PRICE_TABLE, fromS) === screen;
  if (isSure) {
    const spec = await planBySpecification(world, { customerId, live }, toS);
    if (spec !== screen) wrong.push(`by the specification the plan is ${spec}, on the screen ${screen}`);
    if (subscriptionState(row, PRICE_TABLE, toS).plan !== screen) wrong.push('the page and its buttons have two plans');
    if (gate?.plan !== screen) wrong.push(`on the screen the plan is ${screen}, at the gate ${String(gate?.plan)}`);
    const models = Array.isArray(gate?.models) ? gate.models.length : -1;
    if (models !== PLANS[screen].models.length) wrong.push(`${screen} has ${models} models at the gate`);
    if (quota.body.remaining_monthly !== PLANS[screen].perMonth)
      wrong.push(`${screen} has a quota of ${String(quota.body.remaining_monthly)}`);
  }
  return wrong;
}

/** An independent implementation from the provider's own state: five statuses, else two hours after a requested end. */
async function planBySpecification(
  { stripe }: BillingWorld,
  { customerId, live }: { customerId: string | null; live: Live | null },
  nowS: number,
): Promise<string> {
  const named = (price: string | undefined) => Object.entries(PRICES).find(([, id]) => id === price)?.[0] ?? 'free';
  if (live !== null) return named(live.priceId);
  if (customerId === null) return 'free';
  const ended = (await stripe.subscriptions.list({ customer: customerId, status: 'all', limit: 100 })).data
    .filter(({ status }) => status === 'canceled')
    .map((sub) => {
      const item = sub.items.data[0];
      return {
        endS: Math.min(item?.current_period_end ?? 0, sub.ended_at ?? Number.POSITIVE_INFINITY),
        price: item?.price.id,
      };
    })
    .toSorted((a, b) => b.endS - a.endS)[0];
  return ended !== undefined && nowS < ended.endS + GRACE_S ? named(ended.price) : 'free';
}

/** Every period is charged once, at a price that is sold; of two overlapping subscriptions, the newer was refunded. */
export async function checkedMoney({ stripe }: BillingWorld, person: ModelPerson): Promise<string[]> {
  const [customer] = (await stripe.customers.search({ query: `metadata['user_id']:'${person.id}'` })).data;
  if (customer === undefined) return [];
  const wrong: string[] = [];
  const paid = (await stripe.invoices.list({ customer: customer.id, status: 'paid', limit: 100 })).data;
  const charged = new Set<string>();
  for (const invoice of paid) {
    if (!Number.isInteger(invoice.total)) wrong.push(`${invoice.id} is not in whole cents`);
    const lines = invoice.lines.data.reduce((sum, { amount }) => sum + amount, 0);
    if (lines !== invoice.total) wrong.push(`${invoice.id}: its lines are ${lines}, its total ${invoice.total}`);
    if (invoice.billing_reason !== 'subscription_cycle' && invoice.billing_reason !== 'subscription_create') continue;
    if (![2999, 6999].includes(invoice.total)) wrong.push(`${invoice.id} charged ${invoice.total} for a period`);
    const of = invoice.parent?.subscription_details?.subscription;
    const period = `${typeof of === 'string' ? of : of?.id} ${invoice.lines.data[0]?.period.start}`;
    if (charged.has(period)) wrong.push(`a period was charged twice: ${period}`);
    charged.add(period);
  }
  return [...wrong, ...(await doubles({ stripe }, customer.id))];
}

async function doubles({ stripe }: Pick<BillingWorld, 'stripe'>, customer: string): Promise<string[]> {
  const all = (await stripe.subscriptions.list({ customer, status: 'all', limit: 100 })).data
    .filter(({ status }) => status !== 'incomplete_expired')
    .toSorted((a, b) => a.created - b.created || a.id.localeCompare(b.id));
  const wrong: string[] = [];
  for (const [at, newer] of all.entries()) {
    const overlaps = all.slice(0, at).some(({ ended_at }) => ended_at === null || ended_at > newer.created);
    if (!overlaps) continue;
    const payments = (await stripe.invoicePayments.list({ limit: 100 })).data;
    const invoice = typeof newer.latest_invoice === 'string' ? newer.latest_invoice : newer.latest_invoice?.id;
    const intent = payments.find((one) => one.invoice === invoice)?.payment.payment_intent;
    if (intent == null) continue;
    const id = typeof intent === 'string' ? intent : intent.id;
    const { latest_charge: charge } = await stripe.paymentIntents.retrieve(id, { expand: ['latest_charge'] });
    if (typeof charge === 'object' && charge !== null && charge.amount_refunded !== charge.amount)
      wrong.push(`${newer.id} ran beside another and was not paid back`);
  }
  return wrong;
}
