/**
 * People sign up and pay on the hosted page as a browser would; the sandbox's control API delays or breaks calls and
 * events.
 */
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import Stripe from 'stripe';
import * as z from 'zod/mini';
import { type Database, SERVICE } from '../../../server/platform/database/database.ts';
import { type Disagreement, disagreements } from './billing-agreement.ts';
import './quick-stripe-retries.ts';
import { openTestDatabase, type TestDatabaseKind } from '../database/database.ts';
import { startWholeServer, type WholeServer, type WholeServerOptions } from '../servers/whole-server.ts';

export const PRICES = { bobcat: 'price_kat_bobcat_monthly', lion: 'price_kat_lion_monthly' } as const;
export const CARDS = {
  good: '4242424242424242',
  mastercard: '5555555555554444',
  declined: '4000000000000002',
  failsLater: '4000000000000341',
  consentOnce: '4000002500003155',
  consentAlways: '4000002760003184',
} as const;

export interface Person {
  id: string;
  email: string;
  accessToken: string;
  refreshToken: string;
}

export interface FunctionAnswer {
  status: number;
  body: Record<string, unknown>;
}

/** A hosted page's answer to a form. */
export interface PageAnswer {
  status: number;
  /** Where it redirects the browser; null: nowhere. */
  location: string | null;
  text: string;
}

export interface Delivery {
  event: string;
  type: string;
  status: number;
  attempt: number;
  body: string;
  header: string;
}

export interface SeenRequest {
  /** Counts from 1 over all requests; the sandbox drops old ones. */
  number: number;
  method: string;
  path: string;
  idempotency_key: string | null;
  is_replayed: boolean;
}

export interface BillingWorld {
  url: string;
  dataDir: string;
  database: Database;
  /** The provider's SDK, for the test's own calls to the sandbox. */
  stripe: Stripe;
  signUp(name?: string): Promise<Person>;
  /** New tokens, for a person whose old ones expired. */
  refresh(person: Person): Promise<void>;
  /** Reads a table or view with the person's own rights. @param query  after /rest/v1/ */
  read(person: Person, query: string): Promise<unknown>;
  /** Calls a server function and returns any answer. */
  call(person: Person, name: string, body?: unknown): Promise<FunctionAnswer>;
  checkout(person: Person, plan: keyof typeof PRICES): Promise<{ url: string; sessionId: string }>;
  /** Pays on a hosted page, and gives consent if the page requires it. */
  pay(url: string, card?: string): Promise<PageAnswer>;
  /** Checkout and payment; waits until the row is there. @returns the subscription's id */
  buy(person: Person, plan: keyof typeof PRICES, card?: string): Promise<string>;
  /** @param path  after /_control */
  control(method: 'GET' | 'POST' | 'DELETE', path: string, body?: unknown): Promise<unknown>;
  deliveries(): Promise<Delivery[]>;
  /** API calls that the sandbox has received. */
  requests(): Promise<SeenRequest[]>;
  /** The person's row of the view; null without a customer. */
  row(person: Person): Promise<Record<string, unknown> | null>;
  /** Rows of a statement run as the service. */
  rows(text: string, params?: readonly unknown[]): Promise<Record<string, unknown>[]>;
  /** The person's rows compared with the provider's state, field by field. Empty: they agree. */
  disagreements(person: Person): Promise<Disagreement[]>;
  /** Waits until every event was received and processed, except dropped ones. */
  settled(): Promise<void>;
  /** Excludes the newest events from `settled`: erasing an account deletes the rows of its events. */
  forgetEvents(): Promise<void>;
  close(): Promise<void>;
}

const tokenSchema = z.object({
  access_token: z.string(),
  refresh_token: z.string(),
  user: z.object({ id: z.string(), email: z.string() }),
});
const checkoutSchema = z.object({ url: z.string(), sessionId: z.string() });
const controlFileSchema = z.object({ url: z.string(), token: z.string() });
const keysSchema = z.object({ secretKey: z.string(), webhookSecret: z.string() });
const deliveriesSchema = z.object({
  deliveries: z.array(
    z.object({
      event: z.string(),
      type: z.string(),
      status: z.number(),
      attempt: z.number(),
      body: z.string(),
      header: z.string(),
    }),
  ),
});
const eventsSchema = z.object({ events: z.array(z.string()) });
const requestsSchema = z.object({
  requests: z.array(
    z.object({
      number: z.number(),
      method: z.string(),
      path: z.string(),
      idempotency_key: z.nullable(z.string()),
      is_replayed: z.boolean(),
    }),
  ),
});

export async function openBillingWorld(
  kind: TestDatabaseKind,
  options: Pick<WholeServerOptions, 'env' | 'log' | 'hasCommunity' | 'modelsDir'> = {},
): Promise<BillingWorld> {
  const database = await openTestDatabase(kind);
  const server = await startWholeServer(database, options);
  return connectBillingWorld(database, server, async () => {
    await server.close();
    await database.close();
  });
}

/** Events that were lost on purpose, so `settled` does not wait for them. */
export interface Losses {
  lost: Set<string>;
  isLosing: boolean;
}

/**
 * The billing test interface of a running server.
 *
 * @param close  closes what was opened for it
 * @param losses  those of the previous server on the same data
 */
export async function connectBillingWorld(
  database: Database,
  { url, dataDir }: Pick<WholeServer, 'url' | 'dataDir'>,
  close: () => Promise<void>,
  losses: Losses = { lost: new Set(), isLosing: false },
): Promise<BillingWorld> {
  const inFile = <T extends z.ZodMiniType>(schema: T, name: string): z.output<T> =>
    schema.parse(JSON.parse(readFileSync(join(dataDir, name), 'utf8')));
  const controlled = inFile(controlFileSchema, 'payments-control.json');
  const { secretKey } = inFile(keysSchema, 'payments-keys.json');
  const port = Number(new URL(controlled.url).port);
  const stripe = new Stripe(secretKey, { host: '127.0.0.1', port, protocol: 'http', maxNetworkRetries: 0 });

  const anonKey = z
    .object({ supabaseAnonKey: z.string() })
    .parse(await (await fetch(`${url}/config.json`)).json()).supabaseAnonKey;

  async function post(path: string, body: unknown, headers: Record<string, string>): Promise<FunctionAnswer> {
    const answer = await fetch(`${url}${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
    });
    return { status: answer.status, body: z.record(z.string(), z.unknown()).parse(await answer.json()) };
  }

  async function control(method: string, path: string, body?: unknown): Promise<unknown> {
    const answer = await fetch(`${controlled.url}${path}`, {
      method,
      headers: { 'x-standin-token': controlled.token, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    if (!answer.ok) throw new Error(`The control answered ${answer.status} to ${path}.`);
    return answer.json();
  }

  const newestEvents = async () => eventsSchema.parse(await control('GET', '/events')).events;

  async function forgetEvents(): Promise<void> {
    for (const id of await newestEvents()) losses.lost.add(id);
  }

  async function deliverAs(mode: unknown): Promise<void> {
    if (losses.isLosing) await forgetEvents();
    losses.isLosing = z.object({ mode: z.optional(z.string()) }).parse(mode).mode === 'drop';
  }

  async function form(address: string, fields: Record<string, string>): Promise<PageAnswer> {
    const answer = await fetch(address, { method: 'POST', redirect: 'manual', body: new URLSearchParams(fields) });
    return { status: answer.status, location: answer.headers.get('location'), text: await answer.text() };
  }

  const world: BillingWorld = {
    url,
    dataDir,
    database,
    stripe,
    async signUp(name = 'Ada') {
      const email = `${name.toLowerCase()}-${randomUUID()}@example.com`;
      const answer = await post(
        '/auth/v1/signup',
        { email, password: 'Password1', data: { full_name: name } },
        { apikey: anonKey },
      );
      const { access_token, refresh_token, user } = tokenSchema.parse(answer.body);
      return { id: user.id, email: user.email, accessToken: access_token, refreshToken: refresh_token };
    },
    async refresh(person) {
      const body = { refresh_token: person.refreshToken };
      const answer = await post('/auth/v1/token?grant_type=refresh_token', body, { apikey: anonKey });
      const { access_token, refresh_token } = tokenSchema.parse(answer.body);
      person.accessToken = access_token;
      person.refreshToken = refresh_token;
    },
    async read(person, query) {
      const headers = { authorization: `Bearer ${person.accessToken}`, apikey: anonKey };
      const answer = await fetch(`${url}/rest/v1/${query}`, { headers });
      if (!answer.ok) throw new Error(`The table answered ${answer.status}.`);
      return answer.json();
    },
    call: (person, name, body = {}) =>
      post(`/functions/v1/${name}`, body, { authorization: `Bearer ${person.accessToken}`, apikey: anonKey }),
    async checkout(person, plan) {
      const answer = await world.call(person, 'stripe-checkout', {
        price_id: PRICES[plan],
        success_url: `${url}/checkout/success?session_id={CHECKOUT_SESSION_ID}`,
        cancel_url: `${url}/checkout/cancel`,
        mode: 'subscription',
      });
      return checkoutSchema.parse(answer.body);
    },
    async pay(address, card = CARDS.good) {
      const first = await form(address, { action: 'pay', number: card, expiry: '12 / 34', cvc: '123' });
      const held = /name="held" value="([^"]+)"/.exec(first.text)?.[1];
      return held === undefined ? first : form(address, { action: 'consent', held });
    },
    async buy(person, plan, card) {
      const session = await world.checkout(person, plan);
      const page = await world.pay(session.url, card);
      if (page.location === null) throw new Error(`The payment was not taken: ${page.status}`);
      return eventually(async () => {
        const { subscription } = await stripe.checkout.sessions.retrieve(session.sessionId);
        const id = z.string().parse(subscription);
        const known = await world.rows('select 1 from public.stripe_subscriptions where subscription_id = $1', [id]);
        return known.length === 1 ? id : null;
      });
    },
    async control(method, path, body) {
      if (path === '/webhooks') await deliverAs(body);
      return control(method, path, body);
    },
    deliveries: async () => deliveriesSchema.parse(await control('GET', '/deliveries')).deliveries,
    requests: async () => requestsSchema.parse(await control('GET', '/requests')).requests,
    async row(person) {
      const [row] = await world.rows('select * from public.stripe_user_subscriptions where user_id = $1', [person.id]);
      return row ?? null;
    },
    rows: (text, params = []) => database.query(SERVICE, text, params),
    disagreements: (person) => disagreements({ stripe, database }, person.id),
    forgetEvents,
    async settled() {
      await eventually(async () => {
        const newest = (await newestEvents()).filter((id) => !losses.lost.has(id));
        const [open] = await world.rows(
          `select count(*)::int as count from unnest($1::text[]) id
            where not exists (select 1 from public.stripe_events e where e.event_id = id and e.processed_at is not null)`,
          [newest],
        );
        return open?.count === 0 ? true : null;
      });
    },
    close,
  };
  return world;
}

/** Calls `ask` until it returns an answer. @throws Error after `limitMs`, or the last error of `ask` */
export async function eventually<T>(poll: () => Promise<T | null>, limitMs = 40_000): Promise<T> {
  const endsMs = Date.now() + limitMs;
  for (;;) {
    const answer = await poll();
    if (answer !== null) return answer;
    if (Date.now() > endsMs) throw new Error('It did not come about in time.');
    await new Promise((wake) => setTimeout(wake, 30));
  }
}
