/** Buys plans over HTTP as any user does. Idempotent: only an account without a plan, or whose plan has ended, buys. */
import * as z from 'zod/mini';
import type { PaymentsSource } from '../../server/billing/provider/payments-source.ts';
import { openStripe } from '../../server/billing/provider/stripe-client.ts';
import { DEMO_ACCOUNTS, DEMO_PASSWORD, type DemoAccount } from './accounts.ts';

export interface DemoShop {
  /** Local address of the started server, without a trailing slash. */
  url: string;
  /** Null: payments are off. */
  source: PaymentsSource | null;
  priceIds: { bobcat: string; lion: string };
}

/** @returns a sentence for each account without a plan, with the reason: the site works without plans */
export async function subscribeDemoAccounts(shop: DemoShop): Promise<string[]> {
  const paying = DEMO_ACCOUNTS.filter(({ plan }) => plan !== 'free');
  const failures = await Promise.all(paying.map((account) => whyNot(shop, account)));
  return failures.flatMap((why, index) => (why === null ? [] : [`${paying[index]?.email} has no plan: ${why}`]));
}

async function whyNot(shop: DemoShop, account: DemoAccount): Promise<string | null> {
  if (shop.source === null) return 'nothing can be bought here';
  try {
    await subscribe(shop, shop.source, account);
    return null;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

const configSchema = z.object({ supabaseAnonKey: z.string() });
const sessionSchema = z.object({ access_token: z.string(), user: z.object({ id: z.string() }) });
const rowsSchema = z.array(z.object({ customer_id: z.string(), status: z.nullable(z.string()) }));
const checkoutSchema = z.union([
  z.object({ url: z.string(), sessionId: z.string() }),
  z.object({ ok: z.literal(false), error: z.string(), code: z.string() }),
]);
const confirmedSchema = z.object({ plan: z.string() });

const LIVE: ReadonlySet<string | null> = new Set(['active', 'trialing', 'past_due', 'unpaid', 'paused']);
/** The provider's test card that always succeeds. */
const CARD = { action: 'pay', number: '4242424242424242', expiry: '12 / 34', cvc: '123' };
const TIMEOUT_MS = 20_000;

/** @throws Error with a message for the operator */
async function subscribe(shop: DemoShop, source: PaymentsSource, account: DemoAccount): Promise<void> {
  if (account.plan === 'free') return;
  const { url } = shop;
  const { supabaseAnonKey: apikey } = configSchema.parse(await answerOf('the settings', `${url}/config.json`));
  const { access_token, user } = sessionSchema.parse(
    await answerOf('sign-in (password or second factor were changed)', `${url}/auth/v1/token?grant_type=password`, {
      ...json({ email: account.email, password: DEMO_PASSWORD }),
      headers: { 'content-type': 'application/json', apikey },
    }),
  );
  const headers = { 'content-type': 'application/json', apikey, authorization: `Bearer ${access_token}` };
  const call = (name: string, body: object) =>
    answerOf(name, `${url}/functions/v1/${name}`, { ...json(body), headers });

  await call('stripe-bootstrap', {});
  const rows = await answerOf(
    'the subscription',
    `${url}/rest/v1/stripe_user_subscriptions?select=customer_id,status&user_id=eq.${user.id}`,
    { headers },
  );
  const [row] = rowsSchema.parse(rows);
  if (row === undefined) throw new Error('the payment provider does not know the account');
  if (LIVE.has(row.status)) return;

  const priceId = shop.priceIds[account.plan];
  if (source.mode === 'test') await subscribeByApi(source, { customer: row.customer_id, priceId, userId: user.id });
  const checkout = checkoutSchema.parse(
    await call('stripe-checkout', {
      price_id: priceId,
      success_url: `${url}/checkout/success`,
      cancel_url: `${url}/checkout/cancel`,
      mode: 'subscription',
    }),
  );
  if ('code' in checkout) {
    // The provider knew of the plan before us; the server has stored it now.
    if (checkout.code === 'billing/already-subscribed') return;
    throw new Error(checkout.error);
  }
  await payOnPage(checkout.url, url);
  const confirmed = confirmedSchema.parse(await call('checkout-confirm', { session_id: checkout.sessionId }));
  if (confirmed.plan !== account.plan) throw new Error('the payment was not confirmed');
}

/** Sends the card form as a browser does. The page is on our own origin, under any of its host names. */
async function payOnPage(pageUrl: string, siteUrl: string): Promise<void> {
  const { pathname, search } = new URL(pageUrl);
  const form = { method: 'POST', body: new URLSearchParams(CARD), redirect: 'manual' } as const;
  const answer = await fetch(`${siteUrl}${pathname}${search}`, { ...form, signal: AbortSignal.timeout(TIMEOUT_MS) });
  await answer.body?.cancel();
  if (answer.headers.get('location') === null) throw new Error(`the payment page answered ${answer.status}`);
}

/**
 * The provider's own pages accept no program, so this uses its test card by name. The next checkout stores the result.
 */
async function subscribeByApi(
  source: PaymentsSource,
  { customer, priceId, userId }: { customer: string; priceId: string; userId: string },
): Promise<void> {
  const stripe = openStripe(source);
  const card = await stripe.paymentMethods.attach('pm_card_visa', { customer });
  await stripe.subscriptions.create({
    customer,
    items: [{ price: priceId }],
    default_payment_method: card.id,
    metadata: { user_id: userId },
    billing_mode: { type: 'flexible' },
  });
}

function json(body: object): { method: 'POST'; body: string } {
  return { method: 'POST', body: JSON.stringify(body) };
}

/** @throws Error that names what failed, without the answer's content */
async function answerOf(what: string, address: string, request: RequestInit = {}): Promise<unknown> {
  const answer = await fetch(address, { ...request, signal: AbortSignal.timeout(TIMEOUT_MS) });
  if (answer.ok) return answer.json();
  await answer.body?.cancel();
  throw new Error(`${what} was refused (${answer.status})`);
}
