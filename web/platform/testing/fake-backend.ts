/** A backend for tests at the border: it answers `fetch`, records the requests, and knows one user. */

import { vi } from 'vitest';
import type { PlanName } from '#domain/billing/plans.ts';
import { aSubscription } from '#domain/billing/testing/subscription-fixtures.ts';
import type { PublicConfig } from '#domain/config/public-config.ts';

export interface SeenRequest {
  method: string;
  path: string;
  search: string;
  headers: Headers;
  body: unknown;
  /** Aborts when the page gives the request up; null where it never does. */
  signal: AbortSignal | null;
}

declare global {
  /** Set by `npm test -- repeat --stalls`: answers take a random time, so that they come in any order. */
  var heldAnswers: { hold(): Promise<void>; settled(): Promise<void> } | undefined;
}

type Answer = Response | Promise<Response>;
type Handler = (request: SeenRequest) => Answer;

export interface FakeBackend {
  requests: SeenRequest[];
  to(path: string): SeenRequest[];
  /** `on('POST /rest/v1/profiles', …)` replaces the answer. */
  on(methodAndPath: string, handler: Handler): void;
  config(change: Partial<PublicConfig>): void;
  /** Changes the user's profile row: `{ role: 'admin' }`. */
  profile(change: Record<string, unknown>): void;
  /** Gives the user a paid plan for the next 30 days, or no subscription. @param change  of the subscription row */
  plan(plan: PlanName, change?: Record<string, unknown>): void;
  /** Predictions left; -1: unlimited. */
  quota(daily: number, monthly: number): void;
  /** Answers a server function: `fn('get-quota', () => json({ ok: true }))`. */
  fn(name: string, handler: Handler): void;
  /** Reports the page has written to the error log, in order. */
  errors(): { error_message: string; context: Record<string, unknown> }[];
}

export const CONFIG: PublicConfig = {
  supabaseUrl: 'http://localhost:3000',
  supabaseAnonKey: 'anon-key',
  market: { kind: 'simulated', detail: 'seed kat', bookSource: 'Sandbox market' },
  community: 'simulated',
  models: {
    bobcat: { state: 'ready', kind: 'neural', version: 'bobcat-0' },
    panther: { state: 'not-trained', kind: null, version: null },
    lion: { state: 'not-trained', kind: null, version: null },
  },
  payments: 'none',
  paymentScript: null,
  mail: 'mailbox',
  providers: { google: 'sandbox', github: 'live' },
  demo: false,
  prices: { bobcat: 'price_bobcat', lion: 'price_lion' },
  clockOffsetMs: 0,
  version: '0.0.0',
};

export const USER = {
  id: '11111111-1111-4111-8111-111111111111',
  aud: 'authenticated',
  role: 'authenticated',
  email: 'ada@example.com',
  email_confirmed_at: '2026-01-02T00:00:00Z',
  user_metadata: { full_name: 'Ada Lovelace' },
  app_metadata: { provider: 'email' },
  created_at: '2026-01-02T00:00:00Z',
};

/** The first steps of an account that has neither a checklist nor an offer. */
const ONBOARDED = { has_checklist: false, has_prediction: true, has_alert: false, marks: ['tour-ended'] };

export const json = (body: unknown, status = 200): Response => Response.json(body, { status });

/** Replaces `fetch` until the test ends. Unknown paths answer 404, so a test sees what it forgot. */
export function fakeBackend(): FakeBackend {
  let config = CONFIG;
  let profile: Record<string, unknown> = { id: USER.id, role: 'user', full_name: 'Ada Lovelace', avatar_url: null };
  const handlers = new Map<string, Handler>([
    ['GET /config.json', () => json(config)],
    ['POST /auth/v1/token', () => json(aSession())],
    ['POST /auth/v1/signup', () => json(aSession())],
    ['POST /auth/v1/logout', () => new Response(null, { status: 204 })],
    ['GET /rest/v1/profiles', () => json(profile)],
    ['GET /rest/v1/stripe_user_subscriptions', () => json([])],
    ['POST /rest/v1/profiles', () => new Response(null, { status: 201 })],
    ['POST /rest/v1/user_activity', () => new Response(null, { status: 201 })],
    ['POST /rest/v1/rpc/record_export', () => new Response(null, { status: 204 })],
    ['GET /rest/v1/account_activity', () => json([])],
    ['POST /rest/v1/rpc/get_onboarding', () => json(ONBOARDED)],
    ['POST /rest/v1/onboarding_marks', () => new Response(null, { status: 201 })],
    ['POST /rest/v1/error_logs', () => new Response(null, { status: 201 })],
    ['POST /functions/v1/list-alerts', () => json({ ok: true, rules: [], alerts: [], unread: 0 })],
    ['POST /functions/v1/get-quota', () => json({ ok: true, remaining_daily: 0, remaining_monthly: 0 })],
  ]);
  const requests: SeenRequest[] = [];
  // Each test has its own client; on pages the library's warning about that would be right.
  const warn = console.warn.bind(console);
  vi.spyOn(console, 'warn').mockImplementation((...values) => {
    if (!values.join(' ').includes('Multiple GoTrueClient instances')) warn(...values);
  });
  vi.spyOn(globalThis, 'fetch').mockImplementation(async (input, init) => {
    const request = await seen(input, init);
    requests.push(request);
    const answer = await handlers.get(`${request.method} ${request.path}`)?.(request);
    if (globalThis.heldAnswers !== undefined) await globalThis.heldAnswers.hold();
    return answer ?? json({ message: 'Not found' }, 404);
  });
  const to = (path: string) => requests.filter((request) => request.path === path);
  const on = (methodAndPath: string, handler: Handler) => void handlers.set(methodAndPath, handler);
  return {
    requests,
    to,
    on,
    config(change) {
      config = { ...config, ...change };
    },
    profile(change) {
      profile = { ...profile, ...change };
    },
    plan(plan, change = {}) {
      const row = plan === 'free' ? null : { ...subscriptionRow(CONFIG.prices[plan]), ...change };
      on('GET /rest/v1/stripe_user_subscriptions', () => json(row === null ? [] : [row]));
    },
    quota: (daily, monthly) =>
      on('POST /functions/v1/get-quota', () => json({ ok: true, remaining_daily: daily, remaining_monthly: monthly })),
    fn: (name, handler) => on(`POST /functions/v1/${name}`, handler),
    errors: () => to('/rest/v1/error_logs').map(({ body }) => body as ReturnType<FakeBackend['errors']>[number]),
  };
}

async function seen(input: RequestInfo | URL, init: RequestInit | undefined): Promise<SeenRequest> {
  const url = new URL(input instanceof Request ? input.url : String(input), 'http://localhost:3000');
  const text = typeof init?.body === 'string' ? init.body : '';
  return {
    method: init?.method ?? (input instanceof Request ? input.method : 'GET'),
    path: url.pathname,
    search: url.search,
    headers: new Headers(init?.headers),
    body: text === '' ? null : JSON.parse(text),
    signal: init?.signal ?? null,
  };
}

const MONTH_S = 30 * 24 * 3600;

function subscriptionRow(priceId: string) {
  const nowS = Math.floor(Date.now() / 1000);
  return aSubscription({ price_id: priceId, current_period_end: nowS + MONTH_S });
}

/** An account's authenticator app that is set up. */
export const FACTOR = {
  id: '22222222-2222-4222-8222-222222222222',
  factor_type: 'totp',
  status: 'verified',
  friendly_name: 'Phone',
};

type UserChange = Partial<typeof USER> & { factors?: (typeof FACTOR)[] };

/** A session as the auth service answers it, good for an hour. @param aal  how strongly it is proven */
export function aSession(user: UserChange = {}, aal = 'aal1') {
  const expiresAtS = Math.floor(Date.now() / 1000) + 3600;
  const part = (value: unknown) => btoa(JSON.stringify(value)).replaceAll('=', '');
  return {
    access_token: `${part({ alg: 'ES256', typ: 'JWT' })}.${part({ sub: USER.id, exp: expiresAtS, aal })}.c2ln`,
    token_type: 'bearer',
    expires_in: 3600,
    expires_at: expiresAtS,
    refresh_token: 'refresh',
    user: { ...USER, ...user },
  };
}

/** Puts a session there that only the client library can renew. */
export function storeOldSession(): void {
  const old = { ...aSession(), expires_at: Math.floor(Date.now() / 1000) - 60 };
  window.localStorage.setItem('sb-localhost-auth-token', JSON.stringify(old));
}

/** Puts a session where the client library keeps it: this browser is signed in. */
export function storeSession(user: UserChange = {}, aal = 'aal1'): void {
  window.localStorage.setItem('sb-localhost-auth-token', JSON.stringify(aSession(user, aal)));
}
