import { act, fireEvent, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test, vi } from 'vitest';
import { type FakeBackend, fakeBackend } from '../../platform/testing/fake-backend.ts';
import { type FakeLive, fakeLiveFeed, heartbeat, ticker } from '../../platform/testing/fake-live.ts';
import { toggleUtc } from '../../ui/browser/time-zone.ts';
import { toast } from '../../ui/overlay/toast.ts';
import { button, mountPanel } from './testing/mounted-panel.tsx';

/** A Tuesday, while the exchanges of New York are open. */
const NOW = Date.parse('2026-11-24T16:00:00Z');
let world: FakeLive;
let backend: FakeBackend;
const messages: string[] = [];

beforeEach(() => {
  world = fakeLiveFeed();
  backend = fakeBackend();
  ({ shown, priced, wait } = mountPanel(world, backend));
  vi.useFakeTimers({ now: NOW, shouldAdvanceTime: true, advanceTimeDelta: 5 });
  messages.length = 0;
  for (const tone of ['success', 'error', 'show'] as const)
    vi.spyOn(toast, tone).mockImplementation((text: string) => {
      messages.push(text);
      return '';
    });
});

const buttons = () =>
  within(screen.getByRole('group', { name: 'Trade' }))
    .getAllByRole('button')
    .map((element) => element.textContent);

let shown: ReturnType<typeof mountPanel>['shown'];
let priced: ReturnType<typeof mountPanel>['priced'];
let wait: ReturnType<typeof mountPanel>['wait'];

test('runs a bought trade, closes it by the opposite button, and lists it', async () => {
  await shown();
  await priced('100');
  expect(screen.getByText('Paper trading - no real money')).toBeDefined();
  expect(buttons()).toEqual(['Buy', 'Sell', 'Close']);

  await userEvent.click(button('Buy'));
  expect(buttons()).toEqual(['Buy', 'Close']);
  await priced('112.5');
  expect(screen.getByText('▲ +12.50')).toBeDefined();
  expect(screen.getByText('60 s')).toBeDefined();
  await userEvent.click(button('Buy'));
  await userEvent.click(button('Close'));

  expect(messages).toEqual(['Trade already open', 'Closed: profit']);
  expect(buttons()).toEqual(['Buy', 'Sell', 'Close']);
  await userEvent.click(await screen.findByRole('button', { name: 'Show trades (1)' }));
  expect(await screen.findByRole('row', { name: /BTC long 100.00 112.50 0 s ▲ \+12.50/ })).toBeDefined();
  await userEvent.click(button('Hide trades (1)'));
  expect(screen.queryByRole('table')).toBeNull();
});

test('shows a sold trade that rises as a loss, with a sign and an arrow', async () => {
  await shown();
  await priced('100');
  await userEvent.click(button('Sell'));
  expect(buttons()).toEqual(['Close', 'Sell']);

  await priced('101');
  expect(screen.getByText('▼ \u22121.00').dataset.sign).toBe('down');
  await userEvent.click(button('Close'));

  expect(messages).toEqual(['Closed: loss']);
});

test('explains what cannot be done', async () => {
  await shown();

  await userEvent.click(button('Buy'));
  await userEvent.click(button('Close'));
  await userEvent.click(button('Show trades (0)'));

  expect(messages).toEqual(['No live price yet', 'No trade open']);
  expect(await screen.findByText('No trades yet')).toBeDefined();

  await userEvent.click(button('Place a paper trade'));
  expect(document.activeElement).toBe(button('Buy'));
});

test('opens no trade by a double click on Close where the button of another one returns', async () => {
  await shown();
  await priced('100');
  await userEvent.click(button('Buy'));
  await userEvent.click(button('Close'));

  await act(async () => {
    button('Sell').dispatchEvent(new MouseEvent('click', { bubbles: true, detail: 2 }));
  });
  expect(buttons()).toEqual(['Buy', 'Sell', 'Close']);
  await userEvent.pointer({ keys: '[MouseLeft]', target: button('Sell') });

  expect(buttons()).toEqual(['Close', 'Sell']);
});

test('keeps the focus on Close when its place changes', async () => {
  await shown();
  await priced('100');
  button('Buy').focus();
  await userEvent.keyboard('{Enter}');
  await userEvent.tab();
  expect(document.activeElement?.textContent).toBe('Close');

  await userEvent.keyboard('{Enter}');

  expect(document.activeElement).toBe(button('Close'));
  await userEvent.keyboard('{Enter}');
  expect(messages).toEqual(['Closed: profit', 'No trade open']);
});

test('keeps an open trade’s symbol, and opens the next one with the picked symbol', async () => {
  const { show } = await shown();
  await priced('100');
  await userEvent.click(button('Buy'));

  show('Gold');
  expect(screen.getByText('BTC live price')).toBeDefined();
  await priced('101');
  await userEvent.click(button('Close'));
  await act(() => world.advance(0));
  expect(screen.getByText('Gold live price')).toBeDefined();
  await priced('2400', 'GC1!');
  await userEvent.click(button('Sell'));
  await userEvent.click(button('Close'));
  await userEvent.click(await screen.findByRole('button', { name: 'Show trades (2)' }));

  const list = within(await screen.findByRole('table', { name: 'Closed paper trades, newest first' }));
  expect(list.getAllByRole('rowheader').map(({ textContent }) => textContent)).toEqual(['Gold short', 'BTC long']);
});

test('dims a stale price with its age and opens nothing', async () => {
  await shown();
  await priced('100');
  await act(() => world.advance(8000));
  await wait(400);

  expect(screen.getByText('stale · 8 s')).toBeDefined();
  expect(screen.getByText('100.00')).toBeDefined();
  await userEvent.click(button('Buy'));

  expect(messages).toEqual(['No live price yet']);
});

/** A price from candles, as our relay tells it, and whether it is confirmed. */
async function pricedFromCandles(change: object, isConfirmed = true): Promise<void> {
  const origin = { source: 'Databento', delay_s: 900, is_open: true, trade_id: 0, time: '2026-01-02T20:59:00Z' };
  world.connection().receive(ticker('MSFT', '410', { open_24h: '400', ...origin, ...change }));
  if (isConfirmed) world.connection().receive({ ...heartbeat('MSFT'), last_trade_id: 0 });
  await wait(130);
}

test.each([
  ['simulated', ['simulated', 'streaming'], 'live'],
  ['live', ['live'], 'simulated'],
] as const)('labels a %s market as %j and never as %s', async (kind, labels, never) => {
  await shown('BTC', kind);
  await priced('100');

  for (const label of labels) expect(await screen.findByText(label)).toBeDefined();
  expect(screen.queryByText(never)).toBeNull();
});

test('shows the last price of a closed market with its time, whatever heartbeats report, and opens nothing', async () => {
  toggleUtc();
  await shown('MSFT', 'live');
  await pricedFromCandles({ is_open: false });

  expect(screen.getByText('market closed')).toBeDefined();
  expect(screen.getByText('MSFT last price')).toBeDefined();
  expect(screen.getByText('410.00').className).toContain('old-figures');
  expect(screen.getByText(/^Databento · price of 2 Jan( \d{4})?, \d\d:\d\d$/)).toBeDefined();
  await userEvent.click(button('Buy'));

  expect(messages).toEqual(['No live price yet']);
});

test('marks a delayed price beside its source and at the trade', async () => {
  await shown('MSFT', 'live');
  await pricedFromCandles({});

  expect(screen.getByText('delayed 15 min')).toBeDefined();
  expect(screen.getByText('Databento')).toBeDefined();
  expect(screen.getByText(/Prices are delayed 15 min\.$/)).toBeDefined();
  expect(screen.queryByText('live')).toBeNull();
  await userEvent.click(button('Buy'));

  expect(screen.getByText('Prices').nextSibling?.textContent).toBe('delayed 15 min');
  expect(messages).toEqual([]);
});

test('dims an old price from candles that nothing confirms, with its time, and opens nothing', async () => {
  toggleUtc();
  await shown('MSFT', 'live');
  await pricedFromCandles({}, false);
  expect(screen.getByText('waiting')).toBeDefined();

  await act(() => world.advance(5001));
  await wait(400);
  expect(screen.getByText('stale')).toBeDefined();
  expect(screen.getByText(/price of 2 Jan/)).toBeDefined();
  await userEvent.click(button('Sell'));

  expect(messages).toEqual(['No live price yet']);
});

test('reports a lost stream in full where no order book reports it, and shows an unknown change as a dash', async () => {
  const { show } = await shown('MSFT', 'live');
  await pricedFromCandles({});
  expect(screen.getByText('▲ +2.50%')).toBeDefined();

  world.connection().break();
  await wait(400);

  expect(screen.getByText('Live price stream error — retrying').getAttribute('role')).toBe('status');
  expect(screen.getByText('24 h').previousElementSibling?.textContent).toBe('–');
  show('BTC');
  expect(await screen.findByText('retrying')).toBeDefined();
  expect(screen.queryByText('Live price stream error — retrying')).toBeNull();
});

test('announces only a trade that held its sixty seconds', async () => {
  await shown();
  await priced('100');
  fireEvent.click(button('Buy'));
  fireEvent.click(button('Close'));
  expect(screen.queryByText(/^Trade closed/)).toBeNull();

  fireEvent.click(button('Buy'));
  await act(() => world.advance(60_000));
  await priced('99.58');
  await wait(60_000);
  await act(() => world.advance(0));

  expect(screen.getByText('Trade closed after 60 seconds with a loss of 0.42')).toBeDefined();
  expect(messages).toEqual(['Closed: profit']);
});
