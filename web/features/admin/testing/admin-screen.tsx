/** Finds parts without queries by role, which would visit every cell and take seconds. */
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { fireEvent, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { MemoryRouter } from 'react-router';
import { expect, vi } from 'vitest';
import { aPayingRow, aUserRow, NOON_MS } from '#domain/admin/testing/admin-fixtures.ts';
import { type FakeBackend, fakeBackend, json, type SeenRequest } from '../../../platform/testing/fake-backend.ts';
import { toast } from '../../../ui/overlay/toast.ts';
import { Toaster } from '../../../ui/overlay/toaster.tsx';
import { AdminOverview } from '../admin-overview.tsx';

type Row = Record<string, unknown>;

export interface AdminServer extends FakeBackend {
  /** Rows of admin_list_users. */
  users: Row[];
  procedure(name: string, respond: (request: SeenRequest) => Response | Promise<Response>): void;
  /** Query parameters of each call of a procedure, in order. */
  calls(name: string): URLSearchParams[];
  /** Query parameters of each requested page of users, in order. */
  pages(): URLSearchParams[];
}

/** In the order in which the server returns them. */
function fourUsers(): Row[] {
  return [
    aUserRow('root', { full_name: 'Root', role: 'admin', account_created_at: '2025-01-01T00:00:00Z' }),
    aUserRow('cy', { full_name: 'Cy', account_created_at: '2025-04-01T00:00:00Z', website: 'javascript:alert(1)' }),
    aPayingRow('bob', 'bobcat', 9, {
      full_name: 'bob',
      account_created_at: '2025-03-01T00:00:00Z',
      cancel_at_period_end: true,
    }),
    aPayingRow('ada', 'lion', 3, {
      full_name: 'Ada Lovelace',
      account_created_at: '2025-02-01T00:00:00Z',
      website: 'ada.example',
      two_factor_enabled: true,
      timezone: 'Europe/London',
    }),
  ];
}

const queryOf = ({ search }: SeenRequest) => new URLSearchParams(search);
const isOfOneUser = (query: URLSearchParams) => query.get('id')?.startsWith('eq.') === true;
/** Rows from an offset on, with the total count. */
export const counted = (rows: Row[], offset: number, total: number): Response =>
  Response.json(rows, { headers: { 'content-range': `${offset}-${offset + rows.length - 1}/${total}` } });

/** Call before each test: answers for four users, and the parts that jsdom lacks. */
export function adminServer(): AdminServer {
  vi.useFakeTimers({ now: NOON_MS, shouldAdvanceTime: true, toFake: ['Date', 'setInterval', 'clearInterval'] });
  vi.spyOn(HTMLCanvasElement.prototype, 'getContext').mockReturnValue(null);
  // jsdom has no layout, so rows are rendered for a frame of this height.
  vi.spyOn(Element.prototype, 'clientHeight', 'get').mockReturnValue(320);
  for (const toasted of ['success', 'error'] as const) vi.spyOn(toast, toasted);
  const backend = fakeBackend();
  const calls = (name: string) => backend.to(`/rest/v1/rpc/${name}`).map(queryOf);
  const server: AdminServer = {
    ...backend,
    users: fourUsers(),
    procedure: (name, respond) => backend.on(`POST /rest/v1/rpc/${name}`, respond),
    calls,
    pages: () => calls('admin_list_users').filter((query) => !isOfOneUser(query)),
  };
  server.procedure('admin_list_users', (request) => {
    const query = queryOf(request);
    if (isOfOneUser(query)) return json([{ last_two_predictions: null }]);
    const offset = Number(query.get('offset'));
    return counted(server.users.slice(offset, offset + 200), offset, server.users.length);
  });
  server.procedure('admin_summary', () =>
    json([
      {
        total_users: 4,
        paid: 2,
        lion: 1,
        bobcat: 1,
        active: 1,
        canceling: 1,
        latest_period_start: '2026-10-30T12:00:00Z',
      },
    ]),
  );
  server.procedure('admin_renewals', () => json([{ day: '2026-11-23', bobcat: 0, lion: 1 }]));
  for (const name of ['admin_remaining_daily', 'admin_remaining_monthly'])
    server.procedure(name, (request) => json(quotasOf(queryOf(request).get('user_id') ?? '')));
  server.procedure('admin_scatter_quota', () =>
    counted([{ plan_tier: 'lion', days_until_end: 27, remaining_monthly: 7 }], 0, 1),
  );
  server.procedure('get_predictions_per_day', () =>
    json([
      { day: '2026-11-19', total: 0 },
      { day: '2026-11-20', total: 3 },
    ]),
  );
  server.fn('admin-verify-subscriptions', () => json({ ok: true, updated: 2, checked: 9, remaining: 0 }));
  return server;
}

/** @param users  filter of a query: 'in.(ada,bob)' */
function quotasOf(users: string): Row[] {
  const ids = users.slice('in.('.length, -1).split(',');
  return ids.map((user_id, i) => ({ user_id, remaining_daily: 1, remaining_monthly: 40 - i }));
}

/** The default of one second is too short on a busy machine. */
export const soon = (check: () => void) => vi.waitFor(check);
export const events = userEvent.setup({ advanceTimers: vi.advanceTimersByTime.bind(vi), pointerEventsCheck: 0 });

export function show(): void {
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  render(
    <QueryClientProvider client={client}>
      <MemoryRouter>
        <AdminOverview />
      </MemoryRouter>
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

export const scrollTo = (row: number) =>
  fireEvent.scroll(document.querySelector('table')?.parentElement ?? document.body, {
    target: { scrollTop: row * 32 },
  });

/** The value beside a name, in cards and details. */
export const fact = (name: string) =>
  [...document.querySelectorAll('dt')].find((term) => term.textContent === name)?.nextElementSibling?.textContent;
export const headings = () => [...document.querySelectorAll('h2, h3')].map((heading) => heading.textContent);
export const button = (name: string): HTMLElement => {
  const text = screen.getByText(name, { selector: 'button, button > span' });
  return text.closest('button') ?? text;
};
export const search = (text: string) =>
  fireEvent.change(screen.getByLabelText('Search users'), { target: { value: text } });
