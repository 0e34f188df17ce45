import { Hono } from 'hono';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { slowRefusals } from './slow-refusals.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function anApp() {
  const app = new Hono();
  app.use(slowRefusals((c) => c.req.header('x-who') ?? null));
  app.get('/refused', (c) => c.text('later', 429));
  app.get('/fine', (c) => c.text('fine'));
  const answered: number[] = [];
  const call = (path: string, headers: Record<string, string> = {}) =>
    Promise.resolve(app.request(path, { headers })).then(({ status }) => answered.push(status));
  return { call, answered };
}

test('delays refusals of an address beyond fifty in five seconds, and of no other', async () => {
  const { call, answered } = anApp();
  for (let nth = 0; nth < 50; nth += 1) await call('/refused', { 'x-who': 'hasty' });

  const late = call('/refused', { 'x-who': 'hasty' });
  await call('/fine', { 'x-who': 'hasty' });
  await call('/refused', { 'x-who': 'another' });
  expect(answered).toHaveLength(52);

  await vi.advanceTimersByTimeAsync(199);
  expect(answered).toHaveLength(52);
  await vi.advanceTimersByTimeAsync(401);
  await late;
  expect(answered.at(-1)).toBe(429);
});

test('delays nothing for an unknown address', async () => {
  const { call, answered } = anApp();

  for (let nth = 0; nth < 60; nth += 1) await call('/refused');

  expect(answered).toHaveLength(60);
});
