/**
 * Purchases at the payment sandbox: checkout, payment on the hosted page, confirmation. Acknowledged: the page took the
 * money; then the plan follows, even if the redirect was lost. Half: money without the plan or a plan without money.
 * Twice: two customers, two subscriptions or two charges for one buyer.
 */
import Stripe from 'stripe';
import * as z from 'zod/mini';
import { PLANS } from '#domain/billing/plans.ts';
import { inTurn } from '../in-turn.ts';
import { describeAnswer, isTaken, type Site, type SiteAnswer, type SiteUser } from '../site.ts';
import type { Findings, WorkKind, WorkWorld } from './work-kind.ts';

/** Access to the payment sandbox's API on loopback. */
export interface ProviderKeys {
  secretKey: string;
  port: number;
}

const PAGE_LIMIT_MS = 8000;
const checkoutSchema = z.object({ url: z.string(), sessionId: z.string() });
const confirmedSchema = z.object({ status: z.literal('complete') });
const rowsSchema = z.array(
  z.object({
    subscription_id: z.nullable(z.string()),
    status: z.nullable(z.string()),
    price_id: z.nullable(z.string()),
  }),
);

interface Purchase {
  user: SiteUser;
  /** Reported by the page, which then redirects to the site. */
  isPaid: boolean;
  /** Closes the tab after paying: the site learns of it only from the provider. */
  leaves: boolean;
}

/** One in this many buyers leaves. */
const LEAVES_EVERY = 3;

/** Buys the largest plan, each step tried once; marks what was paid. @returns the refusal, or null if it is bought */
async function buy(site: Site, user: SiteUser, purchase: Purchase): Promise<string | null> {
  const { answer: opened, session } = await openCheckout(site, user);
  if (session === null) return `checkout ${describeAnswer(opened)}`;
  purchase.isPaid = (await payOnPage(session.url)) === true;
  if (!purchase.isPaid) return 'page';
  if (purchase.leaves) return null;
  const confirmed = await site.invoke(user, 'checkout-confirm', { session_id: session.sessionId });
  const isConfirmed = isTaken(confirmed) && confirmedSchema.safeParse(confirmed.body).success;
  return isConfirmed ? null : `confirmation ${describeAnswer(confirmed)}`;
}

/** Opens a checkout for the largest plan. @returns the answer, and its session unless it was refused */
export async function openCheckout(
  site: Site,
  user: SiteUser,
): Promise<{ answer: SiteAnswer; session: z.infer<typeof checkoutSchema> | null }> {
  const back = { success_url: `${site.url()}/checkout/success`, cancel_url: `${site.url()}/checkout/cancel` };
  const answer = await site.invoke(user, 'stripe-checkout', { price_id: site.priceId, mode: 'subscription', ...back });
  return { answer, session: checkoutSchema.safeParse(answer.body).data ?? null };
}

/** @returns whether the page confirms the payment; null: no answer, so it may have been made */
export async function payOnPage(url: string): Promise<boolean | null> {
  const body = new URLSearchParams({ action: 'pay', number: '4242424242424242', expiry: '12 / 34', cvc: '123' });
  const headers = { connection: 'close' };
  const signal = AbortSignal.timeout(PAGE_LIMIT_MS);
  return fetch(url, { method: 'POST', redirect: 'manual', body, headers, signal }).then(
    (answer) => answer.headers.get('location')?.includes('/checkout/success') ?? false,
    () => null,
  );
}

/** Before the fault, for users who need a plan. @throws Error if a step is refused */
export async function subscribeAt(site: Site, user: SiteUser): Promise<void> {
  const refused = await buy(site, user, { user, isPaid: false, leaves: false });
  if (refused !== null) throw new Error(`the plan of ${user.email} was not bought: ${refused}`);
}

export function purchases(world: WorkWorld, options: { provider(): ProviderKeys; settleMs: number }): WorkKind {
  const { site } = world;
  const begun: Purchase[] = [];

  /** What is wrong now with the money and the plan; both are empty if nothing is. */
  async function wrongWith(stripe: Stripe, { user, isPaid }: Purchase): Promise<Pick<Findings, 'lost' | 'money'>> {
    const [lost, money]: string[][] = [[], []];
    const path = `/rest/v1/stripe_user_subscriptions?select=subscription_id,status,price_id&user_id=eq.${user.id}`;
    const rows = rowsSchema.parse(await site.read(path, { user })).filter((row) => row.subscription_id !== null);
    const customers = (await stripe.customers.search({ query: `metadata['user_id']:'${user.id}'` })).data;
    const [customer] = customers;
    if (customers.length > 1) money?.push(`${user.email} has ${customers.length} customers`);
    const there =
      customer === undefined ? [] : (await stripe.subscriptions.list({ customer: customer.id, status: 'all' })).data;
    const invoices = customer === undefined ? [] : (await stripe.invoices.list({ customer: customer.id })).data;
    const paidCents = invoices.reduce((sum, invoice) => sum + invoice.amount_paid, 0);
    const owedCents = there.length === 0 ? 0 : PLANS.lion.priceCents;
    if (there.length > 1) money?.push(`${user.email} has ${there.length} subscriptions`);
    if (paidCents !== owedCents) money?.push(`${user.email} paid ${paidCents} cents for ${there.length} subscriptions`);
    if (isPaid && there.length === 0) money?.push(`${user.email} paid and has no subscription`);
    const [row] = rows;
    if (rows.length !== there.length) lost?.push(`${user.email}: ${there.length} at the provider, ${rows.length} rows`);
    else if (row !== undefined && row.subscription_id !== there[0]?.id)
      lost?.push(`${user.email}: the row has another subscription`);
    else if (row !== undefined && (row.status !== 'active' || row.price_id !== site.priceId))
      lost?.push(`${user.email}: the row is ${row.status} at ${row.price_id}`);
    return { lost: lost ?? [], money: money ?? [] };
  }

  return {
    prepare: async () => undefined,
    async write() {
      const user = world.users[begun.length];
      if (user === undefined) return null;
      const purchase: Purchase = { user, isPaid: false, leaves: begun.length % LEAVES_EVERY === 0 };
      begun.push(purchase);
      const refused = await buy(site, user, purchase);
      if (refused !== null) world.refused('purchases', refused);
      return purchase.isPaid;
    },
    async verify(findings) {
      const { secretKey, port } = options.provider();
      const stripe = new Stripe(secretKey, { host: '127.0.0.1', port, protocol: 'http' });
      const startedMs = Date.now();
      let lastMs = startedMs;
      await inTurn(begun, findings.lost, async (purchase) => {
        for (;;) {
          const { lost, money } = await wrongWith(stripe, purchase);
          if (lost.length + money.length === 0) return;
          lastMs = Date.now();
          if (lastMs > startedMs + options.settleMs) {
            findings.lost.push(...lost);
            findings.money.push(...money);
            return;
          }
          await new Promise((wake) => setTimeout(wake, 500));
        }
      });
      findings.notes.push(`the last purchase agreed ${lastMs - startedMs} ms after it was first looked at`);
    },
  };
}
