import { expect, test, vi } from 'vitest';
import { retryingFetch } from './calls/shed-retry.ts';
import { createGate, reportError, reportShownFailure } from './error-log.ts';
import { fakeBackend, storeSession } from './testing/fake-backend.ts';

test('sends at most ten reports a minute, the same one once, and again after the minute', () => {
  let nowMs = 0;
  const mayWrite = createGate(() => nowMs);

  const first = Array.from({ length: 15 }, (_, i) => mayWrite(`error ${i}`));
  nowMs = 60_000;
  const later = [mayWrite('error 1'), mayWrite('error 1')];

  expect(first.filter(Boolean)).toHaveLength(10);
  expect(later).toEqual([true, false]);
});

test('writes shown text once where its cause was reported with the same text, and in every other case', async () => {
  const backend = fakeBackend();

  reportError(new TypeError('Failed to load quota'), { query: 'quota' });
  reportShownFailure('Failed to load quota');
  reportShownFailure('Failed to load quota · Your predictions still work.');
  reportShownFailure('Failed to load quota scatter');
  reportError(new Error(''), {});
  reportShownFailure('Copy failed. Please try again.');
  await vi.waitFor(() => expect(backend.errors()).toHaveLength(4));

  expect(backend.errors().map(({ error_message }) => error_message)).toEqual([
    'TypeError: Failed to load quota',
    'Failed to load quota scatter',
    'Error: ',
    'Copy failed. Please try again.',
  ]);
  expect(backend.errors().at(-1)?.context).toEqual({ path: '/', where: 'shown' });
});

test("writes a visitor's error without a user, redacted", async () => {
  const backend = fakeBackend();

  reportError(new Error('no answer for ada@example.com'), { url: '/history?sym=BTC', tries: 2 });
  await vi.waitFor(() => expect(backend.to('/rest/v1/error_logs')).toHaveLength(1));

  expect(backend.to('/rest/v1/error_logs')[0]?.body).toMatchObject({
    error_message: 'Error: no answer for [email]',
    context: { path: '/', url: '/history?[redacted]', tries: 2 },
  });
});

test("sends a signed-in user's error with the user's token, by which the database knows the user", async () => {
  const backend = fakeBackend();
  storeSession();

  reportError('plain text', {});
  await vi.waitFor(() => expect(backend.to('/rest/v1/error_logs')).toHaveLength(1));

  const [written] = backend.to('/rest/v1/error_logs');
  expect(written?.body).toMatchObject({ error_message: 'plain text' });
  expect(written?.headers.get('authorization')).toMatch(/^Bearer ey/);
});

test('ignores an abort, and survives odd things thrown', async () => {
  const backend = fakeBackend();
  backend.on('POST /rest/v1/error_logs', () => Promise.reject(new TypeError('offline')));
  const circular: Record<string, unknown> = {};
  circular.self = circular;

  reportError(new DOMException('gone', 'AbortError'), {});
  reportError({ message: 'an object' }, { circular });
  reportError(undefined, {});
  await vi.waitFor(() => expect(backend.to('/rest/v1/error_logs')).toHaveLength(1));

  expect(backend.to('/rest/v1/error_logs')[0]?.body).toMatchObject({ error_message: 'undefined' });
});

test('sends no report to a server that has just shed a request', async () => {
  const backend = fakeBackend();
  backend.on('GET /x', () => new Response('', { status: 503, headers: { 'x-kat-shed': '1', 'retry-after': '60' } }));
  const clock = vi.spyOn(performance, 'now');
  await retryingFetch('/x');

  reportError(new Error('We couldn’t load the figures.'), {});
  clock.mockReturnValue(performance.now() + 1001);
  reportError(new Error('Something else.'), {});
  await vi.waitFor(() => expect(backend.errors()).not.toHaveLength(0));

  expect(backend.errors().map(({ error_message }) => error_message)).toEqual(['Error: Something else.']);
});

test.each([
  'Failed to fetch dynamically imported module: https://kat.example/assets/a.js',
  'error loading dynamically imported module: https://kat.example/assets/a.js',
  'Importing a module script failed.',
  'Unable to preload CSS for /assets/a.css',
])('reports missing code (%s) only once the page has not ended meanwhile', async (message) => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const backend = fakeBackend();

  reportError(new TypeError(message), {});
  await vi.advanceTimersByTimeAsync(900);
  expect(backend.errors()).toEqual([]);

  await vi.advanceTimersByTimeAsync(200);
  vi.useRealTimers();
  await vi.waitFor(() => expect(backend.errors()).toHaveLength(1));
});
