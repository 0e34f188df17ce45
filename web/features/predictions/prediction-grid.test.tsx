import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test, vi } from 'vitest';
import type { PredictionRow } from '#domain/forecast/prediction.ts';
import type { OutcomeRow } from '#domain/record/scoring/outcome.ts';
import { type FakeBackend, fakeBackend, json, storeSession } from '../../platform/testing/fake-backend.ts';
import { PredictionGrid } from './prediction-grid.tsx';
import {
  aKnownOutcome,
  aPage,
  aRow,
  aWaitingOutcome,
  idsOf,
  NOW,
  rangeOf,
  someCandles,
} from './testing/prediction-fixtures.ts';

const PREDICTIONS = '/rest/v1/user_predictions';
const OUTCOMES = '/rest/v1/prediction_outcomes';
let backend: FakeBackend;

/** Newest first, an hour apart. */
let saved: PredictionRow[];
beforeEach(() => {
  saved = [];
  // jsdom draws nothing and logs that on every call.
  vi.spyOn(HTMLCanvasElement.prototype, 'getContext').mockReturnValue(null);
  backend = fakeBackend();
  answerSaved();
  answerOutcomes();
});

function answerSaved(): void {
  backend.on(`GET ${PREDICTIONS}`, (request) => {
    const { from, count } = rangeOf(request);
    return aPage(saved.slice(from, from + count), from, saved.length);
  });
}
const answerOutcomes = (...outcomes: OutcomeRow[]) => backend.on(`GET ${OUTCOMES}`, () => json(outcomes));
const fail = (path: string, message: string) => backend.on(`GET ${path}`, () => json({ code: '57014', message }, 500));

function show(paging: { pageSize?: number; firstCount?: number } = {}, onPopOut = vi.fn()) {
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  const tree = (savedCount: number) => (
    <QueryClientProvider client={client}>
      <PredictionGrid userId="u1" pageSize={2} {...paging} savedCount={savedCount} onPopOut={onPopOut} />
    </QueryClientProvider>
  );
  const { rerender } = render(tree(0));
  return { onPopOut, save: (count: number) => rerender(tree(count)) };
}

/** By their element: a query by role computes the style of every element of every card. */
const articles = () => [...document.querySelectorAll('article')];
const cards = () => articles().map((card) => card.getAttribute('aria-label'));

test('shows that it loads, then that nothing is saved yet', async () => {
  show();

  expect(screen.getByText('Loading predictions…')).toBeDefined();
  expect(await screen.findByText('No saved predictions yet')).toBeDefined();
  expect(screen.getByText('Run a prediction to save it here')).toBeDefined();
  expect(screen.queryByRole('button', { name: 'Load More' })).toBeNull();
});

test('tells an admin that predictions of admins are not saved', async () => {
  storeSession();
  backend.on('GET /rest/v1/profiles', () => json({ id: 'u1', role: 'admin', full_name: null, avatar_url: null }));
  show();

  expect(await screen.findByText('Predictions of admins aren’t saved.')).toBeDefined();
  expect(screen.queryByText('Run a prediction to save it here')).toBeNull();
});

test('shows coin, timeframe, model and age on a card, and draws the 200 candles', async () => {
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
  expect(onPopOut).toHaveBeenCalledExactlyOnceWith('ETH 1min Lion (Kat 2.4)', saved[0]?.data, undefined, null);
});

test.each([
  ['two pages of 2 and one of 1', { pageSize: 2 }, 5, [2, 4, 5]],
  ['pages of 4', { pageSize: 4 }, 6, [4, 6]],
  ['exactly two pages', { pageSize: 2 }, 4, [2, 4]],
  ['the dashboard: four, then two more each time', { firstCount: 4, pageSize: 2 }, 11, [4, 6, 8, 10, 11]],
  ['the dashboard with four', { firstCount: 4, pageSize: 2 }, 4, [4]],
  ['one more than the first page', { firstCount: 4, pageSize: 2 }, 5, [4, 5]],
])('loads %s by Load More until the total, with exact counts', async (_what, paging, total, shown) => {
  saved = Array.from({ length: total }, (_, i) => aRow(i, { cryptocurrency: `C${i}` }));
  show(paging);

  for (const [i, count] of shown.entries()) {
    await waitFor(() => expect(articles()).toHaveLength(count));
    expect(screen.getByText(`Showing ${count} of ${total}`)).toBeDefined();
    const more = screen.queryByText('Load More');
    expect(more === null).toBe(i === shown.length - 1);
    if (more) await userEvent.click(more);
  }
});

test('moves the focus with the last page to the count, not to the top of the page', async () => {
  saved = Array.from({ length: 3 }, (_, i) => aRow(i));
  show();
  const more = await screen.findByRole('button', { name: 'Load More' });

  more.focus();
  await userEvent.keyboard('{Enter}');

  const count = await screen.findByText('Showing 3 of 3');
  await waitFor(() => expect(document.activeElement).toBe(count));
});

test('shows every prediction once while pages load', async () => {
  saved = Array.from({ length: 11 }, (_, i) => aRow(i, { cryptocurrency: `C${i}` }));
  show({ firstCount: 4, pageSize: 2 });
  await screen.findByText('Showing 4 of 11');

  saved = [aRow(-1, { id: 'new', cryptocurrency: 'NEW' }), ...saved];
  await userEvent.click(screen.getByRole('button', { name: 'Load More' }));

  // The newest came in front: what shifted is shown once.
  await screen.findByText('Showing 5 of 12');
  expect(cards().map((name) => name?.split(' ')[0])).toEqual(['C0', 'C1', 'C2', 'C3', 'C4']);
});

test('reports a page that fails to load beside what is there', async () => {
  saved = Array.from({ length: 5 }, (_, i) => aRow(i));
  show();
  await screen.findByText('Showing 2 of 5');

  fail(PREDICTIONS, 'canceling statement');
  await userEvent.click(screen.getByRole('button', { name: 'Load More' }));

  expect((await screen.findByRole('alert')).textContent).toBe('canceling statement');
  expect(articles()).toHaveLength(2);
  answerSaved();
  await userEvent.click(screen.getByRole('button', { name: 'Load More' }));
  await screen.findByText('Showing 4 of 5');
});

test('requests outcomes once for all that are shown, and draws those that are known', async () => {
  saved = [aRow(0), aRow(1, { cryptocurrency: 'ETH' })];
  answerOutcomes(aWaitingOutcome('p0', NOW + 3_600_000), aKnownOutcome('p1'));
  const { onPopOut } = show();

  await screen.findByText(/^Path error 4\.65%/);
  expect(backend.to(OUTCOMES).map(idsOf)).toEqual([['p0', 'p1']]);
  const charts = screen.getAllByRole('img');
  expect(charts.map((chart) => chart.getAttribute('data-outcome-count'))).toEqual([null, '50']);
  expect(charts[1]?.getAttribute('aria-label')).toMatch(/A line shows the outcome: 50 real candles/);

  await userEvent.click(screen.getAllByRole('button', { name: 'Pop-out' })[1] ?? document.body);
  expect(onPopOut).toHaveBeenCalledExactlyOnceWith(
    'ETH 1min Bobcat (Kat 1)',
    saved[1]?.data,
    aKnownOutcome('p1').candles,
    null,
  );
});

test('keeps predictions whose outcomes fail to load, and says so', async () => {
  saved = [aRow(0)];
  fail(OUTCOMES, 'away');
  show();

  expect(await screen.findByText('We couldn’t load its outcome.')).toBeDefined();
  expect(articles()).toHaveLength(1);
});

test('shows a prediction that was just saved first', async () => {
  saved = [aRow(1, { cryptocurrency: 'SOL' })];
  const { save } = show();
  await screen.findByRole('heading', { name: 'SOL' });

  saved = [aRow(0, { cryptocurrency: 'DOGE' }), ...saved];
  save(1);

  await screen.findByRole('heading', { name: 'DOGE' });
  expect(cards()).toEqual(['DOGE 1min Bobcat (Kat 1)', 'SOL 1min Bobcat (Kat 1)']);
});

test('shows short data, unknown models and JSON text for what they are', async () => {
  saved = [aRow(0, { data: JSON.stringify([...someCandles(120), { time: 'x' }]), model: 'kat9' })];
  show();

  expect(await screen.findByText('Saved prediction had fewer than 200 bars')).toBeDefined();
  expect(screen.getByText('kat9')).toBeDefined();
  expect(screen.getByRole('img').getAttribute('data-candle-count')).toBe('120');
});

test('offers no pop-out of a prediction without a single sound candle', async () => {
  saved = [aRow(0, { data: 'not candles' })];
  const { onPopOut } = show();

  await userEvent.click(await screen.findByRole('button', { name: 'Pop-out' }));

  expect(onPopOut).not.toHaveBeenCalled();
});

test.each([
  ["the server's message", 'permission denied', 'permission denied'],
  ['no message', '', 'Failed to load predictions'],
])('reports a failure with %s, and Retry tries again', async (_what, message, shown) => {
  fail(PREDICTIONS, message);
  show();
  expect(await screen.findByText(shown)).toBeDefined();

  saved = [aRow(0)];
  answerSaved();
  await userEvent.click(screen.getByRole('button', { name: 'Retry' }));

  expect(await screen.findByRole('heading', { name: 'BTC' })).toBeDefined();
});
