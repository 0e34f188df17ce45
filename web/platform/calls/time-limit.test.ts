import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { resetPageState } from '../../page-state.ts';
import { CallError } from './call-error.ts';
import { CALL_LIMIT_MS, inFixedTime, inTime, isTooLate, noteAnswer } from './time-limit.ts';

beforeEach(resetPageState);
afterEach(() => {
  vi.useRealTimers();
});

const NEVER = new Promise<never>(() => {});
/** Ends every time limit that starts after this. */
function limitEnds(): () => void {
  const limit = new AbortController();
  vi.spyOn(AbortSignal, 'timeout').mockReturnValue(limit.signal);
  return () => limit.abort(new DOMException('too late', 'TimeoutError'));
}

test('returns an answer in time', async () => {
  const timeout = vi.spyOn(AbortSignal, 'timeout');

  expect(await inTime(new AbortController().signal, async () => 7)).toBe(7);

  expect(timeout).toHaveBeenCalledExactlyOnceWith(CALL_LIMIT_MS);
  expect(CALL_LIMIT_MS).toBe(15_000);
});

test('ends the call with an error without an answer in time, also where the call does not listen', async () => {
  const end = limitEnds();
  let received: AbortSignal | null = null;
  const answer = inTime(new AbortController().signal, (signal) => {
    received = signal;
    return NEVER;
  });

  end();

  await expect(answer).rejects.toThrow('too late');
  expect(received).toMatchObject({ aborted: true });
});

test('ends the call of a caller who leaves with the caller’s reason', async () => {
  limitEnds();
  const left = new AbortController();
  const answer = inTime(left.signal, () => NEVER);

  left.abort(new Error('gone'));

  await expect(answer).rejects.toThrow('gone');
});

test('starts no call for a caller who has left already', async () => {
  const call = vi.fn(() => NEVER);

  await expect(inTime(AbortSignal.abort(new Error('gone')), call)).rejects.toThrow('gone');

  expect(call).not.toHaveBeenCalled();
});

/** Ends the nth limit of the call, counted from 0. */
function limitsEnd(): { ms: number[]; end(nth: number): void } {
  const ends: AbortController[] = [];
  const ms: number[] = [];
  vi.spyOn(AbortSignal, 'timeout').mockImplementation((limitMs) => {
    ms.push(limitMs);
    const end = new AbortController();
    ends.push(end);
    return end.signal;
  });
  return { ms, end: (nth) => ends[nth]?.abort(new DOMException('too late', 'TimeoutError')) };
}

test('gives a call up to a minute while the server answers others', async () => {
  vi.useFakeTimers();
  vi.stubGlobal('fetch', () => NEVER);
  const limits = limitsEnd();
  const answer = inTime(new AbortController().signal, () => NEVER);
  answer.catch(() => undefined);
  for (let nth = 0; nth < 4; nth++) {
    await vi.advanceTimersByTimeAsync(12_000);
    noteAnswer();
    limits.end(nth);
  }

  await expect(answer).rejects.toThrow('too late');
  expect(limits.ms).toEqual([15_000, 15_000, 15_000, 15_000]);
});

test('gives a call no more time for an answer of long ago', async () => {
  vi.useFakeTimers();
  vi.stubGlobal('fetch', () => NEVER);
  const limits = limitsEnd();
  const answer = inTime(new AbortController().signal, () => NEVER);
  answer.catch(() => undefined);
  await vi.advanceTimersByTimeAsync(4000);
  noteAnswer();
  await vi.advanceTimersByTimeAsync(11_000);
  limits.end(0);

  await expect(answer).rejects.toThrow('too late');
});

test.each([
  ['responds', () => Response.json({ status: 'ok' }), 2],
  ['is replaced by an error page', () => new Response('', { status: 502 }), 1],
  ['does not respond', () => NEVER, 1],
])('checks whether a silent server responds, and waits longer only then: %s', async (_what, respond, limit) => {
  vi.useFakeTimers();
  const sent = vi.fn(async (_path: string) => respond());
  vi.stubGlobal('fetch', sent);
  const limits = limitsEnd();
  const left = new AbortController();
  const answer = inTime(left.signal, () => NEVER);
  answer.catch(() => undefined);

  await vi.advanceTimersByTimeAsync(4999);
  expect(sent).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(1);
  expect(sent.mock.calls.map(([path]) => path)).toEqual(['/healthz']);
  limits.end(0);

  expect(limits.ms).toHaveLength(limit);
  left.abort();
});

test('sends one check for calls that begin together, and its answer gives each more time', async () => {
  vi.useFakeTimers();
  const sent = vi.fn(async () => Response.json({ status: 'ok' }));
  vi.stubGlobal('fetch', sent);
  const limits = limitsEnd();
  const left = new AbortController();
  for (let nth = 0; nth < 3; nth++) {
    inTime(left.signal, () => NEVER).catch(() => undefined);
    await vi.advanceTimersByTimeAsync(500);
  }
  await vi.advanceTimersByTimeAsync(6000);
  expect(sent).toHaveBeenCalledTimes(1);
  for (let nth = 0; nth < 3; nth++) limits.end(nth);

  expect(limits.ms).toHaveLength(6);
  left.abort();
});

test('ends a call in fixed time at its limit, whatever else the server answers', async () => {
  vi.useFakeTimers();
  const sent = vi.fn();
  vi.stubGlobal('fetch', sent);
  const limits = limitsEnd();
  const answer = inFixedTime(new AbortController().signal, () => NEVER);
  answer.catch(() => undefined);
  await vi.advanceTimersByTimeAsync(12_000);
  noteAnswer();
  limits.end(0);

  await expect(answer).rejects.toThrow('too late');
  expect(limits.ms).toEqual([15_000]);
  expect(sent).not.toHaveBeenCalled();
});

test('sends nothing after the call', async () => {
  vi.useFakeTimers();
  const sent = vi.fn();
  vi.stubGlobal('fetch', sent);

  await inTime(new AbortController().signal, async () => 7);
  await vi.advanceTimersByTimeAsync(20_000);

  expect(sent).not.toHaveBeenCalled();
});

test('keeps the reason of a refusal', async () => {
  const answer = inTime(new AbortController().signal, () => Promise.reject(new Error('refused')));

  await expect(answer).rejects.toThrow('refused');
});

test.each([
  ['the limit itself', new DOMException('', 'TimeoutError'), true],
  ['what a widget makes of it', new CallError('x', 'Failed.', 0, new DOMException('', 'TimeoutError')), true],
  ['a refusal', new CallError('x', 'Failed.', 503, new Error('no')), false],
  ['who left', new DOMException('', 'AbortError'), false],
  ['no error', 'TimeoutError', false],
])('recognises a timeout: %s', (_what, error, expected) => {
  expect(isTooLate(error)).toBe(expected);
});
