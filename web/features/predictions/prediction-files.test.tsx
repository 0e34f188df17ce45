import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { saveFile } from '../../ui/save-file.ts';
import { toast } from '../../ui/toast.ts';
import { ExportAll } from './export-all.tsx';
import { PredictionCard } from './prediction-card.tsx';
import { fetchOutcomes, fetchPredictions } from './predictions-api.ts';
import { aKnownOutcome, aRow } from './predictions-test-data.ts';

vi.mock('./predictions-api.ts', async (original) => ({
  ...(await original<typeof import('./predictions-api.ts')>()),
  fetchPredictions: vi.fn(),
  fetchOutcomes: vi.fn(),
}));
vi.mock('../../ui/save-file.ts', () => ({ saveFile: vi.fn() }));

const fetchPage = vi.mocked(fetchPredictions);
const fetchCame = vi.mocked(fetchOutcomes);
const saved = vi.mocked(saveFile);

let total = 0;
beforeEach(() => {
  vi.spyOn(HTMLCanvasElement.prototype, 'getContext').mockReturnValue(null);
  saved.mockReset();
  fetchCame.mockReset().mockImplementation(async (ids) => (ids.includes('p0') ? [aKnownOutcome('p0')] : []));
  fetchPage.mockReset().mockImplementation(async (_user, from, count) => ({
    rows: Array.from({ length: Math.max(0, Math.min(count, total - from)) }, (_, i) => aRow(from + i)),
    total,
  }));
});
afterEach(() => vi.restoreAllMocks());

const textOf = (): string => saved.mock.lastCall?.[1].join('') ?? '';

test('a card is saved as comma-separated text with what came of it', async () => {
  render(<PredictionCard row={aRow(0)} outcome={aKnownOutcome('p0')} hasOutcomeFailed={false} onPopOut={vi.fn()} />);

  await userEvent.click(screen.getByRole('button', { name: 'Download as CSV' }));

  await vi.waitFor(() => expect(saved).toHaveBeenCalledOnce());
  expect(saved.mock.lastCall?.[0]).toMatch(/^kat-BTC-.*-kat1\.csv$/);
  expect(saved.mock.lastCall?.[2]).toBe('text/csv');
  const lines = textOf().split('\r\n');
  expect(lines).toHaveLength(1 + 200 + 50 + 1);
  expect(lines.filter((line) => line.includes(',outcome,'))).toHaveLength(50);
});

test('a card is saved as JSON', async () => {
  render(<PredictionCard row={aRow(0)} outcome={null} hasOutcomeFailed={false} onPopOut={vi.fn()} />);

  await userEvent.click(screen.getByRole('button', { name: 'Download as JSON' }));

  await vi.waitFor(() => expect(saved).toHaveBeenCalledOnce());
  expect(JSON.parse(textOf())).toMatchObject({ id: 'p0', coin: 'BTC', outcome: null });
});

test('a file that cannot be made is told', async () => {
  const told = vi.spyOn(toast, 'error');
  saved.mockImplementation(() => {
    throw new Error('no room');
  });
  render(<PredictionCard row={aRow(0)} outcome={null} hasOutcomeFailed={false} onPopOut={vi.fn()} />);

  await userEvent.click(screen.getByRole('button', { name: 'Download as CSV' }));

  await vi.waitFor(() => expect(told).toHaveBeenLastCalledWith('The CSV file could not be made'));
});

test('a card without candles has nothing to save', () => {
  render(<PredictionCard row={aRow(0, { data: [] })} outcome={null} hasOutcomeFailed={false} onPopOut={vi.fn()} />);

  expect(screen.getByRole('button', { name: 'Download as CSV' })).toHaveProperty('disabled', true);
});

test('all of them are read page by page into one file', async () => {
  total = 120;
  render(<ExportAll userId="u1" />);

  await userEvent.click(screen.getByRole('button', { name: 'Download all as CSV' }));

  expect(await screen.findByText('Downloaded 120 predictions.')).toBeDefined();
  expect(fetchPage.mock.calls.map(([, from, count]) => [from, count])).toEqual([
    [0, 50],
    [50, 50],
    [100, 50],
  ]);
  const lines = textOf().trimEnd().split('\r\n');
  expect(lines).toHaveLength(1 + 120 * 200 + 50);
  expect(new Set(lines.slice(1).map((line) => line.split(',')[0])).size).toBe(120);
});

test('all of them as JSON are one list', async () => {
  total = 3;
  render(<ExportAll userId="u1" />);

  await userEvent.click(screen.getByRole('button', { name: 'Download all as JSON' }));

  await screen.findByText('Downloaded 3 predictions.');
  const list = JSON.parse(textOf()) as { id: string; outcome: { state: string } | null }[];
  expect(list.map((one) => [one.id, one.outcome?.state])).toEqual([
    ['p0', 'known'],
    ['p1', undefined],
    ['p2', undefined],
  ]);
});

test('more than a page would bear are left out, and that is said', async () => {
  total = 1234;
  render(<ExportAll userId="u1" />);

  await userEvent.click(screen.getByRole('button', { name: 'Download all as JSON' }));

  expect(
    await screen.findByText('Downloaded the newest 1,000 of 1,234 predictions.', {}, { timeout: 8000 }),
  ).toBeDefined();
  expect(fetchPage).toHaveBeenCalledTimes(20);
}, 15_000);

test('it tells how far it has come, and can be stopped before anything is saved', async () => {
  total = 120;
  const gate = Promise.withResolvers<void>();
  fetchCame
    .mockImplementationOnce(async () => [])
    .mockImplementationOnce(async () => {
      await gate.promise;
      return [];
    });
  render(<ExportAll userId="u1" />);
  await userEvent.click(screen.getByRole('button', { name: 'Download all as CSV' }));

  await vi.waitFor(() => expect(screen.getByRole('progressbar')).toHaveProperty('value', 50));
  expect(screen.getByText('50 of 120', { selector: 'span' })).toBeDefined();
  await userEvent.click(screen.getByRole('button', { name: 'Cancel' }));
  gate.resolve();

  expect(await screen.findByText('Stopped. No file was saved.')).toBeDefined();
  await vi.waitFor(() => expect(fetchPage).toHaveBeenCalledTimes(2));
  expect(saved).not.toHaveBeenCalled();
});

test('a page that fails saves nothing by half', async () => {
  total = 120;
  fetchPage
    .mockImplementationOnce(async () => ({ rows: [aRow(0)], total }))
    .mockRejectedValueOnce(new Error('no answer'));
  render(<ExportAll userId="u1" />);

  await userEvent.click(screen.getByRole('button', { name: 'Download all as CSV' }));

  expect(await screen.findByText('no answer. No file was saved.')).toBeDefined();
  expect(saved).not.toHaveBeenCalled();
});
