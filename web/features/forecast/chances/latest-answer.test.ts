import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { latestAnswer, SEND_EVERY_MS } from './latest-answer.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

/** Each request waits until the test settles it. */
function opened() {
  const requests: { question: number; signal: AbortSignal; answer(): void; fail(): void }[] = [];
  const answers: [answer: string, isNewest: boolean][] = [];
  const failures: number[] = [];
  const asker = latestAnswer<number, string>({
    nowMs: () => Date.now(),
    fetch(question, signal) {
      const { promise, resolve, reject } = Promise.withResolvers<string>();
      requests.push({ question, signal, answer: () => resolve(`a${question}`), fail: () => reject(new Error('no')) });
      return promise;
    },
    onAnswer: (answer, _question, isNewest) => answers.push([answer, isNewest]),
    onFailure: (_error, question) => failures.push(question),
  });
  return { requests, answers, failures, asker };
}

test('sends at most four questions a second while they change, and the last one always', async () => {
  const { requests, asker } = opened();
  for (let ms = 0; ms < 990; ms += 10) {
    asker.ask(ms);
    await vi.advanceTimersByTimeAsync(10);
  }
  expect(requests.length).toBeLessThanOrEqual(4);

  await vi.advanceTimersByTimeAsync(SEND_EVERY_MS);

  expect(requests.at(-1)?.question).toBe(980);
  expect(requests.length).toBeLessThanOrEqual(5);
});

test('drops an answer that arrives after the answer to a newer question', async () => {
  const { requests, answers, asker } = opened();
  asker.ask(1);
  asker.ask(2);
  await vi.advanceTimersByTimeAsync(SEND_EVERY_MS);
  requests[1]?.answer();
  await vi.advanceTimersByTimeAsync(0);
  requests[0]?.answer();
  await vi.advanceTimersByTimeAsync(0);

  expect(answers).toEqual([['a2', true]]);
  expect(requests[0]?.signal.aborted).toBe(true);
});

test('shows answers on the way to a slow server’s last one', async () => {
  const { requests, answers, asker } = opened();
  asker.ask(1);
  asker.ask(2);
  await vi.advanceTimersByTimeAsync(SEND_EVERY_MS);
  for (const request of requests) {
    request.answer();
    await vi.advanceTimersByTimeAsync(0);
  }

  expect(answers).toEqual([
    ['a1', false],
    ['a2', true],
  ]);
});

test('reports only a failure of the newest question', async () => {
  const { requests, failures, asker } = opened();
  asker.ask(1);
  asker.ask(2);
  await vi.advanceTimersByTimeAsync(SEND_EVERY_MS);
  requests[0]?.fail();
  await vi.advanceTimersByTimeAsync(0);
  expect(failures).toEqual([]);
  requests[1]?.fail();
  await vi.advanceTimersByTimeAsync(0);

  expect(failures).toEqual([2]);
});

test('gives up the oldest of many open questions, and all when it stops', async () => {
  const { requests, answers, asker } = opened();
  for (let question = 1; question <= 6; question++) {
    asker.ask(question);
    await vi.advanceTimersByTimeAsync(SEND_EVERY_MS);
  }
  expect(requests.map(({ signal }) => signal.aborted)).toEqual([true, true, false, false, false, false]);

  asker.ask(7);
  asker.stop();
  for (const request of requests) request.answer();
  await vi.advanceTimersByTimeAsync(SEND_EVERY_MS);

  expect(answers).toEqual([]);
  expect(requests.every(({ signal }) => signal.aborted)).toBe(true);
});
