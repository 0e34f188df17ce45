import { QueryClientProvider } from '@tanstack/react-query';
import { render, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { MemoryRouter } from 'react-router';
import { beforeEach, expect, test } from 'vitest';
import type { HistoryRow } from '#domain/record/history/prediction-history.ts';
import { queryClient } from '../../../platform/query-client.ts';
import { type FakeBackend, fakeBackend, json } from '../../../platform/testing/fake-backend.ts';
import { PredictionHistory } from './prediction-history.tsx';

const KNOWN: HistoryRow = {
  id: 'a',
  market: 'BTC',
  model: 'kat2_4',
  timeframe: '1min',
  madeAt: '2026-11-30T10:00:00.000Z',
  state: 'known',
  inside80: 41,
  inside95: 48,
  pathErrorBp: 12.31,
  lastCloseErrorBp: 11.02,
};
const WAITING: HistoryRow = {
  ...KNOWN,
  id: 'b',
  market: 'PEPEUSDT.P',
  timeframe: '5min',
  state: 'waiting',
  inside80: null,
  inside95: null,
  pathErrorBp: null,
  lastCloseErrorBp: null,
};

let backend: FakeBackend;
beforeEach(() => {
  backend = fakeBackend();
  queryClient.setDefaultOptions({ queries: { retry: false } });
});

function show(rows: readonly HistoryRow[], total = rows.length) {
  backend.on('POST /functions/v1/list-predictions', () => json({ ok: true, rows, total }));
  render(
    <QueryClientProvider client={queryClient}>
      <MemoryRouter>
        <PredictionHistory userId="u" />
      </MemoryRouter>
    </QueryClientProvider>,
  );
}
const cellsOf = async () =>
  within(await screen.findByRole('table', { name: 'Saved predictions' }))
    .getAllByRole('row')
    .slice(1)
    .map((row) =>
      within(row)
        .getAllByRole('cell')
        .map(({ textContent }) => textContent),
    );

test('lists each prediction with what its bands held and both errors, a running one as running', async () => {
  show([WAITING, KNOWN]);

  const [running = [], known = []] = await cellsOf();

  expect(known.slice(1)).toEqual(['BTC', '1 min', 'Lion', '41', '48', '12.3 bp', '11.0 bp', 'last close']);
  expect(running.slice(1)).toEqual(['PEPE/USDT', '5 min', 'Lion', 'running', '–', '–', '–', '–']);
  expect(screen.getByRole('status').textContent).toBe(
    '2 predictions. In 1 with bands and an outcome, the 80% band held 41.0 of 50 closes on average and the 95% band 48.0; the path was closer than the last close in 0 of 1.',
  );
});

test('leaves the rows that match a filter, and adds their totals', async () => {
  show([WAITING, KNOWN]);
  await screen.findByRole('table');

  await userEvent.selectOptions(screen.getByRole('combobox', { name: 'Candles' }), '5 min');

  expect(await cellsOf()).toHaveLength(1);
  expect(screen.getByRole('status').textContent).toBe('1 prediction. None has an outcome yet.');
  await userEvent.selectOptions(screen.getByRole('combobox', { name: 'Market' }), 'BTC');
  expect(screen.getByRole('status').textContent).toBe('No prediction matches.');
  expect(screen.queryByRole('table')).toBeNull();
});

test('says how many of all it lists', async () => {
  show([KNOWN], 1234);

  expect(await screen.findByText(/The newest 300 of 1,234; a download has all\./)).toBeDefined();
});

test('is absent without predictions, and offers another try when it does not load', async () => {
  backend.on('POST /functions/v1/list-predictions', () => json({}, 500));
  render(
    <QueryClientProvider client={queryClient}>
      <MemoryRouter>
        <PredictionHistory userId="u" />
      </MemoryRouter>
    </QueryClientProvider>,
  );
  await screen.findByText('We couldn’t load the table.');
  backend.on('POST /functions/v1/list-predictions', () => json({ ok: true, rows: [], total: 0 }));

  await userEvent.click(screen.getByRole('button', { name: 'Retry' }));

  await expect.poll(() => screen.queryByText('All in one table')).toBeNull();
});
