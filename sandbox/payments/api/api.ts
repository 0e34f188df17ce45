/** The HTTP API: authentication, versions, idempotency and error format. */
import { hash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { HttpBindings } from '@hono/node-server';
import { type Context, Hono } from 'hono';
import type { Hand, PaymentEngine } from '../engine/payment-engine.ts';
import { invalid, PaymentRefusal, type RefusalFacts } from '../model/refusal.ts';
import { ANSWER_RETENTION_S } from '../model/state-store.ts';
import { API_VERSION } from '../views/shared.ts';
import { catalogueCalls } from './catalogue-calls.ts';
import { checkoutCalls } from './checkout-calls.ts';
import { customerCalls } from './customer-calls.ts';
import type { Endpoint } from './endpoint.ts';
import { expand } from './expand.ts';
import { type FormTree, formTree } from './form-tree.ts';
import { invoiceCalls } from './invoice-calls.ts';
import { paymentCalls } from './payment-calls.ts';
import { scheduleCalls } from './schedule-calls.ts';
import { subscriptionCalls } from './subscription-calls.ts';
import { timeCalls } from './time-calls.ts';

export interface ApiOptions {
  engine: PaymentEngine;
  secretKey: string;
  /** Called when a call gets the stored answer of an earlier one. */
  onReplay(idempotencyKey: string): void;
  /** Whether this call must fail internally: it does nothing, and its failure is stored under its key. */
  isFailing?(request: IncomingMessage): boolean;
  log(line: string): void;
}

export const ENDPOINTS: readonly Endpoint[] = [
  ...catalogueCalls,
  ...customerCalls,
  ...checkoutCalls,
  ...subscriptionCalls,
  ...scheduleCalls,
  ...invoiceCalls,
  ...paymentCalls,
  ...timeCalls,
];

const MAX_BODY_BYTES = 64 * 1024;
const FAILURE = { status: 500, type: 'api_error', message: 'An unknown error occurred.' } as const;

interface Answer {
  status: number;
  body: string;
  isReplayed?: boolean;
}

type Api = Hono<{ Bindings: HttpBindings }>;

export function paymentsApi({ engine, secretKey, onReplay, isFailing, log }: ApiOptions): Api {
  const app: Api = new Hono();

  async function answer(c: Context<{ Bindings: HttpBindings }>, endpoint: Endpoint): Promise<Answer> {
    assertCaller(c.req.raw.headers, secretKey);
    const sent = endpoint.method === 'get' ? new URL(c.req.url).search.slice(1) : await bodyOf(c.req.raw);
    const { expand: paths, ...tree } = formTree(new URLSearchParams(sent));
    const isBroken = isFailing?.(c.env.incoming) ?? false;
    const act = (hand: Hand) => {
      if (isBroken) throw new PaymentRefusal(FAILURE);
      return guarded(() => resultOf(endpoint, hand, { id: c.req.param('id') ?? '', tree, paths }));
    };
    engine.passTime();
    if (endpoint.method === 'get') return engine.read(act);
    const key = endpoint.method === 'post' ? (c.req.header('idempotency-key') ?? null) : null;
    const fingerprint = hash('sha256', `${endpoint.method} ${c.req.path}\n${sent}`);
    return key === null ? engine.perform(act) : once(engine, { key, fingerprint, act });
  }

  /** Logs an error of the sandbox, and answers it as the provider answers its own. */
  function guarded(act: () => Answer): Answer {
    try {
      return act();
    } catch (error) {
      if (error instanceof PaymentRefusal) throw error;
      log(`a call failed: ${error instanceof Error ? (error.stack ?? error.message) : 'unknown'}`);
      throw new PaymentRefusal(FAILURE);
    }
  }

  for (const endpoint of ENDPOINTS)
    app.on(endpoint.method.toUpperCase(), endpoint.path, async (c) => {
      const result = await answer(c, endpoint);
      if (result.isReplayed) onReplay(c.req.header('idempotency-key') ?? '');
      return respond(result);
    });
  app.notFound((c) => {
    const message = `Unrecognized request URL (${c.req.method}: ${c.req.path}).`;
    return respond(answerOf({ status: 404, type: 'invalid_request_error', message }));
  });
  app.onError((error) => {
    if (error instanceof PaymentRefusal) return respond(answerOf(error.facts));
    log(`a call failed: ${error.stack ?? error.message}`);
    return respond(answerOf(FAILURE));
  });
  return app;
}

/** Repeats the first answer for the same key and parameters for a day. @throws PaymentRefusal for other parameters */
function once(
  engine: PaymentEngine,
  { key, fingerprint, act }: { key: string; fingerprint: string; act: (hand: Hand) => Answer },
): Answer {
  const known = engine.state.get('answers', key);
  const siteS = engine.read((hand) => hand.siteS);
  const earlier = known !== null && known.created > siteS - ANSWER_RETENTION_S ? known : null;
  if (earlier !== null && earlier.fingerprint !== fingerprint)
    throw new PaymentRefusal({
      status: 400,
      type: 'idempotency_error',
      message: `Keys for idempotent requests can only be used with the same parameters they were first used with. Try using a key other than '${key}' if you meant to execute a different request.`,
    });
  if (earlier !== null) return { status: earlier.status, body: earlier.body, isReplayed: true };
  const store = ({ draft, siteS }: Hand, { status, body }: Answer): Answer => {
    draft.put('answers', { id: key, created: siteS, fingerprint, status, body });
    return { status, body };
  };
  try {
    return engine.perform((hand) => store(hand, act(hand)), key);
  } catch (error) {
    // A declined card and an internal failure are results and are stored; an invalid call may be repeated.
    if (!(error instanceof PaymentRefusal) || (error.facts.status !== 402 && error.facts.status < 500)) throw error;
    return engine.perform((hand) => store(hand, answerOf(error.facts)));
  }
}

function resultOf(
  endpoint: Endpoint,
  hand: Hand,
  { id, tree, paths = [] }: { id: string; tree: FormTree; paths: FormTree[string] | undefined },
): Answer {
  if (!Array.isArray(paths)) throw invalid('Invalid array', { param: 'expand' });
  const result = endpoint.answer(hand, id, tree);
  if (result instanceof PaymentRefusal) return answerOf(result.facts);
  const plain: unknown = JSON.parse(JSON.stringify(result));
  expand(plain, paths.map(String), hand);
  return { status: 200, body: JSON.stringify(plain) };
}

function assertCaller(headers: Headers, secretKey: string): void {
  const key = /^Bearer (\S+)$/i.exec(headers.get('authorization') ?? '')?.[1];
  if (key !== secretKey)
    throw new PaymentRefusal({
      status: 401,
      type: 'invalid_request_error',
      message: key === undefined ? 'You did not provide an API key.' : 'Invalid API Key provided.',
    });
  const version = headers.get('stripe-version');
  if (version !== API_VERSION)
    throw invalid(`Invalid Stripe API version: ${version ?? 'none'}. This is ${API_VERSION}.`);
}

/** @throws PaymentRefusal for a body larger than any call sends */
async function bodyOf(request: Request): Promise<string> {
  const declared = Number(request.headers.get('content-length') ?? 0);
  const text = declared > MAX_BODY_BYTES ? null : await request.text();
  if (text === null || text.length > MAX_BODY_BYTES) throw invalid('The request is too large.');
  return text;
}

function answerOf({ status, type, message, code, param, declineCode }: RefusalFacts): Answer {
  return { status, body: JSON.stringify({ error: { type, code, decline_code: declineCode, param, message } }) };
}

function respond({ status, body, isReplayed = false }: Answer): Response {
  const headers = { 'content-type': 'application/json; charset=utf-8', 'cache-control': 'no-store' };
  return new Response(body, { status, headers: isReplayed ? { ...headers, 'idempotent-replayed': 'true' } : headers });
}
