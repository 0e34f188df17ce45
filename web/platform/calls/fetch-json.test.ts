import { afterEach, expect, test, vi } from 'vitest';
import { CallError } from './call-error.ts';
import { fetchJson, headerTimeMs } from './fetch-json.ts';

const failure = { code: 'coins', message: 'The coins couldn’t load.' };

function fetchAnswer(answer: Response | Error, read: (body: unknown) => unknown = (body) => body) {
  const fetching = vi.fn(async () => {
    if (answer instanceof Error) throw answer;
    return answer;
  });
  vi.stubGlobal('fetch', fetching);
  return fetchJson('/coins', { signal: new AbortController().signal, read, failure });
}

afterEach(() => vi.unstubAllGlobals());

test('returns what the caller reads of the body', async () => {
  expect(await fetchAnswer(Response.json([1, 2]), (body) => (body as number[]).length)).toBe(2);
});

test.each<[string, Response | Error, number]>([
  ['a refusal', new Response('', { status: 503 }), 503],
  ['no answer', new TypeError('Failed to fetch'), 0],
  ['a page instead of data', new Response('<html>'), 0],
])('throws the caller’s error for %s', async (_what, answer, status) => {
  const error = await fetchAnswer(answer).catch((e: unknown) => e);

  expect(error).toBeInstanceOf(CallError);
  expect(error).toMatchObject({ ...failure, status });
});

test('throws the caller’s error for a body of another shape, with the reason', async () => {
  const reason = new Error('not a list');
  const reading = fetchAnswer(Response.json({}), () => {
    throw reason;
  });

  await expect(reading).rejects.toMatchObject({ ...failure, status: 0, cause: reason });
});

test('throws the signal’s reason when the caller leaves', async () => {
  vi.stubGlobal('fetch', vi.fn());
  const signal = AbortSignal.abort(new Error('left'));

  await expect(fetchJson('/coins', { signal, read: (body) => body, failure })).rejects.toThrow('left');
});

test('reads a time from a header', () => {
  const headers = new Headers({ 'x-fetched-at': '2026-11-20T10:00:00Z' });

  expect(headerTimeMs(headers, 'x-fetched-at')).toBe(Date.UTC(2026, 10, 20, 10));
  expect(headerTimeMs(headers, 'date')).toBeNull();
});
