/** The admin's screen in tests: what the server answers, and how its parts are found. Queries by role look at every cell: here they would take seconds. */
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { fireEvent, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, vi } from 'vitest';
import { aPayingUser, aUser, NOON_MS, PRICES } from '#domain/admin/admin-test-data.ts';
import type { AdminUser } from '#domain/admin/admin-user.ts';
import type { Quota } from '#domain/forecast/quota.ts';
import { toast } from '../../ui/toast.ts';
import { Toaster } from '../../ui/toaster.tsx';
import * as api from './admin-api.ts';
import { AdminOverview } from './admin-overview.tsx';

/** The test file replaces the module's calls. */
export const called = vi.mocked(api);

/** What the server has. */
export const screenUsers: AdminUser[] = [];

function fourUsers(): AdminUser[] {
  return [
    aUser('root', { full_name: 'Root', role: 'admin', account_created_at: '2025-01-01T00:00:00Z' }),
    aPayingUser('ada', 'price_l', 3, {
      full_name: 'Ada Lovelace',
      account_created_at: '2025-02-01T00:00:00Z',
      website: 'ada.example',
      two_factor_enabled: true,
      timezone: 'Europe/London',
    }),
    aPayingUser('bob', 'price_b', 9, {
      full_name: 'bob',
      account_created_at: '2025-03-01T00:00:00Z',
      cancel_at_period_end: true,
    }),
    aUser('cy', { full_name: 'Cy', account_created_at: '2025-04-01T00:00:00Z', website: 'javascript:alert(1)' }),
  ];
}

/** Before each test: answers for four users, and what jsdom lacks. */
export function prepareScreen(): void {
  vi.useFakeTimers({ now: NOON_MS, shouldAdvanceTime: true, toFake: ['Date', 'setInterval', 'clearInterval'] });
  vi.spyOn(HTMLCanvasElement.prototype, 'getContext').mockReturnValue(null);
  // jsdom lays nothing out: rows are drawn for a frame of this size.
  vi.spyOn(Element.prototype, 'clientHeight', 'get').mockReturnValue(320);
  for (const toasted of ['success', 'error'] as const) vi.spyOn(toast, toasted);
  screenUsers.splice(0, screenUsers.length, ...fourUsers());
  called.adminSettings.mockReset().mockResolvedValue({ prices: PRICES, clockOffsetMs: 0 });
  called.fetchUserPage.mockReset().mockImplementation(async ({ page, hasTotal }) => ({
    users: screenUsers.slice(page * 200, page * 200 + 200),
    total: hasTotal ? screenUsers.length : null,
  }));
  called.fetchUserQuotas
    .mockReset()
    .mockImplementation(
      async (ids) =>
        new Map(ids.map((id, i): [string, Quota] => [id, { remainingDaily: 1, remainingMonthly: 40 - i }])),
    );
  called.fetchQuotaPoints
    .mockReset()
    .mockResolvedValue({ points: [{ plan: 'lion', elapsedDays: 4, remaining: 7 }], outside: 0, total: 1 });
  called.fetchDayTotals.mockReset().mockResolvedValue([
    { day: '2026-11-19', total: 0 },
    { day: '2026-11-20', total: 3 },
  ]);
  called.fetchUserPredictions.mockReset().mockResolvedValue([]);
  called.verifySubscriptions.mockReset().mockResolvedValue({ updated: 2, checked: 9 });
}

/** One second, the default, is short on a busy machine. */
export const soon = (check: () => void) => vi.waitFor(check, { timeout: 5000 });
export const events = userEvent.setup({ advanceTimers: vi.advanceTimersByTime.bind(vi), pointerEventsCheck: 0 });

export function show(): void {
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  render(
    <QueryClientProvider client={client}>
      <AdminOverview />
      <Toaster />
    </QueryClientProvider>,
  );
}

export const names = () => [...document.querySelectorAll('[data-row]')].map((button) => button.textContent);
export const nameButton = (name: string): HTMLElement => {
  const found = [...document.querySelectorAll<HTMLElement>('[data-row]')].find((button) => button.textContent === name);
  if (found === undefined) throw new Error(`no row of ${name}`);
  return found;
};
export const shown = (name: string) => soon(() => expect(nameButton(name)).toBeDefined());
export const rowCount = () => document.querySelector('table')?.getAttribute('aria-rowcount');
export const cells = (name: string) =>
  [...(nameButton(name).closest('tr')?.querySelectorAll('td') ?? [])].map((cell) => cell.textContent);
export const head = (name: string) =>
  [...document.querySelectorAll('th')].find((cell) => cell.textContent?.startsWith(name)) ?? document.body;
export const press = (within: HTMLElement) => within.querySelector('button') ?? document.body;
export const loaded = () => shown('Ada Lovelace');

/** What stands beside a name, in cards and details. */
export const fact = (name: string) =>
  [...document.querySelectorAll('dt')].find((term) => term.textContent === name)?.nextElementSibling?.textContent;
export const headings = () => [...document.querySelectorAll('h2, h3')].map((heading) => heading.textContent);
export const button = (name: string): HTMLElement => screen.getByText(name, { selector: 'button' });
export const search = (words: string) =>
  fireEvent.change(screen.getByLabelText('Search users'), { target: { value: words } });
