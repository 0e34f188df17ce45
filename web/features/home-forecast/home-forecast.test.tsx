import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { act, fireEvent, render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { MemoryRouter } from 'react-router';
import { beforeEach, expect, test, vi } from 'vitest';
import type { LatestForecast } from '#domain/forecast/latest-forecast.ts';
import { placeOf, showGhost } from '../../charts/testing/fake-canvas.ts';
import { type FakeBackend, fakeBackend, json } from '../../platform/testing/fake-backend.ts';
import { aForecast } from '../../site/testing/latest-forecast-fixtures.ts';
import { setProfileZone } from '../../ui/browser/time-zone.ts';
import { HomeForecast } from './home-forecast.tsx';

const { t0 } = aForecast();
const NOW = (t0 + 72) * 1000;
/** Good for 47 s, then the two seconds that the page waits: one fixed, up to two by chance. */
const CACHING = { 'cache-control': 'public, max-age=47' };
const REFRESH_MS = 49_000;
const next = (): LatestForecast => {
  const later = (candles: LatestForecast['path']) => candles.map((candle) => ({ ...candle, time: candle.time + 60 }));
  const { history, path, ...rest } = aForecast(-0.3);
  return { ...rest, t0: t0 + 60, history: later(history), path: later(path) };
};
const DOWN = { error: 'Market data is not available right now.', code: 'venue/unavailable' };

let backend: FakeBackend;
const answer = (latest: LatestForecast) =>
  backend.on('GET /forecast/latest', () => Response.json(latest, { headers: CACHING }));
const fail = () => backend.on('GET /forecast/latest', () => json(DOWN, 503));
const requestCount = () => backend.to('/forecast/latest').length;

beforeEach(() => {
  setProfileZone('UTC');
  vi.useFakeTimers({ now: NOW, shouldAdvanceTime: true });
  vi.spyOn(Math, 'random').mockReturnValue(0.5);
  backend = fakeBackend();
  answer(aForecast());
  placeOf.mockReturnValue({ x: 300, y: 40 });
});

function show() {
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  render(
    <QueryClientProvider client={client}>
      <MemoryRouter>
        <HomeForecast />
      </MemoryRouter>
    </QueryClientProvider>,
  );
  return userEvent.setup({ advanceTimers: vi.advanceTimersByTime });
}

/** Whether the tab is visible. */
function seen(isSeen: boolean): void {
  vi.spyOn(document, 'visibilityState', 'get').mockReturnValue(isSeen ? 'visible' : 'hidden');
  window.dispatchEvent(new Event('visibilitychange'));
}
const count = () => document.querySelector('[data-candle-count]')?.getAttribute('data-candle-count');
const angle = () => document.querySelector('[data-angle]')?.getAttribute('data-angle');
const narrative = () => document.querySelector('[data-narrative]');
const pass = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms));

test('shows 200 candles, needle and sentence of one path, its model, and whose prices these are', async () => {
  show();

  await waitFor(() => expect(count()).toBe('200'));
  expect(angle()).toBe('35');
  expect(screen.getByRole('img', { name: /^This path, up or down: up, it moves \+0\.15%$/ })).toBeDefined();
  expect(narrative()?.textContent).toBe(
    'This path rises: +0.15% in 50 minutes. By then, the model’s 80% band runs from 99,800.0 to 100,250.0.',
  );
  expect(screen.getByText('simulated')).toBeDefined();
  expect(screen.getByText(/Bobcat \(Kat 1\) is useful for about the first 30 of its 50 bars/)).toBeDefined();
  expect(screen.getByRole('link', { name: 'How well it forecasts' }).getAttribute('href')).toBe('/ai-models');
  expect(screen.getByText('For research and education only. Not financial advice.')).toBeDefined();
  expect(screen.getByRole('img', { name: /150 candles\. One plausible path of 50 forecast candles/ })).toBeDefined();
});

test('shows the expected range as figures, in prices and from the last close', async () => {
  show();

  const figure = await screen.findByText('99,800.0 – 100,250.0');
  const range = figure.closest('[data-expected-range]')?.textContent;
  expect(range).toBe(
    'Expected range in 50 minutes99,800.0 – 100,250.0−0.20% to +0.25% from the last close' +
      'The 80% band: four in five closes should end inside.95% band: 99,500.0 – 100,600.0',
  );
});

test('draws a plain picture first on small screens, and the chart once it is touched', async () => {
  vi.spyOn(window, 'matchMedia').mockImplementation(
    (media) => Object.assign(new EventTarget(), { matches: media.includes('47.5em'), media }) as MediaQueryList,
  );
  show();

  await waitFor(() => expect(count()).toBe('200'));
  const picture = screen.getByRole('img', { name: /150 candles\. One plausible path of 50 forecast candles/ });
  expect(screen.queryByRole('slider')).toBeNull();
  fireEvent.pointerEnter(picture.parentElement ?? picture);

  expect(await screen.findByRole('slider', { name: /^Candles of BTC/ })).toBeDefined();
  expect(count()).toBe('200');
});

test('uses no word that could be taken for advice', async () => {
  show();

  await waitFor(() => expect(count()).toBe('200'));
  const texts = `${document.body.textContent} ${[...document.querySelectorAll('[aria-label]')].map((element) => element.getAttribute('aria-label')).join(' ')}`;
  expect(texts).not.toMatch(/buy|sell/i);
});

test.each([
  ['live', 'live'],
  ['replayed', 'replayed'],
] as const)('names a %s market', async (marketKind, label) => {
  answer(aForecast(0, { marketKind }));
  show();

  expect(await screen.findByText(label)).toBeDefined();
});

test('waits while nothing is there: no needle, no sentence, no figure', async () => {
  backend.on('GET /forecast/latest', () => new Promise(() => {}));
  show();

  expect(screen.getByRole('status').textContent).toBe('Waiting…');
  expect(screen.getByText('Expected range in 50 minutes').nextElementSibling?.textContent).toBe('–');
  expect(narrative()?.textContent).toBe('Waiting…');
  expect([angle(), count()]).toEqual([undefined, '0']);
});

test('draws a path that is too short for 51 closes, and describes nothing of it', async () => {
  const { path, band } = aForecast();
  const cut = Object.fromEntries(Object.entries(band).map(([name, edge]) => [name, edge.slice(0, 49)]));
  answer(aForecast(0, { path: path.slice(0, 49), band: { ...band, ...cut } }));
  show();

  await waitFor(() => expect(count()).toBe('199'));
  expect(narrative()?.textContent).toBe('Waiting…');
  expect(angle()).toBeUndefined();
});

test('says what failed and what still works, and Retry loads the chart', async () => {
  fail();
  const user = show();

  const alert = await screen.findByRole('alert');
  expect(alert.textContent).toContain('No forecast right now');
  expect(alert.textContent).toContain('Market data is not available right now. The rest of the page still works.');
  answer(aForecast());
  await user.click(screen.getByRole('button', { name: 'Retry' }));

  await waitFor(() => expect(count()).toBe('200'));
  expect(screen.queryByRole('alert')).toBeNull();
});

test('shows another forecast when the minute turns, and not before', async () => {
  show();
  await waitFor(() => expect(count()).toBe('200'));
  answer(next());

  // The clock runs while the page waits for its answer.
  await pass(NOW + REFRESH_MS - 2000 - Date.now());
  expect(requestCount()).toBe(1);
  await pass(3000);

  await waitFor(() => expect(angle()).toBe('-70'));
  expect(requestCount()).toBe(2);
});

test('requests nothing in a hidden tab, and immediately once it is seen again', async () => {
  show();
  await waitFor(() => expect(count()).toBe('200'));

  seen(false);
  await pass(10 * 60_000);
  expect(requestCount()).toBe(1);
  seen(true);

  await waitFor(() => expect(requestCount()).toBe(2));
});

test('keeps the old chart when nothing newer arrives, dimmed and with its age', async () => {
  show();
  await waitFor(() => expect(count()).toBe('200'));
  fail();

  await pass(REFRESH_MS + 60_000);

  await waitFor(() => expect(document.querySelector('[data-stale]')).not.toBeNull());
  expect(count()).toBe('200');
  expect(angle()).toBe('35');
  expect(document.querySelector('[data-stale]')?.className).toContain('old-figures');
  expect(screen.getByRole('status').textContent).toMatch(
    /^Market data is not available right now\. Shown as of \dm ago\.Retry$/,
  );
});

test('shows the close beside the candle that is chosen by key', async () => {
  show();
  await waitFor(() => expect(count()).toBe('200'));
  // The canvas is there.
  await waitFor(() => expect(showGhost).toHaveBeenCalled());
  const tip = screen.getByRole('tooltip', { hidden: true });
  expect(tip.hidden).toBe(true);
  const slider = screen.getByRole('slider', { name: /^Candles of BTC/ });

  fireEvent.focus(slider);
  expect(tip.hidden).toBe(false);
  expect(tip.textContent).toMatch(/^forecast \d\d:\d\dClose 100,150\.0$/);
  fireEvent.change(slider, { target: { value: '0' } });
  expect(tip.textContent).toMatch(/^\d\d:\d\dClose 100,000\.0$/);

  fireEvent.blur(slider);
  expect(tip.hidden).toBe(true);
});
