import { act, render, screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import type { UsualRange } from '#domain/forecast/ranges/usual-range.ts';
import type { Candle } from '#domain/market/candle.ts';
import { symbolNamed } from '#domain/market/testing/symbol-named.ts';
import { createCandleFeed } from '../../../charts/candles/candle-feed.ts';
import { AnswerStrip } from './answer-strip.tsx';

const BTC = symbolNamed('BTC');
const T = 60 * 150;
const candle = (bar: number, close = 100): Candle => ({ time: T + 60 * bar, open: 100, high: 101, low: 99, close });
const bars = (from: number, to: number) => Array.from({ length: to - from }, (_, i) => candle(from + i));
const edge = (price: number) => Array.from({ length: 50 }, () => price);
const BAND = { lower80: edge(99.7), upper80: edge(100.3), lower95: edge(99), upper95: edge(101) };
const USUAL: UsualRange = {
  sym: BTC.sym,
  timeframe: '1min',
  t0: T,
  lastClose: 100,
  baseline: 'har-0',
  lower80: edge(99.8),
  upper80: edge(100.2),
};

function show() {
  const feed = createCandleFeed({ candles: bars(-149, 1), joinS: null, band: null });
  const { container } = render(<AnswerStrip feed={feed} symbol={BTC} timeframe="1min" />);
  const texts = () => [...container.querySelectorAll('p:not([role])')].map((each) => each.textContent);
  return { feed, texts, spoken: () => screen.getByRole('status').textContent };
}

test('shows the usual range while no forecast is on the chart, and only if it starts at the last close', () => {
  const { feed, texts } = show();
  expect(texts()).toEqual(['', '']);
  act(() => feed.setUsual(USUAL));
  expect(texts()).toEqual([
    '80% between −0.20 and +0.20% in 50 minutes',
    'usual range, from past volatility · no model',
  ]);
  const list = [{ atS: T + 600, kind: 'inflation', title: 'CPI m/m', name: 'US CPI' }];
  act(() => feed.setUsual({ ...USUAL, releases: { list, factor: 1.84, isComplete: true } }));
  expect(texts()[1]).toMatch(
    /^usual range, from past volatility · band 1\.8 times wider for US CPI at \d\d:\d\d · no model$/,
  );
  act(() => feed.close(bars(-148, 2), null));
  expect(texts()).toEqual(['', '']);
});

test('shows a forecast’s range, counts the closes inside as bars close, and turns into the result', () => {
  const { feed, texts } = show();
  act(() => feed.reset({ candles: bars(-149, 1), joinS: T, band: BAND }));
  expect(texts()).toEqual(['80% between −0.30 and +0.30% in 50 minutes', 'up to 2.9 times trading costs']);

  act(() => feed.close([candle(1), candle(2, 100.9)], null));
  expect(texts()[1]).toBe('up to 2.9 times trading costs · 1 of 2 so far inside');

  act(() => feed.close(bars(1, 61), null));
  expect(texts()).toEqual([
    'Closed at 0.00%, inside the 80% range',
    '50 of 50 closes inside · forecast between −0.30 and +0.30%',
  ]);
});

test('shows nothing of an amplified band, and of a chart without candles', () => {
  const { feed, texts } = show();
  act(() => feed.reset({ candles: bars(-149, 1), joinS: T, band: BAND, ampPercent: 300 }));
  expect(texts()).toEqual(['', '']);
  act(() => feed.reset({ candles: [], joinS: null, band: null }));
  expect(texts()).toEqual(['', '']);
});

test('announces a forecast’s start, its end and its result once each, and no close between', () => {
  const { feed, spoken } = show();
  act(() => feed.setUsual(USUAL));
  expect(spoken()).toBe('');

  act(() => feed.reset({ candles: bars(-149, 1), joinS: T, band: BAND }));
  expect(spoken()).toBe('The forecast has started. 80% between −0.30 and +0.30% in 50 minutes.');
  act(() => {
    for (const each of bars(1, 51)) feed.append(each);
  });
  const whole = 'The forecast is complete. 80% between −0.30 and +0.30% in 50 minutes.';
  expect(spoken()).toBe(whole);
  act(() => feed.close(bars(1, 50), null));
  expect(spoken()).toBe(whole);
  act(() => feed.close(bars(1, 51), null));
  expect(spoken()).toBe('The forecast’s time is over. Closed at 0.00%, inside the 80% range.');
});
