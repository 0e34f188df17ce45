import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Stripe from 'stripe';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import * as z from 'zod/mini';
import { type SandboxPayments, startSandboxPayments } from '../../sandbox/payments/sandbox-payments.ts';
import { checkedStripe } from '../support/payments/checked-stripe.ts';

const SECRET = 'whsec_contract';
const controlSchema = z.object({ url: z.string(), token: z.string() });
const deliveriesSchema = z.object({ deliveries: z.array(z.object({ type: z.string(), status: z.number() })) });
const requestsSchema = z.object({
  requests: z.array(z.object({ path: z.string(), idempotency_key: z.nullable(z.string()), is_replayed: z.boolean() })),
});

let folder: string;
let sandbox: SandboxPayments;
let stripe: Stripe;
let site: Server;
let siteUrl: string | null = null;
/** What the site heard since the test began. */
let heard: { body: string; header: string }[] = [];
/** What the site answers next; then 200. */
let answers: number[] = [];
/** What the site waits for before it answers. */
let pause: Promise<void> = Promise.resolve();

async function start(): Promise<void> {
  sandbox = await startSandboxPayments({
    clock: { nowMs: () => Date.now() },
    journalPath: join(folder, 'payments.jsonl'),
    secretKey: 'sk_test_contract',
    pagesPath: '/pay',
    origin: () => 'http://127.0.0.1',
    webhooks: { target: () => siteUrl, secret: SECRET },
    controlPath: join(folder, 'control.json'),
    log: (line) => expect.fail(line),
  });
  stripe = checkedStripe(sandbox.port, 'sk_test_contract', { timeout: 500 });
}

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'payments-'));
  site = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += String(chunk);
    heard.push({ body, header: String(request.headers['stripe-signature']) });
    await pause;
    response.writeHead(answers.shift() ?? 200).end();
  });
  await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve));
  const address = site.address();
  if (address === null || typeof address === 'string') throw new Error('The site has no port.');
  siteUrl = `http://127.0.0.1:${address.port}/hook`;
  await start();
});
afterAll(async () => {
  await sandbox.close();
  site.closeAllConnections();
  site.close();
  rmSync(folder, { recursive: true });
});
beforeEach(async () => {
  answers = [];
  await control('POST', '/webhooks', {});
  await control('DELETE', '/faults');
  heard = [];
});

async function control(method: string, path: string, body?: unknown): Promise<unknown> {
  const { url, token } = controlSchema.parse(JSON.parse(readFileSync(join(folder, 'control.json'), 'utf8')));
  const response = await fetch(`${url}${path}`, {
    method,
    headers: { 'x-standin-token': token, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  if (!response.ok) throw new Error(`The control answered ${response.status}.`);
  return response.json();
}

const names = () => heard.map(({ body }) => JSON.parse(body).data.object.name);
const eventually = (count: number) => expect.poll(() => heard.length, { timeout: 15_000 }).toBe(count);
const read = (index = 0) => {
  const { body, header } = heard[index] ?? { body: '', header: '' };
  return stripe.webhooks.constructEvent(body, header, SECRET);
};

describe('an event', () => {
  test('is posted with a signature that the SDK accepts, and is listed', async () => {
    const { id } = await stripe.customers.create({ name: 'Ada' });
    await eventually(1);

    const event = read();
    expect(event).toMatchObject({ type: 'customer.created', livemode: false, data: { object: { id, name: 'Ada' } } });
    expect((await stripe.events.retrieve(event.id)).id).toBe(event.id);
  });

  test('can be badly signed, of the past or of the future', async () => {
    await control('POST', '/webhooks', { signature: 'bad' });
    await stripe.customers.create();
    await eventually(1);
    expect(() => read()).toThrow(Stripe.errors.StripeSignatureVerificationError);

    await control('POST', '/webhooks', { age_s: 301 });
    await stripe.customers.create();
    await eventually(2);
    expect(() => read(1)).toThrow(/tolerance/);

    await control('POST', '/webhooks', { age_s: -86_400 });
    await stripe.customers.create();
    await eventually(3);
    const stamp = Number(/t=(\d+)/.exec(heard[2]?.header ?? '')?.[1]);
    expect(stamp - Date.now() / 1000).toBeGreaterThan(86_000);
  });

  test('is sent again until it is taken', async () => {
    answers = [500];
    await stripe.customers.create({ name: 'Ben' });
    await eventually(2);

    expect(names()).toEqual(['Ben', 'Ben']);
    expect(read(1).id).toBe(read(0).id);
  });

  test('comes in the order and as often as was asked, when it is let go', async () => {
    await control('POST', '/webhooks', { mode: 'hold', order: 'reverse', copies: 2 });
    await stripe.customers.create({ name: 'a' });
    await stripe.customers.create({ name: 'b' });
    expect(heard).toEqual([]);

    const { deliveries } = deliveriesSchema.parse(await control('POST', '/webhooks/release'));

    expect(names()).toEqual(['b', 'b', 'a', 'a']);
    expect(deliveries).toMatchObject([{ status: 200 }, { status: 200 }]);
  });

  test('can be lost, and be sent by hand', async () => {
    await control('POST', '/webhooks', { mode: 'drop' });
    await stripe.customers.create({ name: 'lost' });
    const [event] = (await stripe.events.list({ limit: 1 })).data;
    expect(heard).toEqual([]);

    await control('POST', `/events/${event?.id}/resend`);

    expect(names()).toEqual(['lost']);
  });

  test('that nobody took before a restart is sent after it', async () => {
    const url = siteUrl;
    siteUrl = null;
    await stripe.customers.create({ name: 'patient' });
    await sandbox.close();
    siteUrl = url;
    await start();
    await eventually(1);

    expect(names()).toEqual(['patient']);
  });

  test('is neither sent nor written down by a stand-in that is closed, but by the next', async () => {
    let goOn = () => {};
    pause = new Promise((resolve) => {
      goOn = resolve;
    });
    await stripe.customers.create({ name: 'on its way' });
    await stripe.customers.create({ name: 'behind it' });
    await eventually(1);
    await sandbox.close();
    const books = readFileSync(join(folder, 'payments.jsonl'), 'utf8');
    goOn();
    await new Promise((resolve) => setTimeout(resolve, 100));

    expect(names()).toEqual(['on its way']);
    expect(readFileSync(join(folder, 'payments.jsonl'), 'utf8')).toBe(books);
    await start();
    await eventually(3);
    expect(names()).toEqual(['on its way', 'on its way', 'behind it']);
  });
});

describe('a fault', () => {
  test.each([
    ['http_500', 'StripeAPIError'],
    ['http_429', 'StripeRateLimitError'],
    ['reset_before', 'StripeConnectionError'],
    ['timeout', 'StripeConnectionError'],
  ])('%s is seen as %s, and nothing was done', async (kind, type) => {
    await control('POST', '/faults', {
      method: 'POST',
      path: '/v1/customers',
      kind,
      times: kind === 'reset_before' ? 2 : 1,
    });

    await expect(stripe.customers.create({ email: `${kind}@example.com` })).rejects.toMatchObject({ type });
    expect((await stripe.customers.list({ email: `${kind}@example.com` })).data).toEqual([]);
  });

  test('reset_after loses the answer, not the work; the same key brings it back', async () => {
    await control('POST', '/faults', { method: 'POST', path: '/v1/customers', kind: 'reset_after', times: 2 });
    const create = () => stripe.customers.create({ email: 'after@example.com' }, { idempotencyKey: 'after' });
    await expect(create()).rejects.toMatchObject({ type: 'StripeConnectionError' });

    const { id } = await create();

    expect((await stripe.customers.list({ email: 'after@example.com' })).data.map((one) => one.id)).toEqual([id]);
    const { requests } = requestsSchema.parse(await control('GET', '/requests'));
    expect(requests.filter(({ idempotency_key }) => idempotency_key === 'after').at(-1)?.is_replayed).toBe(true);
  });
});

describe('the control', () => {
  test('takes nobody without the token, which only the owner can read', async () => {
    const answer = await fetch(`http://127.0.0.1:${sandbox.port}/_control/requests`);
    expect(answer.status).toBe(401);
    expect(statSync(join(folder, 'control.json')).mode & 0o777).toBe(0o600);
    await expect(control('POST', '/faults', { kind: 'flood' })).rejects.toThrow(/400/);
  });

  test('puts new customers on a clock', async () => {
    const clock = await stripe.testHelpers.testClocks.create({ frozen_time: 1_600_000_000 });
    await control('POST', '/clock', { default_test_clock: clock.id });
    const { test_clock } = await stripe.customers.create();
    await control('POST', '/clock', { default_test_clock: null });

    expect([test_clock, (await stripe.customers.create()).test_clock]).toEqual([clock.id, null]);
    const moved = await control('POST', '/clock', { advance_s: 3600 });
    expect(moved).toMatchObject({ offset_s: 3600 });
  });
});
