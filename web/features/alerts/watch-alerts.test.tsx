/** New alerts at the corner of the page: polled while the page is visible, each shown once. */
import { act, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Alert, AlertFacts } from '#domain/alerts/alert.ts';
import { json } from '../../platform/testing/fake-backend.ts';
import { toast } from '../../ui/overlay/toast.ts';
import { RULES_EVENT } from './alert-cache.ts';
import {
  type AlertServer,
  alertServer,
  anAlert,
  aRule,
  mount,
  PREDICTION,
  USER_ID,
} from './testing/fake-alert-server.tsx';
import { watchAlerts } from './watch-alerts.ts';

let stop: () => void = () => undefined;
let isSeen = true;

beforeEach(() => {
  vi.useFakeTimers({ shouldAdvanceTime: true });
  isSeen = true;
  vi.spyOn(document, 'visibilityState', 'get').mockImplementation(() => (isSeen ? 'visible' : 'hidden'));
});
afterEach(async () => {
  stop();
  act(() => toast.dismiss());
  vi.useRealTimers();
});

async function watch(server: AlertServer, polls = 1) {
  stop = watchAlerts(USER_ID);
  await waitForPolls(server, polls);
}

const waitForPolls = (server: AlertServer, times: number) =>
  waitFor(() => expect(server.sent('list-alerts')).toHaveLength(times));
const wait = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms));
function turn(seen: boolean) {
  isSeen = seen;
  document.dispatchEvent(new Event('visibilitychange'));
}
const RULES = [aRule({})];
const DUE: AlertFacts = {
  kind: 'release-due',
  sym: 'ETHUSDT.P',
  marketKind: 'simulated',
  predictionId: PREDICTION,
  model: 'lion',
  joinS: 1_790_000_040,
  release: 'US CPI',
  releasedS: 1_790_000_400,
  factor: 1.9,
  known: 1,
  others: 0,
  unaware: 0,
};

test('shows a new alert once, with its page and market, and requests only newer ones', async () => {
  const server = alertServer({ rules: RULES, alerts: [anAlert(4, true)] });
  mount(null);
  await watch(server);
  expect(screen.queryByRole('status')).toBeNull();

  server.alerts = [anAlert(5), ...server.alerts];
  await wait(60_000);

  const shown = await screen.findByText('ETH: outcome is known');
  expect(server.sent('list-alerts')).toEqual([{}, { after: 4 }]);
  expect(shown.closest('[role="status"]')?.getAttribute('aria-live')).toBe('polite');
  expect(screen.getByText('simulated')).toBeTruthy();
  expect(screen.getByRole('link', { name: 'Your Predictions' }).getAttribute('href')).toBe('/account/predictions');
  await userEvent
    .setup({ advanceTimers: vi.advanceTimersByTime })
    .click(screen.getByRole('button', { name: 'Dismiss' }));
  await waitFor(() => expect(screen.queryByText('ETH: outcome is known')).toBeNull());

  // The next page counts it as shown, although the user hasn't read the list.
  stop();
  await watch(server, 3);
  await wait(500);
  expect(screen.queryByText('ETH: outcome is known')).toBeNull();
});

test('shows no alert about a release that has passed', async () => {
  const due = (id: number, minutesAgo: number, release: string): Alert => ({
    ...anAlert(id),
    madeAt: new Date(Date.now() - minutesAgo * 60_000).toISOString(),
    facts: { ...DUE, release },
  });
  mount(null);

  await watch(alertServer({ rules: RULES, alerts: [due(6, 1, 'US jobs'), due(5, 6, 'US CPI')] }));

  await screen.findByText(/^ETH: US jobs at /);
  expect(screen.queryByText(/US CPI/)).toBeNull();
});

test('shows the newest three of many, and how many more there are', async () => {
  const server = alertServer({ rules: RULES, alerts: [9, 8, 7, 6, 5].map((id) => anAlert(id)) });
  mount(null);

  await watch(server);

  await screen.findByText('And 2 more');
  expect(screen.getAllByRole('button', { name: 'Dismiss' })).toHaveLength(4);
  expect(screen.getByRole('link', { name: 'Latest alerts' }).getAttribute('href')).toBe('/track-record#alerts');
});

test('requests nothing on a hidden page, and requests immediately when the user returns', async () => {
  const server = alertServer({ rules: RULES });
  mount(null);
  await watch(server);

  turn(false);
  await wait(200_000);
  await waitForPolls(server, 1);
  turn(true);

  await waitForPolls(server, 2);
});

test('requests rarely for a user without rules, until one is created', async () => {
  const server = alertServer();
  mount(null);
  await watch(server);

  await wait(200_000);
  await waitForPolls(server, 1);
  server.rules = RULES;
  window.dispatchEvent(new Event(RULES_EVENT));

  await waitForPolls(server, 2);
  await wait(60_000);
  await waitForPolls(server, 3);
});

test('requests ever more rarely from an unavailable server, and reports it once', async () => {
  const server = alertServer({ rules: RULES });
  server.backend.on('POST /functions/v1/list-alerts', () => json({ message: 'away' }, 503));
  mount(null);
  await watch(server);

  await wait(110_000);
  await waitForPolls(server, 1);
  await wait(15_000);
  await waitForPolls(server, 2);
  await wait(230_000);
  await waitForPolls(server, 2);
  await wait(15_000);

  await waitForPolls(server, 3);
  expect(server.backend.errors()).toMatchObject([{ error_message: 'CallError: away' }]);
});

test('lets one of two windows request, and the other when that one closes', async () => {
  const server = alertServer({ rules: RULES });
  const waiting: { work: () => Promise<void>; signal: AbortSignal }[] = [];
  const locks = {
    request: (_name: string, { signal }: { signal: AbortSignal }, work: () => Promise<void>) => {
      waiting.push({ work, signal });
      return new Promise((_resolve, reject) => {
        signal.addEventListener('abort', () => reject(new DOMException('Left', 'AbortError')));
      });
    },
  };
  vi.stubGlobal('navigator', Object.assign(Object.create(window.navigator), { locks }));
  mount(null);
  stop = watchAlerts(USER_ID);
  await wait(5000);
  expect(server.sent('list-alerts')).toEqual([]);

  void waiting[0]?.work();

  await waitForPolls(server, 1);
  turn(false);
  expect(waiting[0]?.signal.aborted).toBe(true);
  vi.unstubAllGlobals();
});
