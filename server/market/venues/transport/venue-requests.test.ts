import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { expect, test } from 'vitest';
import { createLogger } from '../../../platform/telemetry/log.ts';
import { venueLanes, venueRequests } from './venue-requests.ts';

const log = createLogger('silent');
const never = new AbortController().signal;

function setUp(answer: () => Promise<Response> | Response) {
  const time = { ms: 0 };
  const calls: string[] = [];
  const requests = venueRequests({
    baseUrl: 'http://venue.test/',
    log,
    monotonicMs: () => time.ms,
    fetch: async (url) => {
      calls.push(String(url));
      return answer();
    },
  });
  return { time, calls, get: () => requests.getJson('/fapi/v1/klines', { symbol: 'GC1', limit: 2 }, never) };
}

test('sends parameters by name and returns the JSON', async () => {
  const { calls, get } = setUp(() => Response.json([1]));

  expect(await get()).toEqual([1]);
  expect(calls).toEqual(['http://venue.test/fapi/v1/klines?symbol=GC1&limit=2']);
});

test.each([
  ['429 with the time it names', 429, '7', 7],
  ['429 without a time', 429, null, 10],
  ['418, a ban', 418, '3600', 3600],
  ['401, a wrong key', 401, null, 600],
  ['403, an address that is barred', 403, null, 600],
  ['451, a country that is barred', 451, null, 600],
])('holds back requests after %s', async (_what, status, retryAfter, seconds) => {
  const headers: Record<string, string> = retryAfter === null ? {} : { 'retry-after': retryAfter };
  let isHealthy = false;
  const { time, calls, get } = setUp(() => (isHealthy ? Response.json({}) : new Response('', { status, headers })));

  await expect(get()).rejects.toMatchObject({ code: 'venue/unavailable', details: { retryAfterS: seconds } });
  isHealthy = true;
  time.ms += seconds * 1000 - 1;
  await expect(get()).rejects.toMatchObject({ code: 'venue/unavailable', details: { retryAfterS: 1 } });
  expect(calls).toHaveLength(1);
  time.ms += 1;

  expect(await get()).toEqual({});
});

test('keeps a ban when a simultaneous call gets a milder refusal', async () => {
  const answers: ((response: Response) => void)[] = [];
  const { time, calls, get } = setUp(() => new Promise((resolve) => answers.push(resolve)));
  const refused = [get(), get()].map((call) => expect(call).rejects.toMatchObject({ details: { retryAfterS: 3600 } }));

  answers[0]?.(new Response('', { status: 418, headers: { 'retry-after': '3600' } }));
  await refused[0];
  answers[1]?.(new Response('', { status: 429 }));
  await refused[1];
  time.ms += 3_599_000;

  await expect(get()).rejects.toMatchObject({ details: { retryAfterS: 1 } });
  expect(calls).toHaveLength(2);
});

test('holds back after three failures in a row, and resets on a success', async () => {
  let isHealthy = false;
  const { time, calls, get } = setUp(() => {
    if (!isHealthy) throw new TypeError('fetch failed');
    return Response.json({});
  });

  for (let i = 0; i < 4; i++) await expect(get()).rejects.toMatchObject({ code: 'venue/unavailable' });
  expect(calls).toHaveLength(3);
  time.ms += 1000;
  isHealthy = true;
  await get();
  isHealthy = false;
  for (let i = 0; i < 2; i++) await expect(get()).rejects.toMatchObject({ details: { reason: 'TypeError' } });

  expect(calls).toHaveLength(6);
});

test.each([
  ['no JSON', () => new Response('<html>')],
  ['far too large', () => new Response('x'.repeat(5 << 20))],
  ['an error of the venue', () => new Response('{}', { status: 502 })],
  ['our own mistake', () => Response.json({ code: -1121, msg: 'Invalid symbol.' }, { status: 400 })],
])('fails for an answer that is %s', async (_what, answer) => {
  await expect(setUp(answer).get()).rejects.toMatchObject({ code: 'venue/unavailable' });
});

test('times out after the time allowed', async () => {
  const requests = venueRequests({
    baseUrl: 'http://venue.test',
    log,
    timeoutMs: 20,
    fetch: (_url, init) =>
      new Promise((_, reject) => init?.signal?.addEventListener('abort', () => reject(init.signal?.reason))),
  });

  await expect(requests.getJson('/', {}, never)).rejects.toMatchObject({ details: { reason: 'TimeoutError' } });
});

test.each([
  ['too-many', { reason: 'code 1', retryAfterS: 10 }],
  ['mistaken', { reason: 'code 1' }],
] as const)('reads a refusal in the body of a 200 that is %s', async (kind, details) => {
  const calls: string[] = [];
  const requests = venueRequests({
    baseUrl: 'http://venue.test',
    log,
    fetch: async (url) => {
      calls.push(String(url));
      return Response.json({ code: 1 });
    },
    readRefusal: () => ({ reason: 'code 1', kind }),
  });

  await expect(requests.getJson('/', {}, never)).rejects.toMatchObject({ details });
  await expect(requests.getJson('/', {}, never)).rejects.toMatchObject({ code: 'venue/unavailable' });

  expect(calls).toHaveLength(kind === 'too-many' ? 1 : 2);
});

test('holds back after refusals in the body that mark a failing venue', async () => {
  let calls = 0;
  const requests = venueRequests({
    baseUrl: 'http://venue.test',
    log,
    fetch: async () => {
      calls += 1;
      return Response.json({ code: 1 });
    },
    readRefusal: () => ({ reason: 'busy', kind: 'failing' }),
  });

  for (let i = 0; i < 5; i++) await expect(requests.getJson('/', {}, never)).rejects.toMatchObject({});

  expect(calls).toBe(3);
});

test('reports a failed connection by its code', async () => {
  const refused = Object.assign(new Error('connect ECONNREFUSED 127.0.0.1:1'), { code: 'ECONNREFUSED' });
  const causes: [unknown, string][] = [
    [refused, 'ECONNREFUSED'],
    [new AggregateError([refused, refused]), 'ECONNREFUSED'],
    [Object.assign(new Error('other side closed'), { code: 'UND_ERR_SOCKET' }), 'UND_ERR_SOCKET'],
    [new Error('no code'), 'TypeError'],
    [undefined, 'TypeError'],
  ];
  for (const [cause, reason] of causes) {
    const { get } = setUp(() => {
      throw new TypeError('fetch failed', { cause });
    });

    await expect(get()).rejects.toMatchObject({ details: { reason } });
  }
});

test('reports ECONNREFUSED when no server listens', async () => {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  await new Promise((closed) => server.close(closed));
  const requests = venueRequests({ baseUrl: `http://127.0.0.1:${port}`, log });

  await expect(requests.getJson('/', {}, never)).rejects.toMatchObject({ details: { reason: 'ECONNREFUSED' } });
});

test('lets products that visitors open wait and fail without silencing the ten symbols, except for a ban', async () => {
  const calls: string[] = [];
  let answer = () => new Response('', { status: 500 });
  const { specified, products } = venueLanes({
    baseUrl: 'http://venue.test',
    log,
    monotonicMs: () => 0,
    fetch: async (url) => {
      calls.push(new URL(String(url)).pathname);
      return answer();
    },
  });
  const outcome = (requests: typeof products, path: string) =>
    requests.getJson(path, {}, never).then(
      () => 'answered',
      (error: { details: { retryAfterS?: number } }) => error.details.retryAfterS ?? 'refused',
    );

  // 500 at the same time: 25 have their turn, a hundred wait, the others are refused here.
  const flood = Array.from({ length: 500 }, () => outcome(products, '/product'));
  expect(await Promise.all(flood.slice(125))).toEqual(Array.from({ length: 375 }, () => 5));
  await Promise.all(flood.slice(0, 25));
  expect(calls.length).toBeLessThanOrEqual(25);
  expect(await outcome(products, '/product')).toBeTypeOf('number');

  answer = () => Response.json({});
  expect(await outcome(specified, '/btc')).toBe('answered');
  answer = () => new Response('', { status: 418, headers: { 'retry-after': '60' } });
  const before = calls.length;
  await outcome(specified, '/btc');
  expect(await outcome(products, '/product')).toBe(60);
  expect(calls.length).toBe(before + 1);
});
