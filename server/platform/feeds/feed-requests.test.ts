import { expect, test } from 'vitest';
import * as z from 'zod/mini';
import { createLogger } from '../telemetry/log.ts';
import { statusRefusal } from './body-refusal.ts';
import { type FeedRequestsOptions, feedRequests, jsonOf } from './feed-requests.ts';

const never = new AbortController().signal;

function setUp(answer: (call: number) => Promise<Response> | Response, options: Partial<FeedRequestsOptions> = {}) {
  const time = { ms: 0 };
  const calls: { url: string; headers: Headers; redirect: string | undefined }[] = [];
  const waits: number[] = [];
  const requests = feedRequests({
    baseUrl: 'http://feed.test',
    log: createLogger('silent'),
    bucket: { size: 100, perMinute: 100 },
    random: () => 0.5,
    monotonicMs: () => time.ms,
    wait: async (ms, signal) => {
      signal.throwIfAborted();
      waits.push(ms);
      time.ms += ms;
    },
    fetch: async (url, init) => {
      calls.push({ url: String(url), headers: new Headers(init?.headers), redirect: init?.redirect });
      return answer(calls.length);
    },
    ...options,
  });
  const request = requests.question({ path: '/list', query: { page: 1 }, read: (body): unknown => JSON.parse(body) });
  return { time, calls, waits, requests, request };
}

test('sends parameters and its key, and follows no redirect', async () => {
  const { calls, request } = setUp(() => Response.json([1]), { headers: { 'x-key': 'k' } });

  expect(await request(never)).toEqual([1]);
  expect(calls).toMatchObject([{ url: 'http://feed.test/list?page=1', redirect: 'error' }]);
  expect(calls[0]?.headers.get('x-key')).toBe('k');
});

test('revalidates an answer by its tags', async () => {
  const headers = { etag: '"a"', 'last-modified': 'Sat, 21 Nov 2026 10:00:00 GMT' };
  const { calls, request } = setUp((call) =>
    call === 1 ? Response.json([1], { headers }) : new Response(null, { status: 304 }),
  );

  expect([await request(never), await request(never)]).toEqual([[1], [1]]);
  expect(calls[0]?.headers.has('if-none-match')).toBe(false);
  expect(calls[1]?.headers.get('if-none-match')).toBe('"a"');
  expect(calls[1]?.headers.get('if-modified-since')).toBe(headers['last-modified']);
});

test.each([
  ['an error of the feed', () => new Response('', { status: 502 })],
  ['too many calls', () => new Response('', { status: 429 })],
  [
    'a broken connection',
    () => {
      throw new TypeError('fetch failed');
    },
  ],
])('tries three times with growing random pauses after %s', async (_what, answer) => {
  const { calls, waits, request } = setUp(answer);

  await expect(request(never)).rejects.toMatchObject({ code: 'venue/unavailable' });
  expect(calls).toHaveLength(3);
  expect(waits).toEqual([250, 500]);
});

test.each([
  ['a bad key', 401, '{}'],
  ['a ban', 403, '{}'],
  ['nothing there', 404, '{}'],
  ['a page instead of JSON', 200, '<html>'],
  ['nothing at all', 200, ''],
  ['JSON that is cut', 200, '{"a":'],
])('tries only once after %s', async (_what, status, body) => {
  const { calls, request } = setUp(() => new Response(body, { status }));

  await expect(request(never)).rejects.toMatchObject({ code: 'venue/unavailable' });
  expect(calls).toHaveLength(1);
});

test('returns the answer of a second try', async () => {
  const { request } = setUp((call) => (call === 1 ? new Response('', { status: 500 }) : Response.json('good')));

  expect(await request(never)).toBe('good');
});

test('waits for a short Retry-After, and holds back requests during a long one', async () => {
  const refuse = (seconds: number) => new Response('', { status: 429, headers: { 'retry-after': String(seconds) } });
  const short = setUp((call) => (call === 1 ? refuse(7) : Response.json('good')));
  const long = setUp((call) => (call === 1 ? refuse(60) : Response.json('good')));

  expect(await short.request(never)).toBe('good');
  expect(short.waits).toEqual([7000]);
  for (let i = 0; i < 2; i++) await expect(long.request(never)).rejects.toMatchObject({ details: { retryAfterS: 60 } });
  expect(long.calls).toHaveLength(1);
  long.time.ms += 60_000;

  expect(await long.request(never)).toBe('good');
});

test('pauses for five minutes after five failures, and again after one more', async () => {
  let isHealthy = false;
  const { time, calls, request } = setUp(() => (isHealthy ? Response.json('good') : new Response('', { status: 500 })));

  for (let i = 0; i < 4; i++) await expect(request(never)).rejects.toMatchObject({ code: 'venue/unavailable' });
  expect(calls).toHaveLength(5);
  time.ms += 300_000;
  await expect(request(never)).rejects.toMatchObject({ details: { retryAfterS: 300 } });
  expect(calls).toHaveLength(6);
  time.ms += 300_000;
  isHealthy = true;

  expect(await request(never)).toBe('good');
});

test('resets the failures after a success', async () => {
  const { calls, request } = setUp((call) =>
    call % 3 === 0 ? Response.json('good') : new Response('', { status: 500 }),
  );

  for (let i = 0; i < 4; i++) expect(await request(never)).toBe('good');

  expect(calls).toHaveLength(12);
});

test('shares one call among simultaneous callers, and continues when one disconnects', async () => {
  const release = Promise.withResolvers<Response>();
  const { calls, request } = setUp(() => release.promise);
  const leaving = new AbortController();
  const left = request(leaving.signal);
  const stayed = [request(never), request(never)];

  leaving.abort(new Error('gone'));
  await expect(left).rejects.toThrow('gone');
  release.resolve(Response.json('good'));

  expect(await Promise.all(stayed)).toEqual(['good', 'good']);
  expect(calls).toHaveLength(1);
});

test('aborts a call once no caller waits for it', async () => {
  const signals: (AbortSignal | null | undefined)[] = [];
  const { request } = setUp(() => Response.json(1), {
    fetch: (_url, init) => {
      signals.push(init?.signal);
      return new Promise((_, reject) => init?.signal?.addEventListener('abort', () => reject(init.signal?.reason)));
    },
  });
  const leaving = new AbortController();
  const left = request(leaving.signal);
  await Promise.resolve();

  leaving.abort(new Error('gone'));

  await expect(left).rejects.toThrow('gone');
  expect(signals.map((signal) => signal?.aborted)).toEqual([true]);
});

test('makes no more calls than the bucket allows, and delays the next one', async () => {
  const { calls, waits, requests } = setUp(() => Response.json(1), { bucket: { size: 2, perMinute: 30 } });
  const pages = [1, 2, 3].map((page) => requests.question({ path: `/${page}`, read: Number }));

  for (const request of pages) await request(never);

  expect(calls).toHaveLength(3);
  expect(waits).toEqual([2000]);
});

test('counts every try before it is made, and makes none without an allowance', async () => {
  let left = 2;
  const { calls, request } = setUp(() => new Response('', { status: 500 }), {
    spend: async () => {
      if (left === 0) throw new Error('spent');
      left -= 1;
    },
  });

  await expect(request(never)).rejects.toThrow('spent');
  expect(calls).toHaveLength(2);
});

test('fails for an answer that is too large or takes too long', async () => {
  const large = setUp(() => new Response('1'.repeat(101)), { maxBytes: 100 });
  const slow = setUp(() => Response.json(1), {
    timeoutMs: 10,
    fetch: (_url, init) =>
      new Promise((_, reject) => init?.signal?.addEventListener('abort', () => reject(init.signal?.reason))),
  });

  await expect(large.request(never)).rejects.toMatchObject({ code: 'venue/unavailable' });
  await expect(slow.request(never)).rejects.toMatchObject({ details: { reason: 'TimeoutError' } });
});

test.each([
  ['coingecko', { status: { error_code: 429, error_message: 'You’ve exceeded the Rate Limit' } }, 10],
  ['coinmarketcap by the minute', { status: { error_code: '1008', error_message: null } }, 10],
  ['coinmarketcap by the month', { status: { error_code: 1010 } }, 600],
])('pauses calls after a refusal in the body of a 200: %s', async (_what, body, retryAfterS) => {
  const { calls, time, requests } = setUp(() => Response.json(body), { readRefusal: statusRefusal });
  const request = requests.question({ path: '', read: jsonOf(z.object({ data: z.string() })) });
  const refused = { details: { retryAfterS } };

  await expect(request(never)).rejects.toMatchObject(refused);
  await expect(request(never)).rejects.toMatchObject(refused);
  expect(calls).toHaveLength(1);
  time.ms += retryAfterS * 1000;
  await expect(request(never)).rejects.toMatchObject(refused);
  expect(calls).toHaveLength(2);
});
