import { render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test, vi } from 'vitest';
import { type FakeBackend, fakeBackend, json } from '../../platform/testing/fake-backend.ts';
import { toast } from '../../ui/overlay/toast.ts';
import { type SavedFile, savedFiles } from '../../ui/testing/saved-files.ts';
import { ExportAll } from './export-all.tsx';
import { PredictionCard } from './prediction-card.tsx';
import { aKnownOutcome, aPage, aRow, idsOf, rangeOf, someCandles } from './testing/prediction-fixtures.ts';

const PREDICTIONS = '/rest/v1/user_predictions';
const OUTCOMES = '/rest/v1/prediction_outcomes';

let backend: FakeBackend;
let saved: SavedFile[];
beforeEach(() => {
  vi.spyOn(HTMLCanvasElement.prototype, 'getContext').mockReturnValue(null);
  saved = savedFiles();
  backend = fakeBackend();
  backend.on(`GET ${OUTCOMES}`, (request) => json(idsOf(request).includes('p0') ? [aKnownOutcome('p0')] : []));
});

/** @param data  of each prediction; default: 200 candles */
function answer(total: number, data = someCandles(200)): void {
  backend.on(`GET ${PREDICTIONS}`, (request) => {
    const { from, count } = rangeOf(request);
    const rows = Array.from({ length: Math.min(count, total - from) }, (_, i) => aRow(from + i, { data }));
    return aPage(rows, from, total);
  });
}

async function savedFile(): Promise<SavedFile> {
  await waitFor(() => expect(saved).toHaveLength(1));
  return saved[0] ?? expect.fail('nothing was saved');
}

test('saves a card as comma-separated text with its outcome', async () => {
  render(<PredictionCard row={aRow(0)} outcome={aKnownOutcome('p0')} hasOutcomeFailed={false} onPopOut={vi.fn()} />);

  await userEvent.click(screen.getByRole('button', { name: 'Download as CSV' }));

  const file = await savedFile();
  expect(file.name).toMatch(/^kat-BTC-.*-kat1\.csv$/);
  expect(file.type).toBe('text/csv;charset=utf-8');
  const lines = file.text.split('\r\n');
  expect(lines).toHaveLength(1 + 200 + 50 + 1);
  expect(lines.filter((line) => line.includes(',outcome,'))).toHaveLength(50);
});

test('reports a file that cannot be created', async () => {
  const shown = vi.spyOn(toast, 'error');
  vi.mocked(URL.createObjectURL).mockImplementation(() => {
    throw new Error('no room');
  });
  render(<PredictionCard row={aRow(0)} outcome={null} hasOutcomeFailed={false} onPopOut={vi.fn()} />);

  await userEvent.click(screen.getByRole('button', { name: 'Download as CSV' }));

  await waitFor(() => expect(shown).toHaveBeenLastCalledWith('We couldn’t create the CSV file'));
});

test('offers nothing to save for a card without candles', () => {
  render(<PredictionCard row={aRow(0, { data: [] })} outcome={null} hasOutcomeFailed={false} onPopOut={vi.fn()} />);

  expect(screen.getByRole('button', { name: 'Download as CSV' })).toHaveProperty('disabled', true);
});

test('reads all of them page by page into one file', async () => {
  answer(120);
  render(<ExportAll userId="u1" />);

  await userEvent.click(screen.getByRole('button', { name: 'Download all as CSV' }));

  expect(await screen.findByText('Downloaded 120 predictions.')).toBeDefined();
  expect(backend.to(PREDICTIONS).map(rangeOf)).toEqual([
    { from: 0, count: 50 },
    { from: 50, count: 50 },
    { from: 100, count: 50 },
  ]);
  const lines = (await savedFile()).text.trimEnd().split('\r\n');
  expect(lines).toHaveLength(1 + 120 * 200 + 50);
  expect(new Set(lines.slice(1).map((line) => line.split(',')[0])).size).toBe(120);
});

test('saves all of them as one JSON list', async () => {
  answer(3);
  render(<ExportAll userId="u1" />);

  await userEvent.click(screen.getByRole('button', { name: 'Download all as JSON' }));

  await screen.findByText('Downloaded 3 predictions.');
  const list = JSON.parse((await savedFile()).text) as { id: string; outcome: { state: string } | null }[];
  expect(list.map((one) => [one.id, one.outcome?.state])).toEqual([
    ['p0', 'known'],
    ['p1', undefined],
    ['p2', undefined],
  ]);
});

test('leaves out more than a page would bear, and says so', async () => {
  answer(1234, someCandles(1));
  render(<ExportAll userId="u1" />);

  await userEvent.click(screen.getByRole('button', { name: 'Download all as JSON' }));

  expect(await screen.findByText('Downloaded the newest 1,000 of 1,234 predictions.')).toBeDefined();
  expect(backend.to(PREDICTIONS)).toHaveLength(20);
  expect(JSON.parse((await savedFile()).text)).toHaveLength(1000);
});

test('shows its progress, and can be stopped before anything is saved', async () => {
  answer(120, someCandles(1));
  const second = Promise.withResolvers<Response>();
  backend.on(`GET ${OUTCOMES}`, () => (backend.to(OUTCOMES).length === 1 ? json([]) : second.promise));
  render(<ExportAll userId="u1" />);
  await userEvent.click(screen.getByRole('button', { name: 'Download all as CSV' }));

  await waitFor(() => expect(screen.getByRole('progressbar')).toHaveProperty('value', 50));
  expect(screen.getByText('50 of 120', { selector: 'span' })).toBeDefined();
  await waitFor(() => expect(backend.to(OUTCOMES)).toHaveLength(2));
  await userEvent.click(screen.getByRole('button', { name: 'Cancel' }));
  second.resolve(json([]));

  expect(await screen.findByText('Stopped. No file was saved.')).toBeDefined();
  expect(backend.to(OUTCOMES)[1]?.signal?.aborted).toBe(true);
  expect(backend.to(PREDICTIONS)).toHaveLength(2);
  expect(saved).toEqual([]);
});

test('saves nothing when a page fails', async () => {
  backend.on(`GET ${PREDICTIONS}`, (request) =>
    rangeOf(request).from === 0 ? aPage([aRow(0)], 0, 120) : json({ code: '57014', message: 'no answer' }, 500),
  );
  render(<ExportAll userId="u1" />);

  await userEvent.click(screen.getByRole('button', { name: 'Download all as CSV' }));

  expect(await screen.findByText('no answer. No file was saved.')).toBeDefined();
  expect(saved).toEqual([]);
});
