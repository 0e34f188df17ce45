import { act, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test, vi } from 'vitest';
import type { MarketKind } from '#domain/market/symbols.ts';
import type { PaperTrade } from '#domain/paper-trading/paper-trade.ts';
import { aTrade } from '#domain/paper-trading/testing/a-trade.ts';
import { removeStoredSession } from '../../../platform/account/session-storage.ts';
import { type FakeBackend, fakeBackend, json, storeSession, USER } from '../../../platform/testing/fake-backend.ts';
import { type FakeLive, fakeLiveFeed } from '../../../platform/testing/fake-live.ts';
import { reloadPage } from '../../../testing/fresh-page.ts';
import { toggleUtc } from '../../../ui/browser/time-zone.ts';
import { button, mountPanel, type TradeRow, tradeServer } from '../testing/mounted-panel.tsx';

const NOW = Date.parse('2026-11-24T16:00:00Z');
const KEY = 'kat-paper-trades';
const OTHER = '22222222-2222-4222-8222-222222222222';
let world: FakeLive;
let backend: FakeBackend;
let panel: ReturnType<typeof mountPanel>;

beforeEach(() => {
  world = fakeLiveFeed();
  backend = fakeBackend();
  panel = mountPanel(world, backend);
  vi.useFakeTimers({ now: NOW, shouldAdvanceTime: true, advanceTimeDelta: 5 });
});

/** The panel, at the time when an account's trades are due. */
async function shown(label = 'BTC', kind: MarketKind = 'simulated'): Promise<void> {
  await panel.shown(label, kind);
  await panel.wait(3000);
}

/** Closed on 24 Nov, minute by minute before 16:00 UTC. */
const ofToday = (n: number, change: Partial<PaperTrade> = {}): PaperTrade => {
  const closedAt = NOW - n * 60_000;
  return aTrade(n, { openedAt: closedAt - 30_000, closedAt, ...change });
};
const rowOf = ({ id, sym, side, ...trade }: PaperTrade): TradeRow => ({
  id,
  sym,
  side,
  market_kind: trade.marketKind,
  entry_price: trade.entryPrice,
  exit_price: trade.exitPrice,
  opened_at: new Date(trade.openedAt).toISOString(),
  closed_at: new Date(trade.closedAt).toISOString(),
});
const storeLocally = (...entries: unknown[]) => window.localStorage.setItem(KEY, JSON.stringify(entries));
const stored = (): { owner: string | null; trade: PaperTrade }[] =>
  JSON.parse(window.localStorage.getItem(KEY) ?? '[]');
const visitors = (trade: PaperTrade) => ({ owner: null, trade });
const reload = () => {
  reloadPage();
  world = fakeLiveFeed();
  panel = mountPanel(world, backend);
};
const count = (n: number) => screen.findByRole('button', { name: `Show trades (${n})` });
const openList = async (n: number) => userEvent.click(await count(n));
const days = async () => within(await screen.findByRole('table', { name: 'Results by day, newest first' }));

async function trade(entry = '100', exit = '110'): Promise<void> {
  await panel.priced(entry);
  await userEvent.click(button('Buy'));
  await panel.priced(exit);
  await userEvent.click(button('Close'));
}

test('keeps a visitor’s trades in this browser and sends none of them', async () => {
  await shown();
  await trade();
  await count(1);
  expect(stored()).toMatchObject([
    {
      owner: null,
      trade: { marketKind: 'simulated', sym: 'BTCUSDT.P', side: 'long', entryPrice: 100, exitPrice: 110 },
    },
  ]);

  reload();
  await shown();
  await openList(1);

  await screen.findByText('BTC long');
  await screen.findByText(/^Stored in this browser\. Sign in to keep them with your account\./);
  expect(backend.to('/rest/v1/rpc/add_paper_trades')).toEqual([]);
});

test('takes a visitor’s trades along into the account, and shows them to no other user of the browser', async () => {
  storeLocally(visitors(ofToday(2)), visitors(ofToday(1)));
  storeSession();
  const server = tradeServer(backend, [rowOf(ofToday(3))]);
  await shown();

  await count(3);
  await waitFor(() => expect(stored()).toEqual([]));
  expect(server.rows.map(({ id }) => id).toSorted()).toEqual([1, 2, 3].map((n) => ofToday(n).id));
  expect(backend.to('/rest/v1/rpc/add_paper_trades').map(({ body }) => body)).toMatchObject([{ p_user: USER.id }]);
  removeStoredSession();
  reload();
  await shown();
  await count(0);
});

test('stores a closed trade with the account, and shows it after a reload', async () => {
  storeSession();
  const server = tradeServer(backend);
  await shown();

  await trade('100', '95');

  await waitFor(() => expect(server.rows).toMatchObject([{ side: 'long', entry_price: 100, exit_price: 95, pnl: -5 }]));
  await count(1);
  reload();
  await shown();
  await openList(1);
  await screen.findByText(/^The newest 500 are stored with your account\./);
});

test('keeps what the account could not take, says so quietly, and sends it once the connection returns', async () => {
  storeSession();
  const server = tradeServer(backend);
  backend.on('POST /rest/v1/rpc/add_paper_trades', () => json({ message: '' }, 500));
  await shown();
  await trade();
  await openList(1);
  await screen.findByText('Your account doesn’t have 1 trade yet. We’ll keep trying.');
  expect(stored()).toMatchObject([{ owner: USER.id }]);

  const { rows } = tradeServer(backend, server.rows);
  expect(rows).toEqual([]);
  await act(async () => void window.dispatchEvent(new Event('online')));

  await waitFor(() => expect(stored()).toEqual([]));
  expect(screen.queryByText(/We’ll keep trying/)).toBeNull();
  await screen.findByText('BTC long');
});

test('never shows one account’s waiting trades to another, nor sends them for it', async () => {
  storeLocally({ owner: OTHER, trade: ofToday(1) }, { owner: USER.id, trade: ofToday(2) });
  storeSession();
  const server = tradeServer(backend);
  await shown();

  await count(1);

  await waitFor(() => expect(stored()).toEqual([{ owner: OTHER, trade: ofToday(1) }]));
  expect(server.rows.map(({ id }) => id)).toEqual([ofToday(2).id]);
});

test('stores the other trades when the account refuses one', async () => {
  storeLocally(visitors(ofToday(1)), visitors(ofToday(2)), visitors(ofToday(3)));
  storeSession();
  const saved: TradeRow[] = [];
  backend.on('GET /rest/v1/paper_trades', () => json(saved));
  backend.on('POST /rest/v1/rpc/add_paper_trades', ({ body }) => {
    const { p_trades } = body as { p_trades: TradeRow[] };
    if (p_trades.some(({ id }) => id === ofToday(2).id)) return json({ code: '22023', message: 'no' }, 400);
    saved.push(...p_trades);
    return new Response(null, { status: 204 });
  });
  await shown();

  await openList(3);

  await screen.findByText('Your account refused 1 trade. This browser keeps them.');
  expect(saved.map(({ id }) => id).toSorted()).toEqual([ofToday(1).id, ofToday(3).id]);
  expect(stored()).toEqual([{ owner: USER.id, trade: ofToday(2) }]);
});

test('loses no trade to a damaged one beside it', async () => {
  storeLocally(visitors(ofToday(1)), { owner: null, trade: { id: 1 } }, 'x', visitors(ofToday(2)));

  await shown();

  await count(2);
});

test('trades without storage, and says what is lost with the tab', async () => {
  vi.spyOn(Storage.prototype, 'setItem').mockImplementation(() => {
    throw new DOMException('blocked', 'SecurityError');
  });
  await shown();
  await trade();
  await trade('100', '90');

  await openList(2);

  await screen.findByText('Your browser blocks storage. What your account doesn’t have is lost with this tab.');
});

test('reports a failure to load the account’s trades, and tries again', async () => {
  storeSession();
  backend.on('GET /rest/v1/paper_trades', () => json({ message: '' }, 400));
  await shown();
  await openList(0);
  await screen.findByText('We couldn’t load your trades');

  tradeServer(backend, [rowOf(ofToday(1))]);
  await userEvent.click(await screen.findByRole('button', { name: 'Retry' }));

  await screen.findByText('BTC long');
});

test('shows trades on simulated prices in a simulated market alone', async () => {
  storeLocally(visitors(ofToday(1)), visitors(ofToday(2, { marketKind: 'live' })));

  await shown('BTC', 'live');
  await count(1);
});

test('shows the open trade’s result after costs, and today’s total before and after them', async () => {
  toggleUtc();
  storeLocally(visitors(ofToday(1)), visitors(ofToday(2, { side: 'short' })), visitors(ofToday(60 * 24)));
  await shown();
  await screen.findByText('Opening and closing costs about 0.10%.');
  const today = await screen.findByText(/^Today 2 trades/);
  expect(today.textContent).toBe('Today 2 trades: $0.00, after costs \u2212$2.05');

  await panel.priced('100');
  await userEvent.click(button('Buy'));
  await panel.priced('101');

  // 0.102% of the mean of 100 and 101.
  expect(screen.getByText(/^After costs of 0\.10%/).textContent).toBe('After costs of 0.10%: ▲ +0.90');
});

test('lists results by day in the user’s zone, and never adds dollars to index points', async () => {
  toggleUtc();
  storeLocally(
    visitors(ofToday(1)),
    visitors(ofToday(2, { sym: 'DX1!', entryPrice: 100, exitPrice: 99.9 })),
    visitors(ofToday(3, { exitPrice: null })),
    visitors(ofToday(17 * 60)),
  );
  await shown();
  await openList(4);

  const rows = (await days()).getAllByRole('row').map((row) => row.textContent);

  expect(rows).toEqual([
    'DayTradesWonResultAfter costs',
    expect.stringMatching(/^24 Nov21\+\$10\.00\u22120\.10 points\+\$8\.97\u22120\.12 points\+0\.39% a trade$/),
    '23 Nov11+$10.00+$8.97+0.90% a trade',
  ]);
  expect(screen.getByText('not counted')).toBeDefined();
});
