import { expect, test } from 'vitest';
import { type CachedAnswersOptions, cachedAnswers } from './upstream-cache.ts';

const never = new AbortController().signal;
const MINUTE_MS = 60_000;

function setUp(options: Partial<CachedAnswersOptions<string>> = {}) {
  const time = { ms: 0 };
  const upstream = { isHealthy: true, calls: [] as string[] };
  const answers = cachedAnswers<string>({
    freshMs: MINUTE_MS,
    clock: { nowMs: () => 1_000_000 + time.ms },
    monotonicMs: () => time.ms,
    load: async (key) => {
      upstream.calls.push(key);
      if (!upstream.isHealthy) throw new Error('gone');
      return `${key}${upstream.calls.length}`;
    },
    ...options,
  });
  return { time, upstream, answers, get: (key = 'a') => answers.get(key, never) };
}

test('returns a fresh answer from the cache, and loads a new one after it expires', async () => {
  const { time, upstream, get } = setUp();

  expect(await get()).toEqual({ value: 'a1', fetchedAtMs: 1_000_000, isStale: false });
  time.ms = MINUTE_MS - 1;
  expect(await get()).toMatchObject({ value: 'a1' });
  time.ms = MINUTE_MS;

  expect(await get()).toEqual({ value: 'a2', fetchedAtMs: 1_060_000, isStale: false });
  expect(upstream.calls).toEqual(['a', 'a']);
});

test('makes one call per key for simultaneous requests', async () => {
  const { upstream, get } = setUp();

  const answers = await Promise.all([get(), get('b'), get(), get('b'), get()]);

  expect(answers.map((a) => a.value)).toEqual(['a1', 'b2', 'a1', 'b2', 'a1']);
  expect(upstream.calls).toEqual(['a', 'b']);
});

test('returns the old answer as stale while the upstream fails, and retries after a pause', async () => {
  const { time, upstream, get } = setUp();
  await get();
  upstream.isHealthy = false;
  time.ms = MINUTE_MS;

  for (let i = 0; i < 3; i++) expect(await get()).toEqual({ value: 'a1', fetchedAtMs: 1_000_000, isStale: true });
  expect(upstream.calls).toHaveLength(2);
  upstream.isHealthy = true;
  time.ms += 10_000;

  expect(await get()).toMatchObject({ value: 'a3', isStale: false });
});

test('reports a failure without an answer, and makes no call for a moment', async () => {
  const { time, upstream, get } = setUp();
  upstream.isHealthy = false;

  await expect(get()).rejects.toThrow('gone');
  await expect(get()).rejects.toThrow('gone');
  expect(upstream.calls).toHaveLength(1);
  upstream.isHealthy = true;
  time.ms = 10_000;

  expect(await get()).toMatchObject({ value: 'a2' });
});

test('rejects an answer that is too old', async () => {
  const { time, upstream, get } = setUp({ maxStaleMs: 5 * MINUTE_MS });
  await get();
  upstream.isHealthy = false;
  time.ms = 5 * MINUTE_MS;

  await expect(get()).rejects.toThrow('gone');
});

test('continues the call when one caller disconnects', async () => {
  const release = Promise.withResolvers<string>();
  const { answers } = setUp({ load: () => release.promise });
  const leaving = new AbortController();
  const left = answers.get('a', leaving.signal);
  const stayed = answers.get('a', never);

  leaving.abort(new Error('closed the tab'));
  await expect(left).rejects.toThrow('closed the tab');
  release.resolve('value');

  expect(await stayed).toMatchObject({ value: 'value' });
});

test('fails a call that times out', async () => {
  const { get } = setUp({
    timeoutMs: 10,
    load: (_key, signal) =>
      new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason), { once: true })),
  });

  await expect(get()).rejects.toMatchObject({ name: 'TimeoutError' });
});

test('evicts the least recently used key beyond the limit', async () => {
  const { upstream, get } = setUp({ maxKeys: 2 });

  for (const key of ['a', 'b', 'a', 'c', 'a', 'b']) await get(key);

  expect(upstream.calls).toEqual(['a', 'b', 'c', 'b']);
});
