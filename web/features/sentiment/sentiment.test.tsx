import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { render, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { MemoryRouter, useLocation } from 'react-router';
import { beforeEach, expect, test, vi } from 'vitest';
import { VOTE_MESSAGES, type VoteStats } from '#domain/community/vote.ts';
import { type FakeBackend, fakeBackend, json, storeOldSession } from '../../platform/testing/fake-backend.ts';
import { signedIn } from '../../session/testing/signed-in.ts';
import { toast } from '../../ui/overlay/toast.ts';
import { Sentiment } from './sentiment.tsx';

const DAY_S = 86_400;
const NOW = Date.parse('2026-11-25T14:20:00Z');
const TODAY_S = Date.parse('2026-11-25T00:00:00Z') / 1000;
const SOME: VoteStats = { up_pct: 62.5, down_pct: 37.5, up_count: 10, down_count: 6, total: 16 };
const NONE: VoteStats = { up_pct: null, down_pct: null, up_count: 0, down_count: 0, total: 0 };
const DAYS = [4, 3, 2, 1, 0].map((ago) => aDay(TODAY_S - ago * DAY_S, ago, ago === 2 ? 6 : 0));
const HOURS = [anHour(TODAY_S - DAY_S + 3600, 98_120), anHour(TODAY_S - DAY_S, 97_000)];
const SOURCE = { 'x-market-kind': 'simulated', 'x-market-attribution': 'Sandbox market' };

function aDay(fromS: number, up_count: number, down_count: number) {
  return { ts: new Date(fromS * 1000).toISOString(), up_count, down_count };
}
function anHour(timeS: number, close: number) {
  return [timeS, close, close, close, close, 1];
}
const aVote = (direction: 'up' | 'down', nextMs = NOW + 3_600_000) => [
  { direction, next_at: new Date(nextMs).toISOString() },
];

let backend: FakeBackend;
const rpc = (name: string, body: unknown, status = 200) =>
  backend.on(`POST /rest/v1/rpc/${name}`, () => json(body, status));
const answerStats = (stats: VoteStats) => rpc('get_vote_stats', [stats]);
const answerDays = (days: object[]) => rpc('get_vote_timeseries', days);
const answerOwn = (rows: object[]) => rpc('get_own_vote', rows);
const answerPrice = (hours: unknown[]) =>
  backend.on('GET /products/BTC-USD/candles', () => Response.json(hours, { headers: SOURCE }));
const refuse = (message: string, details: string | null, status: number) =>
  rpc('submit_vote', { code: 'P0001', message, details }, status);
const votes = () => backend.to('/rest/v1/rpc/submit_vote').map(({ body }) => body);

const messages: string[] = [];
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'], now: NOW });
  messages.length = 0;
  for (const tone of ['success', 'error'] as const) {
    const show = toast[tone];
    vi.spyOn(toast, tone).mockImplementation((text: string) => {
      messages.push(text);
      return show(text);
    });
  }
  backend = fakeBackend();
  answerStats(SOME);
  answerDays(DAYS);
  answerOwn([]);
  answerPrice(HOURS);
});

function Where() {
  const { pathname, search } = useLocation();
  return <output>{pathname + search}</output>;
}

function show() {
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  render(
    <QueryClientProvider client={client}>
      <MemoryRouter initialEntries={['/kat?mock=hol#years']}>
        <Sentiment />
        <Where />
      </MemoryRouter>
    </QueryClientProvider>,
  );
}

async function showSignedIn() {
  await signedIn();
  show();
}

const panel = () => screen.getByRole('region', { name: 'Community Sentiment' });
const button = (direction: string) => screen.getByRole<HTMLButtonElement>('button', { name: `Vote ${direction}` });
const chosen = () => ['up', 'down'].filter((one) => button(one).getAttribute('aria-pressed') === 'true');
const needle = () => panel().querySelector('[data-angle]')?.getAttribute('data-angle');

test('shows needle, percentages and counts of the last 24 hours, also as text', async () => {
  await showSignedIn();

  expect(await screen.findByText('62.5%')).toBeDefined();
  expect(screen.getByText('37.5%')).toBeDefined();
  expect(screen.getByText('10 votes')).toBeDefined();
  expect(needle()).toBe('22.5');
  expect(screen.getByRole('img', { name: 'Sentiment gauge: 62.5% up, 37.5% down, 16 votes' })).toBeDefined();
  expect(chosen()).toEqual([]);
  expect(screen.queryByText('sample votes')).toBeNull();
});

test('shows five days with the price of BTC over them, read day by day', async () => {
  await showSignedIn();

  const chart = await screen.findByRole('img', { name: /^Votes over 5 days: / });
  await waitFor(() => expect(chart.dataset.overlayCount).toBe('2'));
  expect(chart.dataset.pointCount).toBe('5');
  expect(chart.getAttribute('aria-label')).toContain('25.0% up, ▲ 2 ▼ 6');
  expect(chart.getAttribute('aria-label')).toContain('BTC moved from 97,000 to 98,120 US dollars.');
  const slider = screen.getByRole('slider', { name: 'Days of the vote history: move with the arrow keys' });
  expect(slider.getAttribute('aria-valuetext')).toMatch(/in progress: no votes$/);
  expect(screen.getByText('simulated')).toBeDefined();
  expect(panel().textContent).toContain('BTC price, hourly: Sandbox market.');
  expect(backend.to('/rest/v1/rpc/get_vote_timeseries').map(({ body }) => body)).toEqual([
    { p_currency: 'btc', p_from: '2026-11-21T00:00:00.000Z', p_bucket: '24 hour' },
  ]);
  const [prices] = backend.to('/products/BTC-USD/candles');
  expect(Object.fromEntries(new URLSearchParams(prices?.search))).toEqual({
    granularity: '3600',
    start: '2026-11-21T14:20:00.000Z',
    end: '2026-11-25T14:20:00.000Z',
  });
});

test('shows dashes, no needle and an explanation without a vote', async () => {
  answerStats(NONE);
  await showSignedIn();

  await screen.findByText('No votes yet. Be the first.');
  expect(screen.getAllByText('—')).toHaveLength(2);
  expect(needle()).toBeUndefined();
});

test('marks sample votes', async () => {
  backend.config({ demo: true });
  await showSignedIn();

  expect(await screen.findByText('sample votes')).toBeDefined();
});

test('lights up a vote immediately, records it, and loads the counts again', async () => {
  const answer = Promise.withResolvers<Response>();
  backend.on('POST /rest/v1/rpc/submit_vote', () => answer.promise);
  await showSignedIn();
  await screen.findByText('62.5%');

  await userEvent.click(button('up'));
  expect(chosen()).toEqual(['up']);
  await userEvent.click(button('down'));
  answerStats({ ...SOME, up_pct: 64.7, down_pct: 35.3, up_count: 11, total: 17 });
  answer.resolve(json(aVote('up')));

  expect(await screen.findByText('64.7%')).toBeDefined();
  expect([chosen(), messages]).toEqual([['up'], ['Vote recorded']]);
  expect(screen.getByText(/^Next vote available: (\d+ \w{3}( \d{4})?, )?\d\d:\d\d/)).toBeDefined();
  expect(votes()).toEqual([{ p_currency: 'btc', p_direction: 'up', p_window: '24 hours' }]);
});

test('lights up the user’s vote after a reload', async () => {
  answerOwn(aVote('down'));
  await showSignedIn();
  await waitFor(() => expect(chosen()).toEqual(['down']));
  expect(screen.getByText(/^Next vote available: /)).toBeDefined();
});

test('lights up no vote as old as the window', async () => {
  answerOwn(aVote('down', NOW - 1));
  await showSignedIn();
  await screen.findByText('62.5%');

  expect(chosen()).toEqual([]);
  expect(screen.getByText('One vote every 24 hours.')).toBeDefined();
});

test('shows a toast and a line with the time for a vote too soon, and keeps the old choice', async () => {
  answerOwn(aVote('up'));
  refuse('TOO_SOON', new Date(NOW + 7_200_000).toISOString(), 429);
  await showSignedIn();
  await waitFor(() => expect(chosen()).toEqual(['up']));

  await userEvent.click(button('down'));

  await waitFor(() =>
    expect(messages).toEqual([expect.stringMatching(/^You can vote again at (\d+ \w{3}( \d{4})?, )?\d\d:\d\d/)]),
  );
  expect(chosen()).toEqual(['up']);
});

test('says later for a vote too soon without a time', async () => {
  refuse('TOO_SOON', null, 429);
  await showSignedIn();
  await userEvent.click(button('down'));

  await waitFor(() => expect(messages).toEqual(['You can vote again at later']));
  expect(screen.getByText('Next vote available: later')).toBeDefined();
  expect(chosen()).toEqual([]);
});

test.each([
  [
    'another refusal',
    () => refuse('Votes are closed.', 'Come back tomorrow.', 400),
    'Votes are closed. Come back tomorrow.',
  ],
  [
    'no answer',
    () => backend.on('POST /rest/v1/rpc/submit_vote', () => Promise.reject(new TypeError('Failed to fetch'))),
    'Could not submit your vote',
  ],
])('reports %s, and clears the choice', async (_what, fail, message) => {
  fail();
  await showSignedIn();
  await userEvent.click(button('up'));

  await waitFor(() => expect(messages).toEqual([message]));
  expect(chosen()).toEqual([]);
  await waitFor(() => expect(backend.errors().map(({ error_message }) => error_message)).toContain(message));
});

test.each([
  ['a visitor', show],
  ['a user whose session is over', showWithEndedSession],
])('leads %s to sign-in, and back to this very place', async (_who, showTo) => {
  await showTo();
  await userEvent.click(button('down'));

  await waitFor(() =>
    expect(screen.getByRole('status', { name: '' }).textContent).toBe(
      `/auth/signin?next=${encodeURIComponent('/kat?mock=hol#years')}`,
    ),
  );
  expect(messages).toEqual([]);
});

async function showWithEndedSession() {
  await showSignedIn();
  refuse('permission denied', null, 401);
  backend.on('POST /auth/v1/token', () => json({ error_code: 'refresh_token_not_found', msg: 'Invalid' }, 400));
}

test('sends no vote until it is known who is here', () => {
  backend.on('GET /config.json', () => new Promise(() => {}));
  storeOldSession();
  show();

  expect(button('up').disabled).toBe(true);
});

test.each([
  ['stats', () => rpc('get_vote_stats', { message: 'away' }, 500), VOTE_MESSAGES.stats],
  ['history', () => rpc('get_vote_timeseries', { message: 'away' }, 500), VOTE_MESSAGES.history],
  ['the price', () => backend.on('GET /products/BTC-USD/candles', () => json({}, 503)), VOTE_MESSAGES.overlay],
])('reports %s that fail once, keeps the rest working, and Retry loads again', async (what, fail, message) => {
  fail();
  await showSignedIn();

  const retry = await within(panel()).findByRole('button', { name: 'Retry' });
  expect(messages).toEqual([message]);
  if (what === 'stats') {
    expect(screen.getByText('Failed to load gauge')).toBeDefined();
    expect(screen.getAllByText('—')).toHaveLength(4);
  } else expect(await screen.findByText('62.5%')).toBeDefined();
  const history = () => screen.queryByRole('img', { name: /^Votes over 5 days/ });
  await waitFor(() => expect(history() !== null).toBe(what !== 'history'));

  answerStats(SOME);
  answerDays([aDay(TODAY_S, 1, 0)]);
  answerPrice([]);
  await userEvent.click(retry);
  await waitFor(() => expect(within(panel()).queryByRole('button', { name: 'Retry' })).toBeNull());
  expect(messages).toEqual([message]);
});
