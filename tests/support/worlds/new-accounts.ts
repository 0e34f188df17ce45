/** Accounts that a test creates on a running server over HTTP, so that no test changes what another one sees. */
import { randomUUID } from 'node:crypto';
import { createClient, type SupabaseClient } from '@supabase/supabase-js';
import * as z from 'zod/mini';
import type { PlanName } from '#domain/billing/plans.ts';
import { START_EVENT, storedForecastSchema, streamStartSchema } from '#domain/forecast/stream-message.ts';
import { PASSWORD } from '../browser/site-driver.ts';
import { codeIn, siteMailTo } from '../wire/mailbox.ts';

export interface Account {
  email: string;
  id: string;
  /** Signed in. */
  client: SupabaseClient;
}

const GOOD_CARD = { action: 'pay', number: '4242424242424242', expiry: '12 / 34', cvc: '123' };
const BTC_STREAM = '/stream-kat2?exc=BINANCE&sym=BTCUSDT.P&fbars=50&lkbk=450&amp=100&ver=213';
const BTC = { model: 'kat1', cryptocurrency: 'BTC', timeframe: '1min' } as const;

const configSchema = z.object({ supabaseUrl: z.string(), supabaseAnonKey: z.string() });
const checkoutSchema = z.object({ url: z.string(), sessionId: z.string() });
const confirmedSchema = z.object({ plan: z.string() });

export async function newClient(url: string): Promise<SupabaseClient> {
  const config = configSchema.parse(await (await fetch(`${url}/config.json`)).json());
  return createClient(config.supabaseUrl, config.supabaseAnonKey, {
    auth: { persistSession: false, autoRefreshToken: false },
  });
}

/** Signs up with an address that no other test uses, and with the password of all test accounts. */
export async function newAccount(url: string): Promise<Account> {
  const client = await newClient(url);
  const email = `person-${randomUUID()}@example.com`;
  const { data, error } = await client.auth.signUp({
    email,
    password: PASSWORD,
    options: { data: { full_name: 'Ada Example' } },
  });
  if (error) throw error;
  if (data.user === null) throw new Error('the sign-up returned no user');
  return { email, id: data.user.id, client };
}

/** A new account that bought a plan on the payment sandbox's page. */
export async function newSubscriber(url: string, plan: Exclude<PlanName, 'free'>): Promise<Account> {
  const account = await newAccount(url);
  const checkout = checkoutSchema.parse(
    await invoke(account, 'stripe-checkout', {
      price_id: `price_kat_${plan}_monthly`,
      success_url: `${url}/checkout/success`,
      cancel_url: `${url}/checkout/cancel`,
      mode: 'subscription',
    }),
  );
  await fetch(checkout.url, { method: 'POST', body: new URLSearchParams(GOOD_CARD), redirect: 'manual' });
  const confirmed = confirmedSchema.parse(
    await invoke(account, 'checkout-confirm', { session_id: checkout.sessionId }),
  );
  if (confirmed.plan !== plan) throw new Error(`the payment did not start the plan: ${confirmed.plan}`);
  return account;
}

/** As its owner does by the email of the sign-up: before that, there are no keys, webhooks and chats. */
export async function proveAddress(url: string, { client, email }: Account): Promise<void> {
  const token = codeIn(await siteMailTo(url, email, /^Confirm your email address$/));
  const { error } = await client.auth.verifyOtp({ type: 'email', email, token });
  if (error) throw error;
}

/** Streams a Bitcoin forecast to a subscriber and saves it, in the five seconds that the stream takes. */
export async function savePrediction(url: string, { client }: Account): Promise<void> {
  const { data } = await client.auth.getSession();
  const headers = { authorization: `Bearer ${data.session?.access_token}` };
  const stream = await fetch(`${url}${BTC_STREAM}`, { headers });
  const start = new RegExp(`^event: ${START_EVENT}\\n(?:id: .+\\n)?data: (.+)$`, 'm').exec(await stream.text())?.[1];
  if (start === undefined) throw new Error(`the stream did not start: ${stream.status}`);
  const { reservationId } = streamStartSchema.parse(JSON.parse(start));
  const stored = await fetch(`${url}/forecast/reservations/${reservationId}`, { headers });
  const { history, forecast } = storedForecastSchema.parse(await stored.json());
  await invoke({ client }, 'create-prediction', { ...BTC, data: [...history, ...forecast] });
}

async function invoke({ client }: Pick<Account, 'client'>, name: string, body: object): Promise<unknown> {
  const { data, error } = await client.functions.invoke<unknown>(name, { body });
  if (error) throw error;
  return data;
}
