import { QueryClientProvider } from '@tanstack/react-query';
import { render, screen, waitFor } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { aSubscription } from '#domain/billing/testing/subscription-fixtures.ts';
import { queryClient } from '../platform/query-client.ts';
import { CONFIG, fakeBackend, json, storeSession, USER } from '../platform/testing/fake-backend.ts';
import { useEntitlement } from './entitlement.ts';
import { useQuota } from './quota.ts';

const NOW_S = Math.floor(Date.now() / 1000);

function mount() {
  queryClient.setDefaultOptions({ queries: { retry: false } });
  function Shown() {
    const { isLoading, entitlement, profile } = useEntitlement();
    if (isLoading) return <p>loading</p>;
    return (
      <p>{`${entitlement.plan} admin=${entitlement.isAdmin} [${entitlement.models}] ${profile?.role ?? 'visitor'}`}</p>
    );
  }
  render(
    <QueryClientProvider client={queryClient}>
      <Shown />
    </QueryClientProvider>,
  );
}

const row = (change: object) =>
  json([aSubscription({ price_id: 'price_lion', current_period_end: NOW_S + 999, ...change })]);

test('counts a visitor as free immediately, without a request', async () => {
  const backend = fakeBackend();

  mount();

  await screen.findByText('free admin=false [] visitor');
  expect(backend.requests.filter((request) => request.path.startsWith('/rest/'))).toEqual([]);
});

test('reads the user’s row of the view by its eleven columns and makes the plan of it', async () => {
  const backend = fakeBackend();
  storeSession();
  backend.on('GET /rest/v1/stripe_user_subscriptions', () => row({}));

  mount();

  await screen.findByText('lion admin=false [bobcat,panther,lion] user');
  const search = new URLSearchParams(backend.to('/rest/v1/stripe_user_subscriptions')[0]?.search);
  expect(search.get('select')?.split(',').toSorted()).toEqual(Object.keys(aSubscription()).toSorted());
  expect(search.get('user_id')).toBe(`eq.${USER.id}`);
});

test('counts a canceled plan at the end of its grace as free', async () => {
  const backend = fakeBackend();
  storeSession();
  backend.on('GET /rest/v1/stripe_user_subscriptions', () =>
    row({ status: 'canceled', current_period_end: NOW_S - 7200 }),
  );

  mount();

  await screen.findByText('free admin=false [] user');
});

test.each([
  ['without a plan', json([]), 'free', 'yes'],
  ['with a plan', row({}), 'lion', null],
])('remembers for the next page that a user is %s', async (_who, answer, plan, remembered) => {
  window.localStorage.setItem('kat-is-free', 'yes');
  const backend = fakeBackend();
  storeSession();
  backend.on('GET /rest/v1/stripe_user_subscriptions', () => answer);

  mount();

  await screen.findByText(new RegExp(`^${plan} admin=false`));
  await waitFor(() => expect(window.localStorage.getItem('kat-is-free')).toBe(remembered));
});

test('keeps the plan of a price that is no longer sold for those who pay it', async () => {
  const backend = fakeBackend();
  storeSession();
  const prices = { ...CONFIG.prices, former: { price_of_last_year: 'bobcat' } };
  backend.on('GET /config.json', () => json({ ...CONFIG, prices }));
  backend.on('GET /rest/v1/stripe_user_subscriptions', () => row({ price_id: 'price_of_last_year' }));

  mount();

  await screen.findByText('bobcat admin=false [bobcat] user');
});

test('moves the grace by the test clock', async () => {
  const backend = fakeBackend();
  storeSession();
  backend.on('GET /config.json', () => json({ ...CONFIG, clockOffsetMs: -3_600_000 }));
  backend.on('GET /rest/v1/stripe_user_subscriptions', () =>
    row({ status: 'canceled', current_period_end: NOW_S - 7200 }),
  );

  mount();

  await screen.findByText('lion admin=false [bobcat,panther,lion] user');
});

test('gives an admin all models whatever the plan', async () => {
  const backend = fakeBackend();
  storeSession();
  backend.on('GET /rest/v1/profiles', () => json({ role: 'admin', full_name: null, avatar_url: null }));

  mount();

  await screen.findByText('free admin=true [bobcat,panther,lion] admin');
});

test('counts the plan as free on an error, and reports it', async () => {
  const backend = fakeBackend();
  storeSession();
  backend.on('GET /rest/v1/stripe_user_subscriptions', () => json({ message: 'boom' }, 500));

  mount();

  await screen.findByText('free admin=false [] user');
  await waitFor(() => expect(backend.to('/rest/v1/error_logs').length).toBeGreaterThan(0));
});

test('reads a plan again that could not be read, until it is known', async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true });
  const backend = fakeBackend();
  storeSession();
  let isBusy = true;
  backend.on('GET /rest/v1/stripe_user_subscriptions', () => (isBusy ? json({ message: 'busy' }, 503) : row({})));
  mount();
  await screen.findByText('free admin=false [] user');

  await vi.advanceTimersByTimeAsync(20_000);
  expect(screen.queryByText('loading')).toBeNull();
  isBusy = false;
  await vi.advanceTimersByTimeAsync(20_000);

  await screen.findByText('lion admin=false [bobcat,panther,lion] user');
  vi.useRealTimers();
});

test('creates a missing profile, and only logs a failure to do so', async () => {
  const backend = fakeBackend();
  storeSession();
  backend.on('GET /rest/v1/profiles', () => json({ code: 'PGRST116', message: 'no rows' }, 406));
  backend.on('POST /rest/v1/profiles', () => json({ code: '42501', message: 'refused' }, 403));

  mount();

  await screen.findByText('free admin=false [] user');
  const created = backend.requests.find((request) => request.method === 'POST' && request.path === '/rest/v1/profiles');
  expect(created?.body).toMatchObject({ id: USER.id, email: USER.email, full_name: 'Ada Lovelace' });
  await waitFor(() => expect(backend.to('/rest/v1/error_logs')).toHaveLength(1));
});

test('counts a plan as free whose grace ends while the page is open, and loads again what is left', async () => {
  const backend = fakeBackend();
  storeSession();
  const endsInMs = 2000;
  // Far away until the page shows it.
  let periodEndS = Math.floor(Date.now() / 1000) + 600;
  backend.on('GET /config.json', () => json({ ...CONFIG, clockOffsetMs: 7_200_000 - endsInMs }));
  backend.on('GET /rest/v1/stripe_user_subscriptions', () =>
    row({ status: 'canceled', current_period_end: periodEndS }),
  );
  mount();
  function Left() {
    useQuota(USER.id);
    return null;
  }
  render(
    <QueryClientProvider client={queryClient}>
      <Left />
    </QueryClientProvider>,
  );
  await screen.findByText('lion admin=false [bobcat,panther,lion] user');
  const quotas = () => backend.to('/functions/v1/get-quota').length;
  await waitFor(() => expect(quotas()).toBe(1));

  periodEndS = Math.floor(Date.now() / 1000) + 1;
  await queryClient.invalidateQueries({ queryKey: ['subscription', USER.id] });
  await screen.findByText('free admin=false [] user');

  await waitFor(() => expect(quotas()).toBe(2));
});
