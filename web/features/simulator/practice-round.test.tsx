import { QueryClientProvider } from '@tanstack/react-query';
import { act, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { SAMPLE_SETTINGS } from '#domain/site/sample-settings.ts';
import type { SiteSettings } from '#domain/site/site-settings.ts';
import { queryClient } from '../../platform/query-client.ts';
import { type FakeBackend, fakeBackend, json } from '../../platform/testing/fake-backend.ts';
import { PracticeRound } from './practice-round.tsx';

/** Rises by a dollar a minute, as columns. */
const MINUTES = Array.from({ length: 450 }, (_, i) => i);
const closes = MINUTES.map((i) => 60_000 + i);
const HISTORY = {
  time: MINUTES.map((i) => 1_760_000_040 + 60 * i),
  open: closes,
  high: closes,
  low: closes,
  close: closes,
  volume: MINUTES.map(() => 1),
};

let backend: FakeBackend;
beforeEach(() => {
  vi.useFakeTimers({ shouldAdvanceTime: true });
  vi.spyOn(Math, 'random').mockReturnValue(0);
  backend = fakeBackend();
  backend.on('GET /history', () => json(HISTORY));
  queryClient.setDefaultOptions({ queries: { retry: false } });
});
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
  localStorage.clear();
});

function show(settings: Partial<SiteSettings> = {}) {
  backend.on('GET /site.json', () => json({ ...SAMPLE_SETTINGS, ...settings }));
  render(
    <QueryClientProvider client={queryClient}>
      <PracticeRound />
    </QueryClientProvider>,
  );
}
const user = () => userEvent.setup({ advanceTimers: vi.advanceTimersByTime });
const press = async (name: string) => user().click(await screen.findByRole('button', { name }));
const play = (minutes: number) => act(() => vi.advanceTimersByTimeAsync(500 * minutes));

test('plays an hour of candles, trades at the last close, and says at the end what holding made', async () => {
  show();
  await press('Start');
  await press('Buy');
  expect(screen.getByText('long from 60,089.0')).toBeDefined();
  await play(60);

  const said = screen.getByRole('status').textContent;
  expect(said).toBe(
    'You made 0.00% in 1 trade; buying and holding made 0.00%. Your best round in this browser: 0.00%.',
  );
  expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Buy' }).disabled).toBe(true);
});

test('stands still while it is paused, and keeps the best result of this browser', async () => {
  localStorage.setItem('practice-round-best', '1.5');
  show();
  await press('Start');
  await play(3);
  await press('Pause');
  const left = screen.getByText('Minutes left').nextElementSibling?.textContent;
  await play(10);
  expect(Number(left)).toBeLessThan(60);
  expect(screen.getByText('Minutes left').nextElementSibling?.textContent).toBe(left);
  await press('Continue');
  await play(60);

  expect(screen.getByRole('status').textContent).toContain('Your best round in this browser: +1.50%.');
  await press('Another round');
  expect(await screen.findByRole('button', { name: 'Start' })).toBeDefined();
});

test('makes way for the operator’s pictures', async () => {
  show({ simulatorPictures: [{ url: '/simulator-pictures/1', text: 'A calm run' }] });

  await vi.waitFor(() => expect(queryClient.getQueryData(['site-settings'])).toBeDefined());
  expect(screen.queryByRole('region')).toBeNull();
});

test('offers another try when no candles load', async () => {
  backend.on('GET /history', () => json({}, 500));
  show();
  expect(await screen.findByText('We couldn’t load past candles.')).toBeDefined();

  backend.on('GET /history', () => json(HISTORY));
  await press('Retry');

  expect(await screen.findByRole('button', { name: 'Start' })).toBeDefined();
});
