import { Hono } from 'hono';
import { describe, expect, test } from 'vitest';
import * as z from 'zod/mini';
import { doneSchema, functionContract } from '#domain/contract/function-contract.ts';
import { AppError } from '#domain/errors/app-error.ts';
import { type CallerReader, callerReader } from './caller.ts';
import { errorResponse } from './http-errors.ts';
import { contractFunctions, type FunctionHandler, functionRoutes } from './server-function.ts';

const ADA = '11111111-1111-4111-8111-111111111111';
const callers: CallerReader = callerReader({
  async verify(token) {
    if (token !== 'ada') throw new AppError('auth/bad-token');
    return { role: 'authenticated', sub: ADA, session_id: 'session' };
  },
  sessionStatus: async () => ({ isLive: true, hasSecondFactor: false, isRaised: false }),
});

const docs = { sends: '', gets: '' };
const DOUBLE = {
  body: z.object({ value: z.number() }),
  answer: z.object({ doubled: z.number(), userId: z.string() }),
  maxBytes: 100,
  refusals: ['quota/daily-spent', 'quota/monthly-spent'] as const,
  example: { value: 21 },
  docs,
};
const CONTRACTS = {
  double: functionContract(DOUBLE),
  plans: functionContract({ ...DOUBLE, form: 'plans' }),
  ping: functionContract({
    body: z.unknown(),
    answer: doneSchema,
    acceptsGet: true,
    refusals: [],
    example: null,
    docs,
  }),
  admins: functionContract({ ...DOUBLE, isForAdmins: true }),
};
const doubled: FunctionHandler<(typeof CONTRACTS)['double']> = async ({ body, caller }) => {
  if (body.value === 12) throw new AppError('quota/monthly-spent', { details: { message: 'None until Monday.' } });
  if (body.value === 13) throw new AppError('quota/daily-spent');
  if (body.value === 14) throw new AppError('database/unavailable');
  return { doubled: body.value * 2, userId: caller.userId };
};
const FUNCTIONS = contractFunctions(CONTRACTS, {
  double: doubled,
  plans: doubled,
  ping: async () => undefined,
  admins: doubled,
});
const requireAdmin = () => Promise.reject(new AppError('auth/forbidden'));

const app = new Hono();
app.route('/', functionRoutes({ callers, requireAdmin }, FUNCTIONS));
app.notFound(() => errorResponse(new AppError('request/not-found')));
app.onError((error) => errorResponse(error));

function post(
  name: string,
  body: string | Uint8Array<ArrayBuffer> | undefined,
  headers: Record<string, string> = {},
): Promise<Response> {
  const init = { method: 'POST', headers: { authorization: 'Bearer ada', ...headers } };
  return Promise.resolve(app.request(`/functions/v1/${name}`, body === undefined ? init : { ...init, body }));
}

test('passes the parsed body and the caller to the function', async () => {
  const response = await post('double', '{"value":21,"more":"ignored"}');

  expect(response.status).toBe(200);
  expect(await response.json()).toEqual({ ok: true, doubled: 42, userId: ADA });
  expect(response.headers.get('cache-control')).toBe('no-store');
});

test('answers a refusal by a product rule with 200, so that the client library shows the reason', async () => {
  const response = await post('double', '{"value":13}');

  expect(response.status).toBe(200);
  expect(await response.json()).toEqual({
    ok: false,
    reason: 'quota/daily-spent',
    message: 'No predictions left today.',
  });
});

test('answers a refusal about plans with its sentence in both fields that clients read, and no ok beside an answer', async () => {
  expect(await (await post('plans', '{"value":12}')).json()).toEqual({
    ok: false,
    error: 'None until Monday.',
    reason: 'None until Monday.',
    code: 'quota/monthly-spent',
  });
  expect(await (await post('plans', '{"value":1}')).json()).toEqual({ doubled: 2, userId: ADA });
});

test('refuses everyone but admins before it reads what they ask for', async () => {
  const response = await post('admins', '{}');

  expect(response.status).toBe(403);
  expect(await response.json()).toMatchObject({ code: 'auth/forbidden' });
});

test('is not mounted for admins where nothing tells who is one', () => {
  expect(() => functionRoutes({ callers }, FUNCTIONS)).toThrow('admins needs to know who is an admin.');
});

test('keeps the status of an error that is not a product rule', async () => {
  const response = await post('double', '{"value":14}');

  expect(response.status).toBe(503);
});

describe('an invalid call', () => {
  test.each([
    ['no JSON', '{', 400, 'request/invalid'],
    ['nothing where a body is needed', undefined, 400, 'request/invalid'],
    ['another type', '{"value":"21"}', 400, 'request/invalid'],
    ['bytes that are no UTF-8 text', Buffer.from([0x22, 0xff, 0x22]), 400, 'request/invalid'],
    ['too much', JSON.stringify({ value: 1, more: 'x'.repeat(200) }), 413, 'request/too-large'],
  ])('is refused: %s', async (_what, body, status, code) => {
    const response = await post('double', body);

    expect(response.status).toBe(status);
    expect(await response.json()).toMatchObject({ code });
  });

  test('stops reading a body that is longer than allowed', async () => {
    const chunks = Array.from({ length: 50 }, () => new TextEncoder().encode(' '.repeat(10)));
    let pulled = 0;
    const body = new ReadableStream({
      pull(controller) {
        controller.enqueue(chunks[pulled++]);
        if (pulled === chunks.length) controller.close();
      },
    });
    const init = { method: 'POST', headers: { authorization: 'Bearer ada' }, body, duplex: 'half' };

    const response = await app.request(new Request('http://kat.test/functions/v1/double', init as RequestInit));

    expect(response.status).toBe(413);
    expect(pulled).toBeLessThan(20);
  });
});

test.each([
  ['value', '{}', 'missing'],
  ['value', '{"value":"21"}', 'invalid'],
  ['body', undefined, 'missing'],
  ['body', '{', 'invalid'],
])('names what is wrong: %s of %s is %s', async (parameter, body, problem) => {
  const response = await post('double', body);

  expect(await response.json()).toMatchObject({ details: { parameter, problem } });
});

test.each([
  ['without a token', {}, 'auth/not-signed-in'],
  ['with another token', { authorization: 'Bearer eve' }, 'auth/bad-token'],
  ['with a header that is no bearer token', { authorization: 'Basic YWRhOjE=' }, 'auth/bad-token'],
])('refuses a call %s with 401 before its body is read', async (_how, headers, code) => {
  const init = { method: 'POST', headers, body: '{' } as RequestInit;

  const response = await app.request('/functions/v1/double', init);

  expect(response.status).toBe(401);
  expect(await response.json()).toMatchObject({ code });
});

test('answers GET only in a function that accepts it', async () => {
  const headers = { authorization: 'Bearer ada' };

  expect((await app.request('/functions/v1/ping', { headers })).status).toBe(200);
  const refused = await app.request('/functions/v1/double', { headers });
  expect(refused.status).toBe(405);
  expect(refused.headers.get('allow')).toBe('POST');
  expect(await refused.json()).toMatchObject({ code: 'request/method-not-allowed' });
  expect((await post('ping', undefined)).status).toBe(200);
});
