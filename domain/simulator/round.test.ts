import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Candle } from '../market/candle.ts';
import {
  advance,
  choose,
  heldPercent,
  isOver,
  PLAYED_BARS,
  ROUND_BARS,
  type Round,
  resultPercent,
  SHOWN_BARS,
  START_BALANCE,
  shownCandles,
  startRound,
  worthOf,
} from './round.ts';

/** Rises by one per cent of 100 with each candle. */
const CANDLES = Array.from({ length: 200 }, (_, i): Candle => {
  const close = 100 + i;
  return { time: 1_760_000_040 + 60 * i, open: close, high: close, low: close, close, volume: 1 };
});
/** Half of what a trade and its way back cost. */
const COST = 5.1 / 10_000;

function begin(random = 0): Round {
  const round = startRound(CANDLES, random);
  if (round === null) throw new Error('no round');
  return round;
}
const played = (round: Round, bars: number): Round => Array.from({ length: bars }).reduce<Round>(advance, round);

describe('a round of the trading game', () => {
  test('begins with ninety candles, and sixty more arrive one by one', () => {
    const round = begin();
    expect(shownCandles(round)).toEqual(CANDLES.slice(0, SHOWN_BARS));
    expect(shownCandles(advance(round))).toEqual(CANDLES.slice(1, SHOWN_BARS + 1));

    const last = played(round, PLAYED_BARS);
    expect(isOver(last)).toBe(true);
    expect(advance(last)).toEqual(last);
  });

  test('starts anywhere in the past candles, never across a missing minute', () => {
    expect(begin(0.999).candles[0]).toEqual(CANDLES[CANDLES.length - ROUND_BARS]);
    const gap = CANDLES.filter((_, i) => i !== 30);
    expect(startRound(gap, 0)?.candles[0]).toEqual(CANDLES[31]);
    expect(startRound(CANDLES.slice(0, ROUND_BARS - 1), 0)).toBeNull();
  });

  test('adds what the price moves while long, takes it while short, and charges both ways', () => {
    const entry = 100 + SHOWN_BARS - 1;
    const long = played(choose(begin(), 'long'), 10);
    expect(worthOf(long)).toBeCloseTo(START_BALANCE * (1 - COST) * (1 + 10 / entry), 6);
    expect(choose(long, null).balance).toBeCloseTo(worthOf(long) * (1 - COST), 6);

    const short = played(choose(begin(), 'short'), 10);
    expect(worthOf(short)).toBeCloseTo(START_BALANCE * (1 - COST) * (1 - 10 / entry), 6);
  });

  test('closes the open side with the last candle, like holding from the start', () => {
    const last = played(choose(begin(), 'long'), PLAYED_BARS);

    expect(last.side).toBeNull();
    expect(resultPercent(last)).toBeCloseTo(heldPercent(last), 9);
    expect(last.trades).toBe(1);
  });

  test('changes nothing when the side is open already, and never makes money out of trading alone', () => {
    const flat = CANDLES.map((candle) => ({ ...candle, open: 100, high: 100, low: 100, close: 100 }));
    fc.assert(
      fc.property(fc.array(fc.constantFrom('long', 'short', null), { maxLength: 40 }), (sides) => {
        let round = startRound(flat, 0) ?? begin();
        for (const side of sides) round = choose(choose(round, side), side);
        return worthOf(round) <= START_BALANCE && round.trades <= sides.filter((side) => side !== null).length;
      }),
    );
  });
});
