import type Stripe from 'stripe';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import * as z from 'zod/mini';
import { type StartedPayments, startPayments } from './support/services/payments.ts';

const DAY_S = 86_400;
/** Patient enough for a busy machine. */
const deliveriesSchema = z.object({
  deliveries: z.array(z.object({ type: z.string(), status: z.number(), attempt: z.number() })),
});

let payments: StartedPayments;
let stripe: Stripe;

beforeAll(async () => {
  payments = await startPayments();
  stripe = payments.stripe;
});
afterAll(() => payments.stop());
beforeEach(() => payments.control('DELETE', '/faults'));

const requestsSchema = z.object({
  requests: z.array(z.object({ idempotency_key: z.nullable(z.string()), is_replayed: z.boolean() })),
});

const fault = (kind: string, more: object = {}) =>
  payments.control('POST', '/faults', { method: 'POST', path: '/v1/customers', kind, ...more });
const create = (idempotencyKey: string, email = 'a@example.com') =>
  stripe.customers.create({ email }, { idempotencyKey });

describe('an idempotency key', () => {
  test('runs a repeated call once, and refuses other parameters', async () => {
    const options = { idempotencyKey: 'once' };
    const first = await stripe.customers.create({ metadata: { user_id: 'u7' } }, options);
    const again = await stripe.customers.create({ metadata: { user_id: 'u7' } }, options);

    expect(again.id).toBe(first.id);
    expect(again.lastResponse.headers['idempotent-replayed']).toBe('true');
    await expect(stripe.customers.create({ metadata: { user_id: 'u8' } }, options)).rejects.toMatchObject({
      statusCode: 400,
      type: 'StripeIdempotencyError',
    });
    const { data } = await stripe.customers.search({ query: "metadata['user_id']:'u7'" });
    expect(data.map(({ id }) => id)).toEqual([first.id]);
  });

  test('returns 409 while its call is in progress, then the same result', async () => {
    await fault('slow', { ms: 2000 });
    const first = create('busy');
    await expect
      .poll(() => payments.control('GET', '/requests'))
      .toMatchObject({
        requests: expect.arrayContaining([expect.objectContaining({ idempotency_key: 'busy' })]),
      });

    await expect(create('busy')).rejects.toMatchObject({ statusCode: 409, code: 'idempotency_key_in_use' });

    const { id } = await first;
    expect((await create('busy')).id).toBe(id);
  });

  test('becomes free again when its caller hangs up', async () => {
    await fault('timeout');
    await expect(
      stripe.customers.create({ email: 'b@example.com' }, { idempotencyKey: 'hung', timeout: 1000 }),
    ).rejects.toMatchObject({ type: 'StripeConnectionError' });

    await expect
      .poll(() =>
        create('hung', 'b@example.com').then(
          () => 'done',
          () => 'refused',
        ),
      )
      .toBe('done');
  });

  test('stores a 500 as its result; another key runs the call', async () => {
    await fault('http_500');
    await expect(create('broken')).rejects.toMatchObject({ statusCode: 500 });

    await expect(create('broken')).rejects.toMatchObject({ statusCode: 500 });
    expect((await create('whole')).email).toBe('a@example.com');
  });

  test('stores neither a 503 nor a refused parameter', async () => {
    await fault('http_503');
    await expect(create('away')).rejects.toMatchObject({ statusCode: 503 });
    expect((await create('away')).email).toBe('a@example.com');

    const wrong = { email: 'a@example.com', shoe_size: '44' };
    await expect(stripe.customers.create(wrong, { idempotencyKey: 'wrong' })).rejects.toMatchObject({
      statusCode: 400,
    });
    expect((await create('wrong')).email).toBe('a@example.com');
  });

  test('stores a declined card as its result', async () => {
    const { id: customer } = await stripe.customers.create();
    const attach = () =>
      stripe.paymentMethods.attach('pm_card_chargeDeclined', { customer }, { idempotencyKey: 'declined' });

    await expect(attach()).rejects.toMatchObject({ statusCode: 402 });
    await expect(attach()).rejects.toMatchObject({ headers: { 'idempotent-replayed': 'true' } });
  });
});

describe('an injected fault', () => {
  test('returns http_409, which the SDK retries, and answers late with slow', async () => {
    await fault('http_409');
    const patient = stripe.customers.create({ email: 'c@example.com' }, { maxNetworkRetries: 1 });
    expect((await patient).email).toBe('c@example.com');

    await fault('slow', { ms: 250 });
    const startedMs = Date.now();
    await create('late');
    expect(Date.now() - startedMs).toBeGreaterThanOrEqual(240);
  });

  test.each([
    ['http_500', 'StripeAPIError'],
    ['http_429', 'StripeRateLimitError'],
    ['reset_before', 'StripeConnectionError'],
    ['timeout', 'StripeConnectionError'],
  ])('raises %s as %s, and changes nothing', async (kind, type) => {
    // The SDK retries once automatically when a connection ends before any response.
    await fault(kind, { times: kind === 'reset_before' ? 2 : 1 });
    const email = `${kind}@example.com`;

    await expect(stripe.customers.create({ email }, { timeout: 500 })).rejects.toMatchObject({ type });
    expect((await stripe.customers.list({ email })).data).toEqual([]);
  });

  test('loses the answer but not the work with reset_after; the same key returns it', async () => {
    await fault('reset_after', { times: 2 });
    await expect(create('after', 'after@example.com')).rejects.toMatchObject({ type: 'StripeConnectionError' });

    const { id } = await create('after', 'after@example.com');

    expect((await stripe.customers.list({ email: 'after@example.com' })).data.map((one) => one.id)).toEqual([id]);
    const { requests } = requestsSchema.parse(await payments.control('GET', '/requests'));
    expect(requests.filter(({ idempotency_key }) => idempotency_key === 'after').at(-1)?.is_replayed).toBe(true);
  });

  test('applies to a path prefix or a pattern, for a set number of calls', async () => {
    const { id } = await stripe.customers.create();
    const rename = () => stripe.customers.update(id, { name: 'Ada' });
    const left = () => payments.control('GET', '/faults');
    await fault('http_429', { path: '/v1/customers/', times: 2 });
    await fault('http_409', { path: '/^/v1/customers/cus_[^/]+$/' });

    await stripe.customers.create();
    await stripe.customers.retrieve(id);
    await stripe.customers.list();
    expect(await left()).toMatchObject({
      faults: [
        { kind: 'http_429', times: 2 },
        { kind: 'http_409', times: 1 },
      ],
    });
    await expect(rename()).rejects.toMatchObject({ statusCode: 429 });
    expect(await left()).toMatchObject({ faults: [{ times: 1 }, { times: 1 }] });
    await expect(rename()).rejects.toMatchObject({ statusCode: 429 });
    await expect(stripe.subscriptions.update('sub_none', {})).rejects.toMatchObject({ statusCode: 404 });
    await expect(rename()).rejects.toMatchObject({ statusCode: 409 });
    expect((await rename()).lastResponse.statusCode).toBe(200);

    await fault('http_500', { path: '/^/v1/subscriptions/[^/]+$/' });
    await expect(stripe.subscriptions.resume('sub_none')).rejects.toMatchObject({ statusCode: 404 });
    await expect(stripe.subscriptions.update('sub_none', {})).rejects.toMatchObject({ statusCode: 500 });
    expect(await left()).toEqual({ faults: [] });
  });

  test.each([
    ['an invalid pattern', { path: '/v1/(/' }],
    ['a kind that is unknown', { kind: 'flood' }],
  ])('refuses %s', async (_what, more) => {
    await expect(fault('http_500', more)).rejects.toThrow(/400/);
  });
});

test('waits in sandbox time before it sends an event again', async () => {
  const advance = (advance_s: number) => payments.control('POST', '/clock', { advance_s });
  const tries = () => payments.received.filter(({ type }) => type === 'product.created').length;
  payments.answers.push(500, 500, 500);
  await stripe.products.create({ name: 'Unheard' });
  // One second and five: the machine's own clock may have delivered the first retry already.
  await expect.poll(() => advance(6).then(tries)).toBe(3);

  await advance(5);
  expect(tries()).toBe(3);
  await advance(25);
  expect(tries()).toBe(4);

  const { deliveries } = deliveriesSchema.parse(await payments.control('GET', '/deliveries'));
  const own = deliveries.filter(({ type }) => type === 'product.created');
  expect(own.map(({ attempt, status }) => [attempt, status])).toEqual([
    [1, 500],
    [2, 500],
    [3, 500],
    [4, 200],
  ]);
});

test('forgets an idempotency key after a day', async () => {
  const first = await create('yesterday');
  await payments.control('POST', '/clock', { advance_s: DAY_S - 5 });
  expect((await create('yesterday')).id).toBe(first.id);

  await payments.control('POST', '/clock', { advance_s: 10 });

  expect((await create('yesterday')).id).not.toBe(first.id);
});
