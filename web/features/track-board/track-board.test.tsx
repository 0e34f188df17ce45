import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { render, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { MemoryRouter } from 'react-router';
import { beforeEach, expect, test } from 'vitest';
import {
  BOARD_WHO,
  type TrackBoard as Board,
  type BoardCall,
  type BoardWho,
  boardRow,
} from '#domain/record/figures/board.ts';
import { type FakeBackend, fakeBackend, json } from '../../platform/testing/fake-backend.ts';
import { signedIn } from '../../session/testing/signed-in.ts';
import { TrackBoard } from './track-board.tsx';

let backend: FakeBackend;
const answer = (board: unknown) => backend.fn('get-track-board', () => json({ ok: true, board }));
const requests = () => backend.to('/functions/v1/get-track-board');

/** One an hour, right in `rightOf` of ten. */
function calls(count: number, rightOf: number): BoardCall[] {
  return Array.from({ length: count }, (_, i) => {
    const actualBp = i % 2 === 0 ? 10 : -10;
    return { joinS: i * 3600, actualBp, drawnBp: (i % 10 < rightOf ? 0.4 : -0.4) * actualBp };
  });
}

function aBoard(counts: Partial<Record<BoardWho, [count: number, rightOf: number]>> = {}): Board {
  const rows = (share: number) => ({
    rows: BOARD_WHO.map((who) => {
      const [count, rightOf] = counts[who] ?? [200, 5];
      return boardRow(who, calls(Math.floor(count * share), rightOf));
    }),
  });
  return { market: 'simulated', periods: { '7d': rows(0.1), '30d': rows(1) } };
}

async function show(): Promise<void> {
  await signedIn();
  render(tree());
}

function tree() {
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  return (
    <QueryClientProvider client={client}>
      <MemoryRouter>
        <TrackBoard />
      </MemoryRouter>
    </QueryClientProvider>
  );
}

beforeEach(() => {
  backend = fakeBackend();
  answer(aBoard({ you: [12, 10] }));
});

const rowOf = async (name: string): Promise<HTMLElement> => {
  const row = (await screen.findByText(name)).closest('tr');
  if (row === null) throw new Error(`no row of ${name}`);
  return row;
};

test('shows each beside the coin and the last close, with intervals, in an order that is no ranking', async () => {
  await show();

  const lion = await rowOf('Lion');
  expect(within(lion).getByText('50%')).toBeDefined();
  expect(within(lion).getByText('43 to 57%')).toBeDefined();
  expect(within(lion).getByText('10.0 bp')).toBeDefined();
  expect(within(lion).getByText('last close 10.0 bp')).toBeDefined();
  expect(
    screen
      .getAllByRole('row')
      .slice(1)
      .map((row) => row.querySelector('strong')?.textContent),
  ).toEqual(['You', 'The crowd', 'Bobcat', 'Panther', 'Lion']);
});

test('says so where no one is beyond chance', async () => {
  await show();

  expect((await screen.findByText(/^No one beats the last price over 50 minutes/)).textContent).not.toBe('');
});

test('calls a few right calls no skill', async () => {
  await show();

  const you = await rowOf('You');
  expect(within(you).getByText('12 scored')).toBeDefined();
  expect(within(you).getByText('not enough data')).toBeDefined();
  expect(within(you).queryByText(/100%/)).toBeNull();
});

test('shows no path of the crowd', async () => {
  await show();

  expect(within(await rowOf('The crowd')).getAllByText('–')).toHaveLength(2);
});

test('shows fewer in a shorter period', async () => {
  await show();
  await rowOf('Lion');

  await userEvent.click(screen.getByLabelText('7 days'));

  expect(within(await rowOf('Lion')).getByText('20 scored')).toBeDefined();
  expect(screen.getByText(/^Not enough forecasts yet/)).toBeDefined();
});

test('reports predictions that were left out', async () => {
  const board = aBoard();
  const own = boardRow('you', [...calls(40, 5), ...calls(40, 5)]);
  board.periods['30d'].rows[0] = own;
  answer(board);
  await show();

  expect(within(await rowOf('You')).getByText('40 overlap and don’t count')).toBeDefined();
});

test('requests no one’s board while no one is signed in', () => {
  render(tree());

  expect(requests()).toEqual([]);
  expect(document.body.textContent).toBe('');
});

test.each([
  ['the server cannot be reached', () => Promise.reject(new TypeError('Failed to fetch'))],
  ['the answer is invalid', () => json({ ok: true, board: { market: 'simulated' } })],
])('reports %s, and loads again on demand', async (_what, first) => {
  backend.fn('get-track-board', first);
  await show();
  const retry = await screen.findByRole('button', { name: 'Retry' });

  answer(aBoard());
  await userEvent.click(retry);

  expect(await rowOf('Lion')).toBeDefined();
});

test('loads the board of longer candles on request, and counts their bars', async () => {
  const user = userEvent.setup();
  await show();
  await rowOf('Lion');
  expect(screen.getByRole('table', { name: 'Bitcoin forecasts after 50 minutes' })).toBeDefined();
  answer({ ...aBoard(), tf: '5min' });

  await user.click(screen.getByRole('radio', { name: '5 min' }));

  expect(await screen.findByRole('table', { name: 'Bitcoin forecasts after 4 h 10' })).toBeDefined();
  expect(requests().at(-1)?.body).toEqual({ tf: '5min' });
  expect(screen.getByRole('status').textContent).toContain('over 4 h 10');
});
