import { act, render, screen, waitFor } from '@testing-library/react';
import { useState } from 'react';
import { beforeEach, expect, test } from 'vitest';
import { DEFAULT_SYMBOL, type MarketSymbol, symbolOfLabel } from '#domain/market/symbols.ts';
import { aTrade } from '#domain/paper-trading/testing/a-trade.ts';
import { CandleChart } from '../../../charts/candles/candle-chart.tsx';
import { createCandleFeed } from '../../../charts/candles/candle-feed.ts';
import { createPriceScale } from '../../../charts/overlays/price-scale.ts';
import { type ChartTrades, useReportedTrades } from '../../../site/chart-trades.ts';
import { toggleUtc } from '../../../ui/browser/time-zone.ts';
import { createTradeMarks, together } from './trade-marks.ts';
import { useTradeMarks } from './use-trade-marks.ts';

const START_S = Date.UTC(2026, 0, 5, 12) / 1000;
const FEED = createCandleFeed({
  candles: Array.from({ length: 60 }, (_, i) => ({ time: START_S + i * 60, open: 1, high: 1, low: 1, close: 1 })),
  joinS: null,
  band: null,
});

beforeEach(toggleUtc);

interface ChartProps {
  trades: ChartTrades;
  symbol?: MarketSymbol;
  isSample?: boolean;
}

/** A chart, and the panel that reports the trades. */
function Chart({ trades, symbol = DEFAULT_SYMBOL, isSample = false }: ChartProps) {
  useReportedTrades('closed', trades.closed);
  useReportedTrades('open', trades.open);
  const [market] = useState({ symbol, timeframe: '1min' as const });
  const { guest, note } = useTradeMarks(market, isSample, null);
  return (
    <div data-testid="chart" data-marked={guest !== null}>
      <CandleChart feed={FEED} name="BTC" decimals={1} horizonBars={50} guest={guest} note={note} />
    </div>
  );
}

const text = () => screen.getByRole('img').getAttribute('aria-label');
const isMarked = () => screen.getByTestId('chart').dataset.marked === 'true';

test('marks the trades of the shown market, and describes the last one', async () => {
  render(
    <Chart trades={{ closed: [aTrade(2, { side: 'short' }), aTrade(1), aTrade(0, { sym: 'MSFT' })], open: null }} />,
  );

  await waitFor(() =>
    expect(text()).toMatch(/ 2 paper trades, the last a short from 1,000\.0 to 1,010\.0 at 12:02, a loss\.$/),
  );
  expect(isMarked()).toBe(true);
});

test('describes the open trade, and no trade from before the chart', async () => {
  const open = { sym: DEFAULT_SYMBOL.sym, side: 'long', entryPrice: 5, openedAt: START_S, running: () => 1 } as const;
  render(<Chart trades={{ closed: [aTrade(-5)], open }} />);

  await waitFor(() => expect(text()).toMatch(/ An open paper trade: a long from 5\.0\.$/));
  expect(text()).not.toContain('One paper trade');
});

test.each<[string, Partial<ChartProps>]>([
  ['without a trade', { trades: { closed: [], open: null } }],
  ['of another market', { symbol: symbolOfLabel('ETH') ?? DEFAULT_SYMBOL }],
  ['of samples, which no market had', { isSample: true }],
])('marks nothing on a chart %s', async (_what, change) => {
  render(<Chart trades={{ closed: [aTrade(1)], open: null }} {...change} />);
  await act(() => import('./trade-marks.ts'));

  expect(isMarked()).toBe(false);
  expect(text()).not.toContain('paper trade');
});

test('removes the text with the last trade, as at sign-out', async () => {
  const closed = [aTrade(1)];
  const { rerender } = render(<Chart trades={{ closed, open: null }} />);
  await waitFor(() => expect(text()).toContain('One paper trade: a long from 1,000.0 to 1,010.0'));

  rerender(<Chart trades={{ closed: [], open: null }} />);

  await waitFor(() => expect(text()).not.toContain('paper trade'));
});

test('leaves the tags of chances on the axis beside its marks', () => {
  const scale = createPriceScale();
  scale.showTags([{ price: 120, text: '120', textColour: '#000', colour: '#fff' }]);

  const both = together(createTradeMarks().guest, scale.guest);

  expect(both.priceAxisViews?.().map((view) => view.text())).toEqual(['120']);
  expect(both.taggedPrices?.()).toEqual([120]);
});
