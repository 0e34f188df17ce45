import { expect, test } from 'vitest';
import { fakeForecasts } from '../../forecast/testing/fake-forecasts.ts';
import { latestView } from './latest-view.ts';

const { signal } = new AbortController();

test('shows the public forecast of this minute, without a page and without a seal', async () => {
  const forecasts = fakeForecasts();
  const view = await latestView(forecasts)(signal);
  expect(view).toMatchObject({ id: null, seal: null, origin: 'latest', state: 'running', label: 'BTC' });
  expect(view).toMatchObject({ model: 'bobcat', timeframe: '1min' });
  expect(view.content?.path).toHaveLength(50);
  expect(view.content?.bandBars).toEqual(Array.from({ length: 50 }, (_, i) => i + 1));
  expect(view.content?.outcome).toEqual([]);
  expect(view.content?.history.at(-1)?.time).toBe(view.joinS);
});

test('gives the same object until the minute turns, so that nothing is drawn twice', async () => {
  const forecasts = fakeForecasts();
  const latest = latestView(forecasts);
  const view = await latest(signal);
  expect(await latest(signal)).toBe(view);
  forecasts.turnMinute();
  const next = await latest(signal);
  expect(next).not.toBe(view);
  expect(next.joinS).toBe(view.joinS + 60);
});

test('fails as the forecast does', async () => {
  const forecasts = fakeForecasts();
  forecasts.failNext = new Error('no candles');
  await expect(latestView(forecasts)(signal)).rejects.toThrow('no candles');
});
