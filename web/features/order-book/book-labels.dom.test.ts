import { expect, test } from 'vitest';
import { cataloguedSymbol } from '#domain/market/catalogue/catalogued-symbol.ts';
import { bookLabels, describePace } from './book-labels.ts';
import { createBookPainter } from './book-painter.ts';

test('distinguishes the levels of a product with a tick below a hundred-millionth', () => {
  const sats = cataloguedSymbol({ label: 'SATS/USDT', exc: 'BINANCE', sym: 'SATSUSDT.P', tickSize: 1e-11 });
  const frame = { bids: [{ price: 1.7512e-7, size: 9e6 }], asks: [{ price: 1.7513e-7, size: 8e6 }] };
  const root = document.createElement('div');
  for (const row of ['bid-0', 'ask-0'])
    root.insertAdjacentHTML('beforeend', `<div data-row="${row}"><span></span><span></span><span></span></div>`);

  createBookPainter(root, sats)(frame);

  const shown = ['bid', 'ask'].map((side) => root.querySelector(`[data-side="${side}"] span`)?.textContent);
  expect(shown).toEqual(['0.0₆17512', '0.0₆17513']);
  expect(root.querySelector<HTMLElement>('[data-side="bid"]')?.dataset.price).toBe('0.00000017512');
  expect(bookLabels(frame, sats).summary).toBe('SATS/USDT: best bid 0.0₆17512, best ask 0.0₆17513, spread 0.0₁₀1.');
});

test.each([
  [1000, 'about once a second'],
  [900, 'about once a second'],
  [200, 'about 5 times a second'],
  [333, 'about 3 times a second'],
  [500, 'about 2 times a second'],
  [1500, 'about every 2 seconds'],
  [5000, 'about every 5 seconds'],
])('says how often a book is updated that is updated every %i ms at most', (everyMs, text) => {
  expect(describePace(everyMs)).toBe(`The site is busy: the order book updates ${text}.`);
});
