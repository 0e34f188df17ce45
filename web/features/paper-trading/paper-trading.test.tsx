import { act, render, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test, vi } from 'vitest';
import { type MarketSymbol, symbolOfLabel } from '#domain/market/symbols.ts';
import { type FakeLive, fakeLive, heartbeat, ticker } from '../../platform/testing/fake-live.ts';

vi.mock('../../platform/live-feed.ts', () => ({ liveFeed: vi.fn(), liveNowMs: vi.fn() }));

let world: FakeLive;
const told: string[] = [];

beforeEach(() => {
  // The desk lives as long as the tab: each test has a tab of its own.
  vi.resetModules();
  world = fakeLive();
  told.length = 0;
});

const symbol = (label: string): MarketSymbol => symbolOfLabel(label) ?? expect.fail(label);
const button = (name: string) => screen.getByRole('button', { name });
const buttons = () =>
  within(screen.getByRole('group', { name: 'Trade' }))
    .getAllByRole('button')
    .map((element) => element.textContent);

async function shown(label = 'BTC') {
  const feed = await import('../../platform/live-feed.ts');
  vi.mocked(feed.liveFeed).mockReturnValue(world.live);
  vi.mocked(feed.liveNowMs).mockImplementation(() => world.nowMs());
  const toasts = (await import('../../ui/toast.ts')).toast;
  for (const tone of ['success', 'error', 'show'] as const)
    vi.spyOn(toasts, tone).mockImplementation((text: string) => {
      told.push(text);
      return '';
    });
  const { PaperTrading } = await import('./paper-trading.tsx');
  const view = render(<PaperTrading symbol={symbol(label)} />);
  await act(async () => world.connection().accept());
  await act(() => world.advance(0));
  return { ...view, show: (other: string) => view.rerender(<PaperTrading symbol={symbol(other)} />) };
}

/** A trade at this price, and the page's next drawing. */
async function priced(price: string, productId = 'BTC-USD'): Promise<void> {
  world.connection().say(ticker(productId, price, { open_24h: '90' }), heartbeat(productId));
  await act(() => new Promise((resolve) => setTimeout(resolve, 130)));
}

test('a bought trade runs, is closed by the opposite button, and stands in the list', async () => {
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

  expect(told).toEqual(['Trade already open', 'Closed: profit']);
  expect(buttons()).toEqual(['Buy', 'Sell', 'Close']);
  await userEvent.click(button('Show trades (1)'));
  expect(screen.getByRole('row', { name: /BTC long 100.00 112.50 0 s ▲ \+12.50/ })).toBeDefined();
  await userEvent.click(button('Hide trades (1)'));
  expect(screen.queryByRole('table')).toBeNull();
});

test('a sold trade that rises is a loss, with a sign and an arrow', async () => {
  await shown();
  await priced('100');
  await userEvent.click(button('Sell'));
  expect(buttons()).toEqual(['Close', 'Sell']);

  await priced('101');
  expect(screen.getByText('▼ \u22121.00').dataset.sign).toBe('down');
  await userEvent.click(button('Close'));

  expect(told).toEqual(['Closed: loss']);
});

test('what cannot be done is said', async () => {
  await shown();

  await userEvent.click(button('Buy'));
  await userEvent.click(button('Close'));
  await userEvent.click(button('Show trades (0)'));

  expect(told).toEqual(['No live price yet', 'No trade open']);
  expect(screen.getByText('No trades yet')).toBeDefined();
});

test('a double click on Close opens no trade where the button of another one comes back', async () => {
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

test('the focus stays on Close when its place changes', async () => {
  await shown();
  await priced('100');
  button('Buy').focus();
  await userEvent.keyboard('{Enter}');
  await userEvent.tab();
  expect(document.activeElement?.textContent).toBe('Close');

  await userEvent.keyboard('{Enter}');

  expect(document.activeElement).toBe(button('Close'));
  await userEvent.keyboard('{Enter}');
  expect(told).toEqual(['Closed: profit', 'No trade open']);
});

test('an open trade keeps its symbol; the next one is of the one that was picked', async () => {
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
  await userEvent.click(button('Show trades (2)'));

  expect(screen.getAllByRole('rowheader').map(({ textContent }) => textContent)).toEqual(['Gold short', 'BTC long']);
});

test('a stale price is dimmed with its age and opens nothing', async () => {
  await shown();
  await priced('100');
  await act(() => world.advance(8000));
  await act(() => new Promise((resolve) => setTimeout(resolve, 400)));

  expect(screen.getByText('stale · 8 s')).toBeDefined();
  expect(screen.getByText('100.00')).toBeDefined();
  await userEvent.click(button('Buy'));

  expect(told).toEqual(['No live price yet']);
});
