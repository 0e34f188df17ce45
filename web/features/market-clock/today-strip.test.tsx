import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { act, render, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { MemoryRouter } from 'react-router';
import { beforeEach, expect, test, vi } from 'vitest';
import type { CalendarEvent } from '#domain/market/calendar/calendar-messages.ts';
import { type FakeBackend, fakeBackend, json } from '../../platform/testing/fake-backend.ts';
import { reloadPage } from '../../testing/fresh-page.ts';
import { setProfileZone, toggleUtc } from '../../ui/browser/time-zone.ts';
import { TodayStrip } from './today-strip.tsx';

const CALENDAR = 'GET /functions/v1/ff-proxy';
const THANKSGIVING: CalendarEvent = {
  isHoliday: true,
  country: 'USD',
  date: '2026-11-26',
  title: 'Thanksgiving Day',
};
const CPI: CalendarEvent = {
  isHoliday: false,
  country: 'USD',
  title: 'CPI m/m',
  date: '2026-11-25',
  time: '2026-11-25T13:30:00-05:00',
  impact: 'High',
};
const SESSIONS = [{ session: 'London', status: 'Open', startUTC: 8, endUTC: 17 }];

let backend: FakeBackend;
const answer = (events: CalendarEvent[]) =>
  backend.on(CALENDAR, ({ search }) =>
    search.includes('news')
      ? Response.json({ ok: true, data: events, error: null }, { headers: { 'x-market-kind': 'simulated' } })
      : json({ ok: true, data: SESSIONS }),
  );
const fail = () => backend.on(CALENDAR, () => json({}, 404));

beforeEach(() => {
  setProfileZone('Europe/London');
  // A Wednesday, 42 minutes before London closes.
  vi.useFakeTimers({ now: new Date('2026-11-25T16:18:00Z'), shouldAdvanceTime: true });
  backend = fakeBackend();
  answer([THANKSGIVING, CPI]);
});

function show({ isOpenAtFirst = false, address = '/kat' } = {}) {
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  render(
    <QueryClientProvider client={client}>
      <MemoryRouter initialEntries={[address]}>
        <TodayStrip isOpenAtFirst={isOpenAtFirst} />
      </MemoryRouter>
    </QueryClientProvider>,
  );
  return { user: userEvent.setup({ advanceTimers: vi.advanceTimersByTime }) };
}

const strip = () => screen.getByRole('region', { name: 'Today' });
const texts = async () => (await within(strip()).findAllByRole('listitem')).map(({ textContent }) => textContent);
const button = () => screen.getByRole('button', { name: 'Sessions and holidays' });
const widgets = () => screen.queryAllByRole('region', { name: /^(Trading Sessions|Market Holidays)/ });
const requests = () => backend.to('/functions/v1/ff-proxy').map(({ search }) => new URLSearchParams(search).toString());

test('says what comes next, with exact times on hover', async () => {
  show();

  expect(await texts()).toEqual([
    'London closes in 42 min',
    'US CPI m/m in 2 h 12 min simulated',
    'US holiday tomorrow',
  ]);
  expect(screen.getByText('London closes in 42 min').title).toBe('London closes Wed 17:00');
});

test('counts down each minute, without announcing it', async () => {
  show();
  await texts();

  await act(() => vi.advanceTimersByTimeAsync(60_000));

  expect((await texts())[0]).toBe('London closes in 41 min');
  expect(within(strip()).queryAllByRole('status')).toEqual([]);
  expect(within(strip()).queryAllByRole('alert')).toEqual([]);
  expect(strip().querySelector('[aria-live]')).toBeNull();
});

test('follows the switch to UTC', async () => {
  setProfileZone('America/New_York');
  show();
  expect((await screen.findByText(/^London closes/)).title).toBe('London closes Wed 12:00');

  act(toggleUtc);

  expect(screen.getByText(/^London closes/).title).toBe('London closes Wed 17:00');
  act(toggleUtc);
});

test('loads the widgets only once they are opened', async () => {
  const { user } = show();
  await texts();
  expect(button().getAttribute('aria-expanded')).toBe('false');
  expect(widgets()).toEqual([]);
  expect(requests()).toEqual(['type=news']);

  await user.click(button());

  expect(button().getAttribute('aria-expanded')).toBe('true');
  const opened = document.getElementById(button().getAttribute('aria-controls') ?? '');
  expect(widgets()).toHaveLength(2);
  for (const widget of widgets()) expect(opened?.contains(widget)).toBe(true);
  await screen.findByRole('table');
  expect(await screen.findByText('8 AM to 5 PM')).toBeDefined();
});

test('opens and closes by keyboard, and keeps the focus', async () => {
  const { user } = show();
  await texts();

  await user.tab();
  await user.keyboard('{Enter}');
  expect(widgets()).toHaveLength(2);
  await user.keyboard(' ');

  expect(widgets()).toEqual([]);
  expect(document.activeElement).toBe(button());
});

test.each([
  [true, 'closed'],
  [false, 'open'],
])('is open at first: %s, and %s as it was left', async (isOpenAtFirst, left) => {
  const { user } = show({ isOpenAtFirst });
  expect(widgets()).toHaveLength(isOpenAtFirst ? 2 : 0);

  await user.click(button());
  reloadPage();
  show({ isOpenAtFirst });

  expect(widgets()).toHaveLength(left === 'open' ? 2 : 0);
});

test('opens for an address with mock holidays, however it was left', async () => {
  const { user } = show({ isOpenAtFirst: true });
  await user.click(button());
  reloadPage();

  show({ address: '/kat?mock=hol' });

  expect(await screen.findByText('Using mock holiday data')).toBeDefined();
});

test('reports a failure with Retry, which loads the line', async () => {
  fail();
  const { user } = show();
  const failure = await within(strip()).findByText('Holiday check unavailable.');
  expect(failure.getAttribute('role')).toBe('status');

  answer([THANKSGIVING]);
  await user.click(within(strip()).getByRole('button', { name: 'Retry' }));

  expect(await texts()).toEqual(['London closes in 42 min', 'US holiday tomorrow']);
});

test('keeps an old line that nothing replaces, dimmed with its age', async () => {
  show();
  await texts();
  fail();

  await act(() => vi.advanceTimersByTimeAsync(5 * 60_000));

  expect(await screen.findByText(/^As of/)).toBeDefined();
  expect((await texts())[0]).toBe('London closes in 37 min');
  expect(strip().querySelector('[data-stale]')).not.toBeNull();
  expect(within(strip()).getByRole('button', { name: 'Retry' })).toBeDefined();
});
