import { expect, test } from 'vitest';
import { FALLBACK_ITEMS, tickerLabels } from './ticker-labels.ts';

const item = { symbol: 'BTC', price: 100_478.2, changePercent24h: -0.67, volume24h: 218_123_546_633 };

test('formats figures and text of a symbol', () => {
  expect(tickerLabels(item)).toEqual({
    symbol: 'BTC',
    price: '100,478',
    change: '−0.67%',
    direction: 'down',
    volume: '218.12B',
    spoken: 'BTC: 100,478 US dollars, down 0.67% in 24 hours, volume 218.12B US dollars',
  });
});

test.each([
  [2.345, '+2.35%', 'up', 'up 2.35% in 24 hours'],
  [0.001, '0.00%', null, 'unchanged in 24 hours'],
  [-0.001, '0.00%', null, 'unchanged in 24 hours'],
  [null, '-', null, '24-hour change unavailable'],
])('formats a change of %s', (changePercent24h, change, direction, spoken) => {
  const labels = tickerLabels({ ...item, changePercent24h });

  expect([labels.change, labels.direction]).toEqual([change, direction]);
  expect(labels.spoken).toContain(spoken);
});

test.each([
  [4811.27, '4,811'],
  [160.259, '160.26'],
  [0.19, '0.1900'],
  [0.0123, '0.01230'],
  [0.001_234_6, '0.001235'],
  [0.000_007_902, '0.0₅7902'],
  [2.0476e-8, '0.0₇2048'],
  [4e-10, '0.0₉4000'],
])('formats a price of %d as %s', (price, shown) => {
  expect(tickerLabels({ ...item, price }).price).toBe(shown);
});

test('shows placeholders as unknown', () => {
  expect(FALLBACK_ITEMS.map(({ symbol }) => symbol).join(' ')).toBe('BTC ETH ADA SOL MATIC AVAX LINK DOT ATOM NEAR');
  const bitcoin = FALLBACK_ITEMS.find(({ symbol }) => symbol === 'BTC') ?? expect.fail('no placeholder of BTC');

  expect(tickerLabels(bitcoin)).toEqual({
    symbol: 'BTC',
    price: '-',
    change: '-',
    direction: null,
    volume: '-',
    spoken: 'BTC: price unavailable, 24-hour change unavailable, volume unavailable',
  });
});
