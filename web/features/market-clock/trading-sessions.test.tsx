import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { act, render, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test, vi } from 'vitest';
import type { TradingSession } from '#domain/market/calendar/sessions.ts';
import { type FakeBackend, fakeBackend, json } from '../../platform/testing/fake-backend.ts';
import { setProfileZone, toggleUtc } from '../../ui/browser/time-zone.ts';
import { TradingSessions } from './trading-sessions.tsx';

const CALENDAR = 'GET /functions/v1/ff-proxy';

const SESSIONS: TradingSession[] = [
  { session: 'Sydney', status: 'Closed', startUTC: 20, endUTC: 5 },
  { session: 'Tokyo', status: 'Closed (Holiday)', startUTC: 0, endUTC: 9 },
  { session: 'London', status: 'Open', startUTC: 8, endUTC: 17 },
  { session: 'New York', status: 'Open', startUTC: 13, endUTC: 22 },
];

let backend: FakeBackend;
const answer = (sessions: TradingSession[]) => backend.on(CALENDAR, () => json({ ok: true, data: sessions }));
const fail = () => backend.on(CALENDAR, () => json({ ok: false, data: [] }, 502));

beforeEach(() => {
  setProfileZone('Europe/London');
  vi.useFakeTimers({ now: new Date('2026-11-25T14:20:00Z'), shouldAdvanceTime: true });
  backend = fakeBackend();
  answer(SESSIONS);
});

function show() {
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  const { container } = render(
    <QueryClientProvider client={client}>
      <TradingSessions />
    </QueryClientProvider>,
  );
  const blocks = (session: string) => [...container.querySelectorAll<HTMLElement>(`[data-session="${session}"]`)];
  return { container, blocks };
}

test('shows each session with its status and its hours on the viewer’s clock', async () => {
  const { blocks } = show();

  const region = await screen.findByRole('region', { name: 'Trading Sessions' });
  const lanes = (await within(region).findAllByRole('listitem')).map((lane) => lane.textContent);
  expect(lanes).toEqual([
    'Sydney Closed 8 PM to 5 AM',
    'Tokyo Closed (Holiday) 12 AM to 9 AM',
    'London Open 8 AM to 5 PM',
    'New York Open 1 PM to 10 PM',
  ]);
  expect(within(region).getByText('It is 2:20 PM.')).toBeDefined();
  expect(within(region).getByText('Times in Europe/London, GMT')).toBeDefined();
  // Past midnight in London, Sydney's day is drawn in two blocks.
  expect(blocks('Sydney')).toHaveLength(2);
  expect(blocks('London')).toHaveLength(1);
  expect(blocks('London')[0]?.style.width).toBe('37.5%');
});

test('shows the same hours at another place for another zone', async () => {
  setProfileZone('Asia/Kolkata');
  const { blocks } = show();

  expect(await screen.findByText('1:30 AM to 10:30 AM')).toBeDefined();
  expect(blocks('Sydney')).toHaveLength(1);
  expect(blocks('New York')).toHaveLength(2);
});

test('names a zone once whose name is its short name', async () => {
  setProfileZone('UTC');
  show();

  expect(await screen.findByText('Times in UTC')).toBeDefined();
});

test('moves clock, hours and blocks by the switch to UTC', async () => {
  setProfileZone('Asia/Kolkata');
  const { blocks } = show();
  await screen.findByText('It is 7:50 PM.');

  act(toggleUtc);

  expect(screen.getByText('It is 2:20 PM.')).toBeDefined();
  expect(screen.getByText('8 PM to 5 AM')).toBeDefined();
  expect(screen.getByText('Times in UTC')).toBeDefined();
  expect(blocks('Sydney')).toHaveLength(2);
  act(toggleUtc);
  expect(screen.getByText('Times in Asia/Kolkata, GMT+5:30')).toBeDefined();
});

test('labels twelve hours, every second one', async () => {
  const { container } = show();
  await screen.findByText('Sydney');

  const labels = [...container.querySelectorAll('[data-hour]')].map((label) => label.textContent);
  expect(labels).toEqual([
    ...['12 AM', '2 AM', '4 AM', '6 AM', '8 AM', '10 AM'],
    ...['12 PM', '2 PM', '4 PM', '6 PM', '8 PM', '10 PM'],
  ]);
});

test('advances the clock every half minute, and the statuses with it', async () => {
  show();
  await screen.findByText('It is 2:20 PM.');
  answer(SESSIONS.map((one) => (one.session === 'London' ? { ...one, status: 'Closed' } : one)));

  await act(() => vi.advanceTimersByTimeAsync(60_000));

  expect(screen.getByText('It is 2:21 PM.')).toBeDefined();
  expect(await screen.findAllByText('Closed')).toHaveLength(2);
});

test('reports a failure with Retry, which loads them', async () => {
  fail();
  show();
  expect(await screen.findByText("Trading Sessions didn't load.")).toBeDefined();
  expect(screen.getByText('Failed to load sessions.')).toBeDefined();

  answer(SESSIONS);
  await userEvent.setup({ advanceTimers: vi.advanceTimersByTime }).click(screen.getByRole('button', { name: 'Retry' }));

  expect(await screen.findByText('London')).toBeDefined();
  expect(screen.queryByText('Failed to load sessions.')).toBeNull();
});

test('keeps old sessions when nothing newer arrives, dimmed with their age', async () => {
  const { container } = show();
  await screen.findByText('London');
  fail();

  await act(() => vi.advanceTimersByTimeAsync(3 * 60_000));
  await screen.findByText(/Failed to load sessions\./);

  expect(screen.getByText('London')).toBeDefined();
  expect(screen.getByRole('status').textContent).toMatch(/Failed to load sessions\. Shown as of [23]m ago\./);
  expect(container.querySelector('[data-stale]')).not.toBeNull();
  expect(screen.getByRole('button', { name: 'Retry' })).toBeDefined();
});
