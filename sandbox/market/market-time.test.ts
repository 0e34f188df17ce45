import * as fc from 'fast-check';
import { expect, test, vi } from 'vitest';
import type { Candle } from '#domain/market/candle.ts';
import { symbolNamed } from '#domain/market/testing/symbol-named.ts';
import type { SandboxMarketSource } from './market-source.ts';
import type { ListedSymbol } from './market-sources.ts';
import { lastTradeAt, marketTime, openCandleAt } from './market-time.ts';
import { dayFiguresAt } from './simulation/day-figures.ts';
import { ticksOf, tradesOfCandle } from './simulation/ticks.ts';

const NOON_S = Date.parse('2025-11-12T15:00:00Z') / 1000;
const MINUTE_S = 60;

const aCandle = (time: number): Candle => {
  const open = 100 + ((time / MINUTE_S) % 7) / 10;
  return { time, open, high: open + 2, low: open - 1.5, close: open + 0.5, volume: 3.25 };
};

test('runs fast from its start, or from a given moment, so that a second start continues it', () => {
  let nowMs = 1000;
  const clock = { nowMs: () => nowMs };
  const fromStart = marketTime(clock, 20);
  const first = marketTime(clock, 20, 0);
  nowMs = 4000;
  const second = marketTime(clock, 20, 0);

  expect(fromStart.nowMs()).toBe(61_000);
  expect([first.nowMs(), second.nowMs()]).toEqual([80_000, 80_000]);
});

/** A market with candles only at these times. */
function listedWith(hasCandle: (timeS: number) => boolean): ListedSymbol {
  const source: SandboxMarketSource = {
    kind: 'replayed',
    firstS: 0,
    candleAt: (timeS) => (hasCandle(timeS) ? aCandle(timeS) : null),
    sourceTimeOf: () => null,
  };
  const symbol = symbolNamed('BTC');
  return { symbol, productId: 'BTCUSDT', source, ticks: ticksOf(symbol, source, 's') };
}

test('shows the last trade before a market closed, up to ten days back', () => {
  const lastS = NOON_S - 3 * 86_400;
  const listed = listedWith((timeS) => timeS <= lastS);

  const trade = lastTradeAt(listed, NOON_S * 1000);

  expect(trade).toEqual(listed.ticks.tradesOf(lastS).at(-1));
  expect(trade?.price).toBe(aCandle(lastS).close);
  expect(lastTradeAt(listed, (lastS + 11 * 86_400) * 1000)).toBeNull();
});

test('sums a day’s figures from its candles, the running one as far as it has come', () => {
  const listed = listedWith((timeS) => timeS % 300 === 0);

  const whole = dayFiguresAt(listed, (NOON_S + 59) * 1000);
  const begun = dayFiguresAt(listed, NOON_S * 1000);

  expect(whole).toMatchObject({ high: 102.6, low: 98.5 });
  expect(whole?.volume).toBeGreaterThan(287 * 3.25);
  expect(whole?.volume).toBeLessThanOrEqual(288 * 3.25);
  expect(begun?.volume).toBeLessThan(whole?.volume ?? 0);
  expect(dayFiguresAt(listed, (NOON_S + 60) * 1000)?.volume).toBe(288 * 3.25);
  expect(
    dayFiguresAt(
      listedWith(() => false),
      NOON_S * 1000,
    ),
  ).toBeNull();
});

test('reads a day’s candles once a minute, and only the running one within it', () => {
  const listed = listedWith(() => true);
  const read = vi.spyOn(listed.source, 'candleAt');
  const readsOf = (nowS: number) => {
    read.mockClear();
    const figures = dayFiguresAt(listed, nowS * 1000);
    expect(figures).toEqual(
      dayFiguresAt(
        listedWith(() => true),
        nowS * 1000,
      ),
    );
    return read.mock.calls.length;
  };

  expect(readsOf(NOON_S)).toBeGreaterThan(1439);
  expect(readsOf(NOON_S + 59)).toBeLessThan(3);
  expect(readsOf(NOON_S + 60)).toBeGreaterThan(1439);
});

const whole = { time: 1_700_000_040, open: 100, high: 103.5, low: 98.2, close: 101.3, volume: 12.5 };
const trades = tradesOfCandle(whole, 0.1, 7);
const seenAt = (fraction: number) => openCandleAt(whole, trades, (whole.time + 60 * fraction) * 1000);

test('shows an open candle as its open alone at first, and as the whole candle at the end', () => {
  const first = trades[0]?.size ?? 0;

  expect(seenAt(0)).toEqual({ ...whole, high: 100, low: 100, close: 100, volume: first });
  expect(seenAt(-1)).toEqual({ ...whole, high: 100, low: 100, close: 100, volume: first });
  expect(seenAt(1)).toEqual(whole);
});

test('only widens an open candle as time passes, within the whole candle', () => {
  fc.assert(
    fc.property(fc.double({ min: 0, max: 1, noNaN: true }), fc.double({ min: 0, max: 1, noNaN: true }), (a, b) => {
      const early = seenAt(Math.min(a, b));
      const late = seenAt(Math.max(a, b));

      expect(late.high).toBeGreaterThanOrEqual(early.high);
      expect(late.low).toBeLessThanOrEqual(early.low);
      expect(late.volume).toBeGreaterThanOrEqual(early.volume ?? 0);
      expect(late.close).toBeGreaterThanOrEqual(late.low);
      expect(late.close).toBeLessThanOrEqual(late.high);
      expect(late.high).toBeLessThanOrEqual(whole.high);
      expect(late.low).toBeGreaterThanOrEqual(whole.low);
    }),
  );
});

test('adds no volume to an open candle without one', () => {
  const { volume: _volume, ...bare } = whole;

  expect(openCandleAt(bare, tradesOfCandle(bare, 0.1, 7), 1e15)).toEqual(bare);
});
