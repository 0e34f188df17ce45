import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { AppError } from '#domain/errors/app-error.ts';
import { UnstartedForecast } from './model-runner.ts';
import { type InferenceJob, WaitingJobs } from './waiting-jobs.ts';

let refused: [string, AppError][];

beforeEach(() => {
  refused = [];
  vi.useFakeTimers();
});

afterEach(() => {
  vi.useRealTimers();
});

function job(sym: string, over: Partial<InferenceJob> = {}): InferenceJob {
  const subject = { sym, assetClass: 'crypto', tickSize: 0.1 } as const;
  return {
    question: { kind: 'forecast', model: 'bobcat', subject, candles: new Float64Array() },
    timeoutMs: 1000,
    maxWaitMs: 5000,
    isReopening: false,
    resolve: () => undefined,
    reject: (error) => refused.push([sym, error]),
    ...over,
  };
}

test('takes jobs in order, and those put first before all others', () => {
  const jobs = new WaitingJobs();
  const [a, b, first] = [job('A'), job('B'), job('FIRST')];

  jobs.add(a);
  jobs.add(b);
  jobs.putFirst(first);

  expect([jobs.take(), jobs.take(), jobs.take(), jobs.take()]).toEqual([first, a, b, undefined]);
});

test('refuses only a job that waited too long as never started', () => {
  const jobs = new WaitingJobs();
  const patient = job('PATIENT', { maxWaitMs: null });
  jobs.add(job('TAKEN'));
  jobs.add(job('LATE'));
  jobs.add(patient);

  jobs.take();
  vi.advanceTimersByTime(60_000);

  expect(refused).toEqual([['LATE', expect.any(UnstartedForecast)]]);
  expect([jobs.take(), jobs.size]).toEqual([patient, 0]);
});

test('refuses the 101st waiting job immediately', () => {
  const jobs = new WaitingJobs();

  for (let i = 1; i <= 101; i++) jobs.add(job(`${i}`));

  expect(refused.map(([sym, error]) => [sym, error.details.reason])).toEqual([
    ['101', 'too many forecasts are waiting'],
  ]);
  expect(jobs.size).toBe(100);
});

test('drops leftover reopenings of an ended process silently', () => {
  const jobs = new WaitingJobs();
  const own = job('OWN');
  jobs.add(own);
  jobs.putFirst(job('LEFT', { isReopening: true }), job('OVER', { isReopening: true }));

  jobs.dropReopenings();

  expect([jobs.take(), jobs.take(), refused]).toEqual([own, undefined, []]);
});

test('refuses all jobs once, and never again by their time limit', () => {
  const jobs = new WaitingJobs();
  jobs.add(job('A'));
  jobs.add(job('B'));

  jobs.rejectAll('the server is stopping', 'last words');
  vi.advanceTimersByTime(60_000);

  expect(refused.map(([sym, error]) => [sym, error.details.reason, error.cause])).toEqual([
    ['A', 'the server is stopping', new Error('last words')],
    ['B', 'the server is stopping', new Error('last words')],
  ]);
});
