import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { render, screen, waitFor } from '@testing-library/react';
import { beforeEach, expect, test } from 'vitest';
import { HORIZON_BARS } from '#domain/forecast/window.ts';
import { type FakeBackend, fakeBackend, json } from '../../platform/testing/fake-backend.ts';
import { MinuteFigures } from './minute-figures.tsx';

const LAST_CLOSE = 100_000;
/** Edges that widen by two price points a bar. */
const edges = (sign: number) => Array.from({ length: HORIZON_BARS }, (_, i) => LAST_CLOSE + sign * (i + 1) * 2);
const USUAL = {
  sym: 'BTCUSDT.P',
  timeframe: '1min',
  t0: 1_796_120_340,
  lastClose: LAST_CLOSE,
  lower80: edges(-1),
  upper80: edges(1),
  baseline: 'b1',
};
const CHANCE = {
  symbol: 'BTCUSDT.P',
  model: 'bobcat',
  timeframe: '1min',
  modelVersion: 'bobcat-1',
  marketKind: 'simulated',
  t0: USUAL.t0,
  asOf: '2026-12-01T10:27:18.204Z',
  price: 100_010,
  question: { kind: 'above', price: LAST_CLOSE, bar: HORIZON_BARS },
  chance: 0.5349,
  baseline: 0.4951,
  by: 'quantiles',
  similar: null,
  missingMinutes: 0,
};

let backend: FakeBackend;
beforeEach(() => {
  backend = fakeBackend();
  backend.on('GET /forecast/usual', () => json(USUAL));
  backend.on('GET /chances', () => json(CHANCE));
});

function show() {
  render(
    <QueryClientProvider client={new QueryClient({ defaultOptions: { queries: { retry: false } } })}>
      <MinuteFigures />
    </QueryClientProvider>,
  );
}
const figures = () => screen.getAllByRole('definition').map(({ textContent }) => textContent);

test('shows the usual range at the fiftieth minute, and the model’s chance beside that of volatility alone', async () => {
  show();

  expect(await screen.findByText('99,900.0 – 100,100.0')).toBeDefined();
  expect(screen.getAllByRole('term')[1]?.textContent).toBe('Chance of a close above 100,000.0');
  expect(backend.to('/chances')[0]?.search).toBe(
    '?symbol=BTCUSDT.P&model=bobcat&timeframe=1min&kind=above&price=100000&bar=50',
  );
  expect(figures().slice(2)).toEqual(['53%', 'Bobcat (Kat 1), in 50 minutes. Past volatility alone says 50%.']);
});

test('shows the range without a chance while there is none', async () => {
  backend.on('GET /chances', () => json({ error: 'No forecast.', code: 'forecast/failed' }, 503));
  show();

  expect(await screen.findByText('99,900.0 – 100,100.0')).toBeDefined();
  expect(figures()[2]).toBe('–');
});

test('shows no figure when the range cannot be loaded', async () => {
  backend.on('GET /forecast/usual', () => json({ error: 'Away.', code: 'venue/unavailable' }, 503));
  show();

  await waitFor(() => expect(backend.to('/forecast/usual').length).toBeGreaterThan(0));
  expect(figures().filter((text) => text === '–')).toHaveLength(2);
  expect(backend.to('/chances')).toHaveLength(0);
});
