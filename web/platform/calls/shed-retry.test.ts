import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { resetPageState } from '../../page-state.ts';
import { hasJustStoppedRetrying, retryingFetch } from './shed-retry.ts';
import { inTime } from './time-limit.ts';

const shed = (retryAfter: string | null = '2') =>
  Response.json(
    { code: 'server/busy', error: 'Kat is busy.' },
    { status: 503, headers: { 'x-kat-shed': '1', ...(retryAfter === null ? {} : { 'retry-after': retryAfter }) } },
  );
const ok = () => Response.json({ ok: true });

/** Gives these answers in turn, the last one again and again. */
function answering(...answers: (() => Response)[]) {
  const sent = vi.fn<typeof fetch>(async () => (answers.length > 1 ? answers.shift() : answers[0])?.() ?? ok());
  vi.stubGlobal('fetch', sent);
  return sent;
}

beforeEach(() => {
  resetPageState();
  vi.useFakeTimers();
  // No jitter: the wait is what the server says.
  vi.spyOn(Math, 'random').mockReturnValue(0);
});
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

test('sends a shed request again, unchanged, once the time that the server named has passed', async () => {
  const sent = answering(shed, ok);
  const init = { method: 'POST', body: '{"a":1}', headers: { 'x-test': '1' } };
  const answer = retryingFetch('/functions/v1/x', init);

  await vi.advanceTimersByTimeAsync(1999);
  expect(sent).toHaveBeenCalledOnce();
  await vi.advanceTimersByTimeAsync(1);

  expect((await answer).status).toBe(200);
  expect(sent.mock.calls).toEqual([
    ['/functions/v1/x', init],
    ['/functions/v1/x', init],
  ]);
});

test('waits up to half as long again, so that a crowd does not return at one moment', async () => {
  vi.mocked(Math.random).mockReturnValue(0.5);
  const sent = answering(shed, ok);
  void retryingFetch('/x');

  await vi.advanceTimersByTimeAsync(2499);
  expect(sent).toHaveBeenCalledOnce();
  await vi.advanceTimersByTimeAsync(1);

  expect(sent).toHaveBeenCalledTimes(2);
});

test.each([
  ['a 503 that names no time', () => Response.json({ code: 'database/unavailable' }, { status: 503 })],
  ['a 429', () => new Response('', { status: 429, headers: { 'retry-after': '1', 'x-kat-shed': '1' } })],
  ['a success', ok],
])('returns %s immediately', async (_what, respond) => {
  const sent = answering(respond);

  await retryingFetch('/x');

  expect(sent).toHaveBeenCalledOnce();
  expect(hasJustStoppedRetrying()).toBe(false);
});

test('returns the refusal as it is after three retries', async () => {
  const sent = answering(() => shed('1'));
  const answer = retryingFetch('/x');

  await vi.advanceTimersByTimeAsync(60_000);

  expect(sent).toHaveBeenCalledTimes(4);
  expect((await answer).status).toBe(503);
  expect(await (await answer).json()).toEqual({ code: 'server/busy', error: 'Kat is busy.' });
});

test('returns the refusal rather than outlive the time limit of calls', async () => {
  const sent = answering(() => shed('5'));
  const startMs = performance.now();
  const answer = retryingFetch('/x').then(() => performance.now() - startMs);

  await vi.advanceTimersByTimeAsync(60_000);

  expect(await answer).toBe(10_000);
  expect(sent).toHaveBeenCalledTimes(3);
});

test('waits two seconds where the server names no time', async () => {
  const sent = answering(() => shed(null), ok);
  void retryingFetch('/x');

  await vi.advanceTimersByTimeAsync(1999);
  expect(sent).toHaveBeenCalledOnce();
  await vi.advanceTimersByTimeAsync(1);

  expect(sent).toHaveBeenCalledTimes(2);
});

test('stops waiting as soon as the caller aborts, and sends nothing more', async () => {
  const sent = answering(shed);
  const left = new AbortController();
  const answer = retryingFetch('/x', { signal: left.signal });
  const refused = expect(answer).rejects.toThrow('gone');
  await vi.advanceTimersByTimeAsync(1000);

  left.abort(new Error('gone'));

  await refused;
  await vi.advanceTimersByTimeAsync(60_000);
  expect(sent).toHaveBeenCalledOnce();
  expect(vi.getTimerCount()).toBe(0);
});

test('does not wait for a caller that aborted while the refusal arrived', async () => {
  const left = new AbortController();
  answering(() => {
    left.abort(new Error('gone'));
    return shed();
  });

  await expect(retryingFetch('/x', { signal: left.signal })).rejects.toThrow('gone');
});

test('returns the refusal of a stream, which can be sent only once', async () => {
  const sent = answering(shed);

  expect((await retryingFetch('/x', { method: 'POST', body: new ReadableStream() })).status).toBe(503);

  expect(sent).toHaveBeenCalledOnce();
});

test('retries as often as a patient caller allows, and reports each wait', async () => {
  const sent = answering(() => shed('10'));
  const onWait = vi.fn();
  const startMs = performance.now();
  const answer = retryingFetch('/x', {}, { untilMs: startMs + 60_000, onWait });

  await vi.advanceTimersByTimeAsync(120_000);

  expect((await answer).status).toBe(503);
  expect(sent).toHaveBeenCalledTimes(7);
  // Nothing is shown before the first wait was in vain.
  expect(onWait).toHaveBeenCalledTimes(5);
});

test('waits out the time of a busy database for a read, but does not repeat a write that may have been done', async () => {
  const busy = () => Response.json({ code: 'database/busy' }, { status: 503, headers: { 'retry-after': '1' } });
  const sent = answering(busy, ok);
  const read = retryingFetch('/history');
  await vi.advanceTimersByTimeAsync(1000);
  expect((await read).status).toBe(200);
  answering(busy, ok);

  expect((await retryingFetch('/functions/v1/x', { method: 'POST' })).status).toBe(503);
  expect(sent).toHaveBeenCalledTimes(2);
});

test('waits out a first time that is longer than a call may take, and no later one', async () => {
  const sent = answering(() => shed('16'));
  const answer = retryingFetch('/x');

  await vi.advanceTimersByTimeAsync(60_000);

  expect((await answer).status).toBe(503);
  expect(sent).toHaveBeenCalledTimes(2);
});

test('does not count the time that it waits as the call’s own', async () => {
  const limits: number[] = [];
  const ends: AbortController[] = [];
  vi.spyOn(AbortSignal, 'timeout').mockImplementation((ms) => {
    limits.push(ms);
    ends.push(new AbortController());
    return ends.at(-1)?.signal ?? AbortSignal.abort();
  });
  answering(() => shed('16'), ok);
  const answer = inTime(new AbortController().signal, (signal) => retryingFetch('/x', { signal }));
  await vi.advanceTimersByTimeAsync(15_000);
  ends[0]?.abort();
  await vi.advanceTimersByTimeAsync(1000);

  expect((await answer).status).toBe(200);
  expect(limits).toEqual([15_000, 16_000]);
});

test('waits out a time with a random part, which is no whole number of milliseconds', async () => {
  vi.mocked(Math.random).mockReturnValue(0.3333);
  const timeout = vi.spyOn(AbortSignal, 'timeout');
  const ends: AbortController[] = [];
  timeout.mockImplementation((ms) => {
    expect(ms).toBe(Math.ceil(ms));
    ends.push(new AbortController());
    return ends.at(-1)?.signal ?? AbortSignal.abort();
  });
  answering(() => shed('1'), ok);
  const answer = inTime(new AbortController().signal, (signal) => retryingFetch('/x', { signal }));
  await vi.advanceTimersByTimeAsync(1000);
  ends[0]?.abort();
  await vi.advanceTimersByTimeAsync(1000);

  expect((await answer).status).toBe(200);
  expect(timeout).toHaveBeenCalledTimes(2);
});

test('remembers for a moment that it gave up', async () => {
  answering(() => shed('31'));

  await retryingFetch('/x');

  expect(hasJustStoppedRetrying()).toBe(true);
  await vi.advanceTimersByTimeAsync(1001);
  expect(hasJustStoppedRetrying()).toBe(false);
});
