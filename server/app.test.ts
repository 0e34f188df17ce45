/** Tests what every request gets: an id, one log line, and an answer without a stack. */
import { tmpdir } from 'node:os';
import { Hono } from 'hono';
import { describe, expect, test } from 'vitest';
import * as z from 'zod/mini';
import { AppError } from '#domain/errors/app-error.ts';
import { type AppParts, createApp } from './app.ts';
import { paymentScriptSources } from './billing/provider/payment-script.ts';
import { eventStream } from './platform/http/streams/event-stream.ts';
import { createLogger } from './platform/telemetry/log.ts';

const lineSchema = z.looseObject({ level: z.number(), msg: z.string(), requestId: z.optional(z.string()) });

function setUp(parts: Partial<Pick<AppParts, 'hasDesignPage' | 'scriptFromElsewhere'>> = {}) {
  const lines: z.infer<typeof lineSchema>[] = [];
  const log = createLogger('info', { write: (text) => lines.push(lineSchema.parse(JSON.parse(text))) });
  const routes = new Hono()
    .get('/healthz', (c) => c.json({ status: 'ok' }))
    .get('/history', (c) => c.json([]))
    .get('/forecast/bug', () => {
      throw new TypeError('secret detail');
    })
    .get('/forecast/away', () => {
      throw new AppError('venue/unavailable', { cause: new Error('connection refused') });
    })
    .get('/forecast/not-connected', () => {
      throw new AppError('venue/not-connected', { details: { reason: 'a setting' } });
    })
    .get('/forecast/refused', () => {
      throw new AppError('quota/daily-spent');
    })
    .get('/forecast/stream', (c) =>
      eventStream(
        c.req.raw,
        async function* () {
          yield { data: 1 };
          throw new TypeError('broke off');
        },
        { log },
      ),
    );
  const app = createApp({
    log,
    isHttps: false,
    siteDir: tmpdir(),
    isOwnHost: (host) => host === 'kat.test',
    routes: [routes],
    ...parts,
  });
  const get = async (path: string, host = 'kat.test') => {
    const response = await app.request(`http://${host}${path}`, { headers: { 'x-request-id': 'request-1' } });
    return { response, body: await response.text() };
  };
  return { lines, get };
}

test('logs one line for a request with its id, path and status, without its query', async () => {
  const { lines, get } = setUp();

  const { response } = await get('/history?token=unmistakable');

  expect(response.headers.get('x-request-id')).toBe('request-1');
  expect(lines).toHaveLength(1);
  expect(lines[0]).toMatchObject({ level: 30, requestId: 'request-1', method: 'GET', path: '/history', status: 200 });
  expect(JSON.stringify(lines)).not.toContain('unmistakable');
});

test('logs no line for a health check', async () => {
  const { lines, get } = setUp();

  await get('/healthz');

  expect(lines).toEqual([]);
});

test.each([
  ['a bug', '/forecast/bug', 500, 'secret detail'],
  ['something of ours that is away', '/forecast/away', 503, 'connection refused'],
])('logs %s once with its cause and request id, and hides the cause from the caller', async (...args) => {
  const [, path, status, cause] = args;
  const { lines, get } = setUp();

  const { response, body } = await get(path);

  const errors = lines.filter((line) => line.level >= 50);
  expect(response.status).toBe(status);
  expect(body).not.toContain(cause);
  expect(errors).toHaveLength(1);
  expect(errors[0]).toMatchObject({ requestId: 'request-1', path });
  expect(JSON.stringify(errors[0])).toContain(cause);
});

test.each([
  ['what a rule refuses', '/forecast/refused', 403],
  ['what lacks a setting', '/forecast/not-connected', 503],
])('does not log %s as an error', async (_what, path, status) => {
  const { lines, get } = setUp();

  expect((await get(path)).response.status).toBe(status);

  expect(lines.map((line) => line.level)).toEqual([30]);
});

test('logs a stream that fails after its head was sent with the request’s id', async () => {
  const { lines, get } = setUp();

  await get('/forecast/stream');

  expect(lines.find((line) => line.msg === 'event stream failed')).toMatchObject({ requestId: 'request-1' });
});

test('answers only health checks under a foreign host name, and refuses the rest with 421', async () => {
  const { get } = setUp();

  const foreign = await get('/history', 'evil.test');

  expect(foreign.response.status).toBe(421);
  expect(JSON.parse(foreign.body)).toMatchObject({ code: 'request/wrong-host' });
  expect((await get('/healthz', '10.0.0.7')).response.status).toBe(200);
});

test('serves the design page only where the server enables it, and nothing below it', async () => {
  const development = setUp({ hasDesignPage: true });
  const production = setUp();

  // The folder of this test contains no site, so the page answers 503.
  expect((await development.get('/dev/ui')).response.status).toBe(503);
  expect((await development.get('/dev/ui/more')).response.status).toBe(404);
  expect((await production.get('/dev/ui')).response.status).toBe(404);
});

describe('the payment provider’s script', () => {
  const OTHER_PAGES = [
    '/',
    '/kat',
    '/dashboard',
    '/account',
    '/account/security',
    '/checkout/success',
    '/account/subscriptions',
  ];

  test.each(['test', 'live'] as const)('allows the script only on the page that pays, in %s mode', async (mode) => {
    const { get } = setUp({ scriptFromElsewhere: paymentScriptSources(mode) });
    const policyOf = async (path: string) => (await get(path)).response.headers.get('content-security-policy') ?? '';

    const policy = await policyOf('/account/subscription');

    expect(policy).toContain("script-src 'self' https://js.stripe.com https://*.js.stripe.com;");
    expect(policy).toContain("connect-src 'self' https://api.stripe.com;");
    expect(policy).toContain(
      "frame-src 'self' https://js.stripe.com https://*.js.stripe.com https://hooks.stripe.com;",
    );
    for (const path of OTHER_PAGES) expect(await policyOf(path)).not.toContain('stripe');
  });

  test.each(['sandbox', 'none'] as const)('allows the script nowhere in %s mode', async (mode) => {
    const { get } = setUp({ scriptFromElsewhere: paymentScriptSources(mode) });

    const { response } = await get('/account/subscription');

    expect(response.headers.get('content-security-policy')).toContain("script-src 'self';");
    expect(response.headers.get('content-security-policy')).not.toContain('stripe');
  });
});
