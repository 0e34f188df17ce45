import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { render, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { MemoryRouter, useLocation } from 'react-router';
import { beforeEach, expect, test, vi } from 'vitest';
import { type OwnVote, VOTE_MESSAGES, type VoteStats } from '#domain/community/vote.ts';
import { useSession } from '../../session/session.ts';
import { toast } from '../../ui/toast.ts';
import { Sentiment } from './sentiment.tsx';
import * as api from './sentiment-api.ts';

vi.mock('../../session/session.ts', () => ({ useSession: vi.fn() }));
vi.mock('./sentiment-api.ts', async (original) => ({
  ...(await original<typeof api>()),
  fetchVoteStats: vi.fn(),
  fetchVoteDays: vi.fn(),
  fetchOwnVote: vi.fn(),
  fetchPriceHours: vi.fn(),
  submitVote: vi.fn(),
  areVotesSamples: vi.fn(),
}));
const { fetchVoteStats, fetchVoteDays, fetchOwnVote, fetchPriceHours, submitVote, areVotesSamples } = vi.mocked(api);

const DAY_S = 86_400;
const TODAY_S = Math.floor(Date.now() / 1000 / DAY_S) * DAY_S;
const SOME: VoteStats = { up_pct: 62.5, down_pct: 37.5, up_count: 10, down_count: 6, total: 16 };
const NONE: VoteStats = { up_pct: null, down_pct: null, up_count: 0, down_count: 0, total: 0 };
const own = (direction: 'up' | 'down'): OwnVote => ({ direction, nextMs: Date.now() + 3_600_000 });
const refusal = (message: string, details: string | null = null, status = 400) =>
  new api.VoteRefused({ message, details }, status);

const told: string[] = [];
beforeEach(() => {
  told.length = 0;
  for (const tone of ['success', 'error'] as const)
    vi.spyOn(toast, tone).mockImplementation((text: string) => {
      told.push(text);
      return '';
    });
  signedIn('ada');
  fetchVoteStats.mockReset().mockResolvedValue(SOME);
  fetchVoteDays
    .mockReset()
    .mockResolvedValue(
      [4, 3, 2, 1, 0].map((ago) => ({ fromS: TODAY_S - ago * DAY_S, up: ago, down: ago === 2 ? 6 : 0 })),
    );
  fetchOwnVote.mockReset().mockResolvedValue(null);
  fetchPriceHours.mockReset().mockResolvedValue({
    closes: [
      { timeS: TODAY_S - DAY_S, value: 97_000 },
      { timeS: TODAY_S - DAY_S + 3600, value: 98_120 },
    ],
    attribution: 'Sandbox market',
    kind: 'simulated',
  });
  submitVote.mockReset();
  areVotesSamples.mockReset().mockResolvedValue(false);
});

function signedIn(id: string | null, initialized = true) {
  const user = id === null ? null : { id, email: null, emailConfirmed: true, fullName: null, createdAt: '' };
  vi.mocked(useSession).mockReturnValue({
    initialized,
    user,
    held: null,
    needsSecondFactor: false,
    signOut: async () => undefined,
  });
}

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

const panel = () => screen.getByRole('region', { name: 'Community Sentiment' });
const button = (direction: string) => screen.getByRole<HTMLButtonElement>('button', { name: `Vote ${direction}` });
const pressed = () => ['up', 'down'].filter((one) => button(one).getAttribute('aria-pressed') === 'true');
const needle = () => panel().querySelector('[data-angle]')?.getAttribute('data-angle');

test('needle, percentages and counts of the last 24 hours, also in words', async () => {
  show();

  expect(await screen.findByText('62.5 %')).toBeDefined();
  expect(screen.getByText('37.5 %')).toBeDefined();
  expect(screen.getByText('10 votes')).toBeDefined();
  expect(needle()).toBe('22.5');
  expect(screen.getByRole('img', { name: 'Sentiment gauge: 62.5 % up, 37.5 % down, 16 votes' })).toBeDefined();
  expect(pressed()).toEqual([]);
  expect(screen.queryByText('sample votes')).toBeNull();
});

test('five days with the price of BTC over them, read day by day', async () => {
  show();

  const chart = await screen.findByRole('img', { name: /^Votes of 5 days: / });
  await waitFor(() => expect(chart.dataset.overlayCount).toBe('2'));
  expect(chart.dataset.pointCount).toBe('5');
  expect(chart.getAttribute('aria-label')).toContain('25.0 % up, ▲ 2 ▼ 6');
  expect(chart.getAttribute('aria-label')).toContain('BTC came from 97,000 to 98,120 US dollars.');
  const slider = screen.getByRole('slider', { name: 'Day of the vote history, use the arrow keys' });
  expect(slider.getAttribute('aria-valuetext')).toMatch(/unfinished: no votes$/);
  expect(screen.getByText('simulated')).toBeDefined();
  expect(panel().textContent).toContain('BTC price, hourly: Sandbox market.');
});

test('without a vote there are dashes, no needle, and a word that says so', async () => {
  fetchVoteStats.mockResolvedValue(NONE);
  show();

  await screen.findByText('Nobody has voted yet: be the first.');
  expect(screen.getAllByText('—')).toHaveLength(2);
  expect(needle()).toBeUndefined();
});

test('sample votes are told as such', async () => {
  areVotesSamples.mockResolvedValue(true);
  show();

  expect(await screen.findByText('sample votes')).toBeDefined();
});

test('a vote lights up at once, is recorded, and the counts are asked again', async () => {
  const answer = Promise.withResolvers<OwnVote | null>();
  submitVote.mockReturnValue(answer.promise);
  show();
  await screen.findByText('62.5 %');

  await userEvent.click(button('up'));
  expect(pressed()).toEqual(['up']);
  await userEvent.click(button('down'));
  fetchVoteStats.mockResolvedValue({ ...SOME, up_pct: 64.7, down_pct: 35.3, up_count: 11, total: 17 });
  answer.resolve(own('up'));

  expect(await screen.findByText('64.7 %')).toBeDefined();
  expect([pressed(), told]).toEqual([['up'], ['Vote recorded']]);
  expect(screen.getByText(/^Next vote available: \d+ \w+ \d{4}, \d\d:\d\d /)).toBeDefined();
  expect(submitVote.mock.calls.map(([direction]) => direction)).toEqual(['up']);
});

test('the own vote is lit up after a reload', async () => {
  fetchOwnVote.mockResolvedValue(own('down'));
  show();
  await waitFor(() => expect(pressed()).toEqual(['down']));
  expect(screen.getByText(/^Next vote available: /)).toBeDefined();
});

test('a vote as old as the window is lit up no more', async () => {
  fetchOwnVote.mockResolvedValue({ direction: 'down', nextMs: Date.now() - 1 });
  show();
  await screen.findByText('62.5 %');

  expect(pressed()).toEqual([]);
  expect(screen.getByText('One vote every 24 hours.')).toBeDefined();
});

test('too soon: a toast and a line with the time, and the old choice stays', async () => {
  fetchOwnVote.mockResolvedValue(own('up'));
  submitVote.mockRejectedValue(refusal('TOO_SOON', new Date(Date.now() + 7_200_000).toISOString(), 429));
  show();
  await waitFor(() => expect(pressed()).toEqual(['up']));

  await userEvent.click(button('down'));

  await waitFor(() =>
    expect(told).toEqual([expect.stringMatching(/^You can vote again at \d+ \w+ \d{4}, \d\d:\d\d /)]),
  );
  expect(pressed()).toEqual(['up']);
});

test('too soon without a time is later', async () => {
  submitVote.mockRejectedValue(refusal('TOO_SOON', null, 429));
  show();
  await userEvent.click(button('down'));

  await waitFor(() => expect(told).toEqual(['You can vote again at later']));
  expect(screen.getByText('Next vote available: later')).toBeDefined();
  expect(pressed()).toEqual([]);
});

test.each([
  [refusal('Votes are closed.', 'Come back tomorrow.'), 'Votes are closed. Come back tomorrow.'],
  [refusal('', null, 0), 'Could not submit your vote'],
])('another refusal is told and puts the light out', async (error, words) => {
  submitVote.mockRejectedValue(error);
  show();
  await userEvent.click(button('up'));

  await waitFor(() => expect(told).toEqual([words]));
  expect(pressed()).toEqual([]);
});

test.each([
  ['a visitor', () => signedIn(null)],
  ['somebody whose session is over', () => submitVote.mockRejectedValue(refusal('permission denied', null, 401))],
])('%s is led to sign-in, and back to this very place', async (_who, given) => {
  given();
  show();
  await userEvent.click(button('down'));

  await waitFor(() =>
    expect(screen.getByRole('status', { name: '' }).textContent).toBe(
      `/auth/signin?next=${encodeURIComponent('/kat?mock=hol#years')}`,
    ),
  );
  expect(told).toEqual([]);
});

test('until it is known who is here, nothing is voted', () => {
  signedIn(null, false);
  show();

  expect(button('up').disabled).toBe(true);
});

test.each([
  ['stats', () => fetchVoteStats.mockRejectedValue(new Error(VOTE_MESSAGES.stats)), 'Failed to load vote stats'],
  ['history', () => fetchVoteDays.mockRejectedValue(new Error(VOTE_MESSAGES.history)), 'Failed to load vote history'],
  ['the price', () => fetchPriceHours.mockRejectedValue(new Error(VOTE_MESSAGES.overlay)), 'BTC overlay failed'],
])('%s that fail are told once, the rest still works, and Retry asks again', async (what, fail, words) => {
  fail();
  show();

  const retry = await within(panel()).findByRole('button', { name: 'Retry' });
  expect(told).toEqual([words]);
  if (what === 'stats') {
    expect(screen.getByText('Failed to load gauge')).toBeDefined();
    expect(screen.getAllByText('—')).toHaveLength(4);
  } else expect(screen.getByText('62.5 %')).toBeDefined();
  expect(screen.queryByRole('img', { name: /^Votes of 5 days/ }) !== null).toBe(what !== 'history');

  fetchVoteStats.mockResolvedValue(SOME);
  fetchVoteDays.mockResolvedValue([{ fromS: TODAY_S, up: 1, down: 0 }]);
  fetchPriceHours.mockResolvedValue({ closes: [], attribution: null, kind: null });
  await userEvent.click(retry);
  await waitFor(() => expect(within(panel()).queryByRole('button', { name: 'Retry' })).toBeNull());
});
