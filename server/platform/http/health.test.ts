import { expect, test, vi } from 'vitest';
import { draining, healthRoutes } from './health.ts';

test('answers a flood of calls with one look at each part', async () => {
  const isReady = vi.fn(async () => true);
  const app = healthRoutes([{ name: 'database', isReady }]);

  const answers = await Promise.all(Array.from({ length: 100 }, () => app.request('/readyz')));

  expect(answers.every(({ status }) => status === 200)).toBe(true);
  expect(isReady).toHaveBeenCalledTimes(1);
});

test('reports immediately that the process is leaving', async () => {
  const leaving = draining();
  const app = healthRoutes([{ name: 'database', isReady: async () => true }, leaving.readiness]);
  expect((await app.request('/readyz')).status).toBe(200);

  leaving.finish();

  expect((await app.request('/readyz')).status).toBe(503);
});

test('calls each part another time a second later, and names what does not respond', async () => {
  vi.useFakeTimers({ toFake: ['performance'] });
  let isReady = true;
  const app = healthRoutes([{ name: 'database', isReady: async () => isReady }]);
  const answer = async () => (await app.request('/readyz')).json();
  expect(await answer()).toMatchObject({ status: 'ready' });

  isReady = false;
  vi.advanceTimersByTime(1001);

  expect(await answer()).toEqual({ status: 'not ready', checks: { database: false } });
  vi.useRealTimers();
});
