/** Tests the configuration that browsers may read, and the clock that tests move. */
import { Hono } from 'hono';
import { expect, test } from 'vitest';
import { errorResponse } from '../platform/http/calls/http-errors.ts';
import { productClock } from '../platform/product-clock.ts';
import { siteConfigRoutes } from './site-config.ts';

const NOT_TRAINED = { state: 'not-trained' as const, kind: null, version: null };

function setUp() {
  const clock = productClock();
  const config = () => ({
    supabaseAnonKey: 'anon',
    market: { kind: 'simulated' as const, detail: '', bookSource: 'Sandbox market' },
    models: {
      bobcat: NOT_TRAINED,
      panther: NOT_TRAINED,
      lion: NOT_TRAINED,
    },
    community: 'simulated' as const,
    payments: 'none' as const,
    paymentScript: null,
    mail: 'mailbox' as const,
    providers: { google: 'off' as const, github: 'off' as const },
    demo: false,
    prices: { bobcat: 'b', lion: 'l' },
    version: '0',
  });
  const app = new Hono().route(
    '/',
    siteConfigRoutes({
      origin: () => 'http://kat.test',
      config,
      push: null,
      clock,
      hasTestClock: true,
      chat: { telegram: null, discord: null },
    }),
  );
  app.onError((error) => errorResponse(error));
  const move = (body: string, type = 'application/json') =>
    app.request('/dev/clock', { method: 'POST', body, headers: { 'content-type': type } });
  return { app, clock, move };
}

test('moves the clock forth and back', async () => {
  const { clock, move } = setUp();

  expect((await move('{"offsetMs":3600000}')).status).toBe(200);
  expect(clock.offsetMs).toBe(3_600_000);
  expect((await move('{"offsetMs":0}', 'application/json; charset=utf-8')).status).toBe(200);
  expect(clock.offsetMs).toBe(0);
});

test.each([
  ['no JSON', '{', 'application/json', 400, { parameter: 'body', problem: 'invalid' }],
  ['another type of content', '{"offsetMs":1}', 'text/plain', 400, { parameter: 'content-type', problem: 'invalid' }],
  ['a text for a number', '{"offsetMs":"1"}', 'application/json', 400, { parameter: 'offsetMs', problem: 'invalid' }],
  ['too much', `{"offsetMs":1,"x":"${'x'.repeat(2000)}"}`, 'application/json', 413, { maxBytes: 1024 }],
])('does not move the clock for %s', async (_what, body, type, status, details) => {
  const { clock, move } = setUp();

  const response = await move(body, type);

  expect(response.status).toBe(status);
  expect(await response.json()).toMatchObject({ details });
  expect(clock.offsetMs).toBe(0);
});

test.each([
  ['DELETE', '/dev/clock', 'GET, HEAD, POST'],
  ['POST', '/config.json', 'GET, HEAD'],
])('answers %s %s with 405 and the allowed methods', async (method, path, allow) => {
  const { app } = setUp();

  const response = await app.request(path, { method });

  expect(response.status).toBe(405);
  expect(response.headers.get('allow')).toBe(allow);
  expect(await response.json()).toMatchObject({ code: 'request/method-not-allowed' });
});
