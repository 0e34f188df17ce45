import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test, vi } from 'vitest';
import type { PredictionRow } from '#domain/forecast/prediction.ts';
import { PredictionGrid } from './prediction-grid.tsx';
import type { PredictionPage } from './predictions-api.ts';
import { fetchPredictions } from './predictions-api.ts';

vi.mock('./predictions-api.ts', async (original) => ({
  ...(await original<typeof import('./predictions-api.ts')>()),
  fetchPredictions: vi.fn(),
}));

const fetchPage = vi.mocked(fetchPredictions);
const NOW = Date.now();

/** Newest first, an hour apart. */
let saved: PredictionRow[];
beforeEach(() => {
  saved = [];
  // jsdom draws nothing and says so each time it is asked.
  vi.spyOn(HTMLCanvasElement.prototype, 'getContext').mockReturnValue(null);
  fetchPage.mockReset().mockImplementation(async (_user, page, size) => pageOf(page, size));
});

function pageOf(page: number, size: number): PredictionPage {
  return { rows: saved.slice(page * size, page * size + size), total: saved.length };
}

function aRow(n: number, change: Partial<PredictionRow> = {}): PredictionRow {
  return {
    id: `p${n}`,
    user_id: 'u1',
    cryptocurrency: 'BTC',
    timeframe: '1min',
    model: 'kat1',
    created_at: new Date(NOW - n * 3_600_000).toISOString(),
    data: someCandles(200),
    ...change,
  };
}

const someCandles = (count: number) =>
  Array.from({ length: count }, (_, i) => ({ time: 60 * (i + 1), open: 10, high: 12, low: 9, close: 11 }));

function show(pageSize = 2, onPopOut = vi.fn()) {
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  const tree = (savedCount: number) => (
    <QueryClientProvider client={client}>
      <PredictionGrid userId="u1" pageSize={pageSize} savedCount={savedCount} onPopOut={onPopOut} />
    </QueryClientProvider>
  );
  const { rerender } = render(tree(0));
  return { onPopOut, save: (count: number) => rerender(tree(count)) };
}

const cards = () => screen.getAllByRole('article').map((card) => card.getAttribute('aria-label'));

test('says that it loads, then that nothing is saved yet', async () => {
  show();

  expect(screen.getByText('Loading predictions…')).toBeDefined();
  expect(await screen.findByText('No saved predictions yet')).toBeDefined();
  expect(screen.getByText('Run a prediction to save it here')).toBeDefined();
  expect(screen.queryByRole('button', { name: 'Load More' })).toBeNull();
});

test('a card tells coin, timeframe, model, age and draws the 200 candles', async () => {
  saved = [
    aRow(0, { cryptocurrency: 'ETH', model: 'kat2_4', created_at: new Date(NOW - 3 * 3_600_000).toISOString() }),
  ];
  const { onPopOut } = show();

  expect(await screen.findByRole('heading', { name: 'ETH' })).toBeDefined();
  expect(cards()).toEqual(['ETH 1min Lion (Kat 2.4)']);
  expect(screen.getByText('3h ago').getAttribute('title')).toMatch(/\d/);
  const chart = screen.getByRole('img');
  expect(chart.getAttribute('data-candle-count')).toBe('200');
  expect(chart.getAttribute('aria-label')).toMatch(/last close 11\.00.*50 forecast candles/);
  expect(screen.queryByText('Saved prediction had fewer than 200 bars')).toBeNull();

  await userEvent.click(screen.getByRole('button', { name: 'Pop-out' }));
  expect(onPopOut).toHaveBeenCalledExactlyOnceWith('ETH 1min Lion (Kat 2.4)', saved[0]?.data);
});

test.each([
  ['two pages of 2 and one of 1', 2, 5, [2, 4, 5]],
  ['pages of 4', 4, 6, [4, 6]],
  ['exactly two pages', 2, 4, [2, 4]],
])('%s: Load More until the total is loaded', async (_what, size, total, shown) => {
  saved = Array.from({ length: total }, (_, i) => aRow(i, { cryptocurrency: `C${i}` }));
  show(size);

  for (const [i, count] of shown.entries()) {
    await vi.waitFor(() => expect(screen.getAllByRole('article')).toHaveLength(count));
    const more = screen.queryByRole('button', { name: 'Load More' });
    expect(more === null).toBe(i === shown.length - 1);
    if (more) await userEvent.click(more);
  }
});

test('a prediction that was just saved comes first', async () => {
  saved = [aRow(1, { cryptocurrency: 'SOL' })];
  const { save } = show();
  await screen.findByRole('heading', { name: 'SOL' });

  saved = [aRow(0, { cryptocurrency: 'DOGE' }), ...saved];
  save(1);

  await screen.findByRole('heading', { name: 'DOGE' });
  expect(cards()).toEqual(['DOGE 1min Bobcat (Kat 1)', 'SOL 1min Bobcat (Kat 1)']);
});

test('short data, unknown models and JSON text are shown for what they are', async () => {
  saved = [aRow(0, { data: JSON.stringify([...someCandles(120), { time: 'x' }]), model: 'kat9' })];
  show();

  expect(await screen.findByText('Saved prediction had fewer than 200 bars')).toBeDefined();
  expect(screen.getByText('kat9')).toBeDefined();
  expect(screen.getByRole('img').getAttribute('data-candle-count')).toBe('120');
});

test('a prediction without a single sound candle cannot be popped out', async () => {
  saved = [aRow(0, { data: 'not candles' })];
  const { onPopOut } = show();

  await userEvent.click(await screen.findByRole('button', { name: 'Pop-out' }));

  expect(onPopOut).not.toHaveBeenCalled();
});

test.each([
  ["the server's message", 'permission denied', 'permission denied'],
  ['no message', '', 'Failed to load predictions'],
])('a failure with %s is told, and Retry tries again', async (_what, message, shown) => {
  fetchPage.mockRejectedValueOnce(new Error(message));
  show();
  expect(await screen.findByText(shown)).toBeDefined();

  saved = [aRow(0)];
  await userEvent.click(screen.getByRole('button', { name: 'Retry' }));

  expect(await screen.findByRole('heading', { name: 'BTC' })).toBeDefined();
});
