/** What a call of the payment provider becomes when it goes wrong: through the SDK, at a server that answers on purpose. */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import pino from 'pino';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { AppError } from '#domain/errors/app-error.ts';
import {
  isMissing,
  openProviderCall,
  providerFacts,
  type Stripe,
} from '../../server/billing/provider/provider-call.ts';
import { openStripe } from '../../server/billing/provider/stripe-client.ts';
import '../support/worlds/quick-stripe-retries.ts';

interface Answer {
  /** 0: none, the connection breaks. */
  status: number;
  body: unknown;
  afterMs?: number;
}

const QUOTED = 'Invalid API Key provided: sk_test_quoted';
const lines: string[] = [];
const log = pino({ level: 'debug' }, { write: (line) => void lines.push(line) });
const call = openProviderCall({ log, firstWaitMs: 20 });
let answers: Answer[] = [];
let calls = 0;
const keys = new Set<string>();
let server: Server;
let stripe: Stripe;

beforeAll(async () => {
  server = createServer(async (request, response) => {
    calls += 1;
    keys.add(String(request.headers['idempotency-key']));
    const {
      status,
      body,
      afterMs = 0,
    } = (answers.length > 1 ? answers.shift() : answers[0]) ?? { status: 500, body: {} };
    if (afterMs > 0) await sleep(afterMs);
    if (status === 0) return void request.socket.destroy();
    response.writeHead(status, { 'content-type': 'application/json', 'request-id': 'req_1' }).end(JSON.stringify(body));
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const { port } = server.address() as AddressInfo;
  stripe = openStripe({ secretKey: 'sk_test_x', api: { protocol: 'http', host: '127.0.0.1', port } });
});
afterAll(() => new Promise((closed) => server.close(closed)));
beforeEach(() => {
  calls = 0;
  keys.clear();
  lines.length = 0;
});

const error = (status: number, fields: Record<string, unknown>): Answer => ({
  status,
  body: { error: { type: 'invalid_request_error', message: QUOTED, ...fields } },
});
const customer = { status: 200, body: { id: 'cus_1', object: 'customer' } };
const read = () => call('customer', () => stripe.customers.retrieve('cus_1'));

async function refusalOf(...next: Answer[]): Promise<unknown> {
  answers = next;
  return read().then(
    () => expect.fail('It was not refused.'),
    (thrown: unknown) => thrown,
  );
}

test('sends a request again, twice, after too many', async () => {
  const busy = error(429, { code: 'rate_limit' });
  answers = [busy, busy, customer];
  expect(await read()).toMatchObject({ id: 'cus_1' });
  expect(calls).toBe(3);

  expect(await refusalOf(busy)).toMatchObject({ code: 'billing/provider-unavailable' });
});

test.each<[string, Answer, number]>([
  ['a fault of the provider', error(500, { type: 'api_error' }), 2],
  ['another call under way', error(409, { type: 'idempotency_error' }), 2],
  ['a broken connection', { status: 0, body: null }, 2],
  ['an answer that takes half a second', { ...customer, afterMs: 500 }, 1],
])('sends a change again under the same key after %s', async (_what, trouble, times) => {
  answers = [trouble, customer];

  const changed = await call('customer', () => stripe.customers.update('cus_1', { name: 'Ada' }));

  expect(changed).toMatchObject({ id: 'cus_1' });
  expect([calls, keys.size]).toEqual([times, 1]);
});

test.each<[string, Answer, string, Record<string, unknown>]>([
  ['a fault of the provider', error(500, { type: 'api_error' }), 'billing/provider-unavailable', { statusCode: 500 }],
  ['a call under way', error(409, { type: 'idempotency_error' }), 'billing/provider-unavailable', { statusCode: 409 }],
  ['a wrong key', error(401, {}), 'billing/provider-refused', { type: 'StripeAuthenticationError', statusCode: 401 }],
  [
    'a wrong parameter',
    error(400, { code: 'parameter_unknown' }),
    'billing/provider-refused',
    { code: 'parameter_unknown' },
  ],
  [
    'another JSON with 404',
    { status: 404, body: { hello: 1 } },
    'billing/provider-unavailable',
    { type: 'StrangeAnswer' },
  ],
  [
    'another object',
    { status: 200, body: { id: 'x', object: 'price' } },
    'billing/provider-unavailable',
    { type: 'StrangeAnswer' },
  ],
])('reports %s under the right code', async (_what, answer, code, facts) => {
  const refusal = await refusalOf(answer);

  expect(refusal).toBeInstanceOf(AppError);
  expect(refusal).toMatchObject({ code });
  expect(providerFacts(refusal)).toMatchObject(facts);
});

test('distinguishes what is missing from what a card did', async () => {
  const missing = await refusalOf(error(404, { code: 'resource_missing' }));
  const declined = await refusalOf(
    error(402, { type: 'card_error', code: 'card_declined', decline_code: 'insufficient_funds' }),
  );

  expect([isMissing(missing), isMissing(declined)]).toEqual([true, false]);
  expect(providerFacts(declined)).toMatchObject({ declineCode: 'insufficient_funds', requestId: 'req_1' });
});

test('has no text of the provider in the error, its cause or the log', async () => {
  const refusal = await refusalOf(error(401, {}));
  const { log, reported } = { log: lines.join(''), reported: [] as string[] };
  for (let at: unknown = refusal; at instanceof Error; at = at.cause)
    reported.push(at.message, JSON.stringify(Object.entries(at)), at.stack ?? '');

  expect(log).toContain('req_1');
  expect([log, ...reported].filter((text) => /quoted|sk_test/.test(text))).toEqual([]);
});

test('passes on unchanged what is no error of the provider', async () => {
  const bug = new TypeError('a bug');

  await expect(call('customer', (): Promise<Stripe.Customer> => Promise.reject(bug))).rejects.toBe(bug);
});
