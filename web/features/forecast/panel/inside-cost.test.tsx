import { act, render } from '@testing-library/react';
import { afterEach, expect, test } from 'vitest';
import type { Candle } from '#domain/market/candle.ts';
import { DEFAULT_SYMBOL, type MarketSymbol, SYMBOLS } from '#domain/market/symbols.ts';
import { type CandleFeed, createCandleFeed } from '../../../charts/candles/candle-feed.ts';
import { publishBookSpread } from '../../../site/book-spread.ts';
import { InsideCost } from './live-panel.tsx';

const BOOK = DEFAULT_SYMBOL.bookProductId ?? '';
const JOIN_S = 600;

afterEach(() => act(() => publishBookSpread(BOOK, null)));

function aCandle(time: number, close: number): Candle {
  return { time, open: close, high: close, low: close, close };
}

/** Ten real candles at 100 and 49 drawn ones; the 50th closes `moveBp` higher once `finish` is called. */
function aForecast(moveBp: number, ampPercent = 100): { feed: CandleFeed; finish(): void } {
  const candles = Array.from({ length: 59 }, (_, i) => aCandle(60 * (i + 1), 100));
  const feed = createCandleFeed({ candles, joinS: JOIN_S, band: null, ampPercent });
  const last = aCandle(JOIN_S + 3000, 100 * Math.exp(moveBp / 10_000));
  return { feed, finish: () => act(() => feed.append(last)) };
}

const statusText = (): string => document.querySelector('p')?.textContent ?? '';

function show(moveBp: number, symbol: MarketSymbol = DEFAULT_SYMBOL, ampPercent = 100): void {
  const { feed, finish } = aForecast(moveBp, ampPercent);
  render(<InsideCost feed={feed} symbol={symbol} />);
  expect(statusText()).toBe('');
  finish();
}

test('reports a small move with its last candle and not before, with what is assumed', () => {
  show(4);

  expect(statusText()).toMatch(/^The predicted move \(4 bp\) is smaller than trading costs \(about 10 bp\)\./);
  expect(statusText()).toContain('Assumes a fee of 5 bp per side and a spread of 0.2 bp');
});

test('reports nothing of a larger one', () => {
  show(11);

  expect(statusText()).toBe('');
});

test('counts the spread of the order book beside it, and no other book’s', () => {
  show(11);
  act(() => publishBookSpread('ETH-USD', 9));
  expect(statusText()).toBe('');

  act(() => publishBookSpread(BOOK, 3));
  expect(statusText()).toContain('The predicted move (11 bp) is smaller than trading costs (about 13 bp)');
  expect(statusText()).toContain('the order book’s spread of 3.00 bp');

  act(() => publishBookSpread(BOOK, Number.NaN));
  expect(statusText()).toContain('3.00 bp');
  act(() => publishBookSpread(BOOK, null));
  expect(statusText()).toBe('');
});

test('counts the table’s spread where there is no book', () => {
  const gold = SYMBOLS.find(({ label }) => label === 'Gold') ?? DEFAULT_SYMBOL;
  show(0.3, gold);

  expect(statusText()).toContain('about 0.6 bp');
});

test('does not take an amplified picture as a move that a model draws', () => {
  show(4, DEFAULT_SYMBOL, 300);

  expect(statusText()).toBe('');
});
