import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { render, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test, vi } from 'vitest';
import { BOARD_WHO, type TrackBoard as Board, type BoardCall, type BoardWho, boardRow } from '#domain/record/board.ts';
import { callFunction } from '../../platform/functions.ts';
import { TrackBoard } from './track-board.tsx';

let user: { id: string } | null = null;
vi.mock('../../session/session.ts', () => ({ useSession: () => ({ user }) }));
vi.mock('../../platform/functions.ts', () => ({ callFunction: vi.fn() }));
const call = vi.mocked(callFunction);

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

function show(): void {
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  render(
    <QueryClientProvider client={client}>
      <TrackBoard />
    </QueryClientProvider>,
  );
}

beforeEach(() => {
  user = { id: 'u1' };
  call.mockReset().mockImplementation(async () => ({ ok: true, board: aBoard({ you: [12, 10] }) }));
});

const rowOf = async (name: string): Promise<HTMLElement> => {
  const row = (await screen.findByText(name)).closest('tr');
  if (row === null) throw new Error(`no row of ${name}`);
  return row;
};

test('each stands beside the coin and the last close, with intervals; the order is no ranking', async () => {
  show();

  const lion = await rowOf('Lion');
  expect(within(lion).getByText('50 %')).toBeDefined();
  expect(within(lion).getByText('43 to 57 %')).toBeDefined();
  expect(within(lion).getByText('10.0 bp')).toBeDefined();
  expect(within(lion).getByText('last close 10.0 bp')).toBeDefined();
  expect(
    screen
      .getAllByRole('row')
      .slice(1)
      .map((row) => row.querySelector('strong')?.textContent),
  ).toEqual(['You', 'The crowd', 'Bobcat', 'Panther', 'Lion']);
});

test('where nobody is beyond chance it says so', async () => {
  show();

  expect((await screen.findByText(/^Nobody beats the last price over 50 minutes/)).textContent).not.toBe('');
});

test('a few right calls are no skill', async () => {
  show();

  const you = await rowOf('You');
  expect(within(you).getByText('12 judged')).toBeDefined();
  expect(within(you).getByText('too few to compare')).toBeDefined();
  expect(within(you).queryByText(/100 %/)).toBeNull();
});

test('the crowd has no path', async () => {
  show();

  expect(within(await rowOf('The crowd')).getAllByText('–')).toHaveLength(2);
});

test('a shorter period has fewer', async () => {
  show();
  await rowOf('Lion');

  await userEvent.click(screen.getByLabelText('7 days'));

  expect(within(await rowOf('Lion')).getByText('20 judged')).toBeDefined();
  expect(screen.getByText(/^Too few to compare/)).toBeDefined();
});

test('predictions that were left out are told', async () => {
  const board = aBoard();
  const own = boardRow('you', [...calls(40, 5), ...calls(40, 5)]);
  board.periods['30d'].rows[0] = own;
  call.mockResolvedValue({ ok: true, board });
  show();

  expect(within(await rowOf('You')).getByText('40 overlap and do not count')).toBeDefined();
});

test('nobody’s board is asked for while nobody is signed in', () => {
  user = null;
  show();

  expect(call).not.toHaveBeenCalled();
  expect(document.body.textContent).toBe('');
});

test.each([
  ['the server cannot be reached', () => Promise.reject(new Error('away'))],
  ['the answer is none', () => Promise.resolve({ ok: true, board: { market: 'simulated' } })],
])('%s: said, and asked again on demand', async (_what, answer) => {
  call.mockImplementationOnce(answer);
  show();

  await userEvent.click(await screen.findByRole('button', { name: 'Retry' }));

  expect(await rowOf('Lion')).toBeDefined();
});
