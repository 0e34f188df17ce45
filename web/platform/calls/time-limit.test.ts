import { expect, test, vi } from 'vitest';
import { CallError } from './call-error.ts';
import { CALL_LIMIT_MS, inTime, isTooLate } from './time-limit.ts';

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
