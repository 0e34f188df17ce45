import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { act, render, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { MemoryRouter } from 'react-router';
import { beforeEach, expect, test, vi } from 'vitest';
import type { CalendarEvent } from '#domain/market/calendar/calendar-messages.ts';
import { type FakeBackend, fakeBackend, json } from '../../platform/testing/fake-backend.ts';
import { setProfileZone } from '../../ui/browser/time-zone.ts';
import { MarketHolidays } from './market-holidays.tsx';

const CALENDAR = 'GET /functions/v1/ff-proxy';

const holiday = (country: string, date: string, title: string): CalendarEvent => ({
  isHoliday: true,
  country,
  date,
  title,
});
const CPI: CalendarEvent = {
  isHoliday: false,
  country: 'USD',
  title: 'CPI m/m',
  date: '2026-11-27',
  time: '2026-11-27T08:30:00-05:00',
  impact: 'High',
};
const THREE = [
  holiday('USD', '2026-11-26', 'Thanksgiving Day'),
  holiday('CHF', '2026-12-08', 'Immaculate Conception'),
  CPI,
];

const SOURCE = { 'x-market-kind': 'simulated', 'x-market-attribution': 'Sandbox market' };

let backend: FakeBackend;
const answer = (events: CalendarEvent[], note: string | null = null) =>
  backend.on(CALENDAR, () => Response.json({ ok: true, data: events, error: note }, { headers: SOURCE }));
const fail = () => backend.on(CALENDAR, () => Promise.reject(new TypeError('Failed to fetch')));

beforeEach(() => {
  setProfileZone('Europe/London');
  // A Wednesday.
  vi.useFakeTimers({ now: new Date('2026-11-25T14:20:00Z'), shouldAdvanceTime: true });
  backend = fakeBackend();
  answer(THREE);
});

function show(address = '/kat') {
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  const { container } = render(
    <QueryClientProvider client={client}>
      <MemoryRouter initialEntries={[address]}>
        <MarketHolidays />
      </MemoryRouter>
    </QueryClientProvider>,
  );
  const cells = () => [...container.querySelectorAll<HTMLElement>('[data-date]')];
  return {
    user: userEvent.setup({ advanceTimers: vi.advanceTimersByTime }),
    container,
    cells,
    cell: (date: string) => cells().find((cell) => cell.dataset.date === date),
  };
}

/** The table without the holidays of its days. */
const loaded = () => screen.findAllByText(/Thanksgiving Day/);

test('shows three weeks from this Sunday, with today marked and holidays by currency', async () => {
  const { cells, cell } = show();
  await loaded();

  expect(cells()).toHaveLength(21);
  expect(cells().map(({ dataset }) => dataset.date)).toEqual([...cells().map(({ dataset }) => dataset.date)].sort());
  expect([cells()[0]?.dataset.date, cells()[20]?.dataset.date]).toEqual(['2026-11-22', '2026-12-12']);
  expect(cells().filter((one) => one.getAttribute('aria-current') === 'date')).toEqual([cell('2026-11-25')]);
  expect(cell('2026-11-26')?.textContent).toMatch(/USD Thanksgiving Day/);
  expect(cell('2026-12-08')?.textContent).toMatch(/CHF Immaculate Conception/);
  expect(cell('2026-11-25')?.querySelector('button')).toBeNull();
  expect(screen.getAllByRole('columnheader').map(({ textContent }) => textContent)).toEqual([
    ...['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'],
  ]);
});

test('describes the next day with an entry, and another one by key', async () => {
  const { user } = show();
  expect(await screen.findByRole('heading', { name: 'Thu, 26 Nov' })).toBeDefined();
  expect(screen.getByRole('listitem').textContent).toMatch(/all day.*USD.*Thanksgiving Day/);

  await user.tab();
  await user.tab();
  await user.keyboard('{Enter}');

  expect(screen.getByRole('heading', { name: 'Fri, 27 Nov' })).toBeDefined();
  expect(screen.getByRole('listitem').textContent).toMatch(/13:30.*USD.*CPI m\/m.*High impact/);
  expect(screen.getByRole('button', { name: /Fri, 27 Nov.*1 announcement/, pressed: true })).toBeDefined();
});

test('shows the days before their events, and says that more will come', () => {
  backend.on(CALENDAR, () => new Promise(() => {}));
  const { cells } = show();

  expect(screen.getByRole('status', { name: 'Loading market holidays' })).toBeDefined();
  expect(cells()).toHaveLength(21);
  expect(screen.queryByText(/No more holidays/)).toBeNull();
  expect(screen.queryByRole('button', { pressed: true })).toBeNull();
});

test('marks a generated week, and reports a missing feed beside the data', async () => {
  answer(THREE, 'Announcements are missing.');
  show();

  expect(await screen.findByText('Announcements are missing.')).toBeDefined();
  expect(screen.getByText('simulated')).toBeDefined();
});

test('says so when three weeks are empty', async () => {
  answer([]);
  show();

  expect(await screen.findByText('No more holidays or announcements in these three weeks.')).toBeDefined();
});

test('adds mock holidays here, and says so', async () => {
  const { cells } = show('/kat?mock=hol');

  expect(await screen.findByText('Using mock holiday data')).toBeDefined();
  await screen.findAllByText(/Thanksgiving Day/);
  const mocked = () => cells().filter(({ textContent }) => textContent?.includes('Mock Bank Holiday'));
  await vi.waitFor(() => expect(mocked().length).toBeGreaterThanOrEqual(3));
});

test('shows mock holidays alone without the server', async () => {
  fail();
  show('/kat?mock=hol');

  expect(await screen.findByText('Holiday check unavailable.')).toBeDefined();
  expect((await screen.findAllByText(/Mock Bank Holiday/)).length).toBeGreaterThan(0);
});

test.each(['/kat', '/kat?mock=other', '/kat?mock='])('shows none at %s', async (address) => {
  show(address);
  await loaded();

  expect(screen.queryByText('Using mock holiday data')).toBeNull();
  expect(screen.queryAllByText(/Mock/)).toEqual([]);
});

test.each([
  ['Holiday check unavailable.', () => fail()],
  ["Market holidays didn't load.", () => backend.on(CALENDAR, () => json({ ok: false, data: [] }, 502))],
])('reports %s with Retry, which loads them', async (message, stub) => {
  stub();
  const { user } = show();
  expect(await screen.findByText(message)).toBeDefined();
  // Other widgets query the same server, so only this one is checked.
  expect(screen.getByText('The rest of the page still works.')).toBeDefined();
  expect(screen.queryByRole('table')).toBeNull();

  answer(THREE);
  await user.click(screen.getByRole('button', { name: 'Retry' }));

  await loaded();
});

test('keeps old events when nothing newer arrives, dimmed with their age', async () => {
  const { container } = show();
  await loaded();
  const table = screen.getByRole('table');
  fail();

  await act(() => vi.advanceTimersByTimeAsync(5 * 60_000));
  await screen.findByText(/Holiday check unavailable\./);

  expect(within(table).getAllByText(/Thanksgiving Day/).length).toBeGreaterThan(0);
  expect(screen.getByRole('status').textContent).toMatch(/Holiday check unavailable\. Shown as of [45]m ago\./);
  expect(container.querySelector('[data-stale]')).not.toBeNull();
});

test('moves today at midnight, and the weeks on Sunday', async () => {
  vi.setSystemTime(new Date('2026-11-28T23:59:40Z'));
  const { cell, cells } = show();
  await loaded();
  expect(cell('2026-11-28')?.getAttribute('aria-current')).toBe('date');

  await act(() => vi.advanceTimersByTimeAsync(30_000));

  expect(cells()[0]?.dataset.date).toBe('2026-11-29');
  expect(cell('2026-11-29')?.getAttribute('aria-current')).toBe('date');
});
