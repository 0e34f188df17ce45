import { expect, test } from 'vitest';
import {
  inOrder,
  MOST_WATCHED,
  movedTo,
  pairKey,
  pairOfKey,
  type WatchedPair,
  watchlistSchema,
  withoutPairs,
  withPairs,
} from './watchlist.ts';

const pair = (key: string): WatchedPair => {
  const known = pairOfKey(key);
  if (known === null) throw new Error(`${key} is no pair`);
  return known;
};
const list = (...keys: string[]) => keys.map(pair);
const keysOf = (pairs: readonly WatchedPair[]) => pairs.map(pairKey);
const BTC = 'BTCUSDT.P:1min';
const BTC_5 = 'BTCUSDT.P:5min';
const GOLD = 'GC1!:15min';

test.each(['', 'BTC', 'BTC:', ':5min', 'BTC:2min', 'btc:5min', 'A:B:5min', `${'A'.repeat(21)}:5min`])(
  'reads no pair from %j',
  (text) => {
    expect(pairOfKey(text)).toBeNull();
  },
);

test('adds each pair once, at the end, in its order', () => {
  expect(keysOf(withPairs(list(BTC), list(GOLD, BTC, BTC_5, GOLD)))).toEqual([BTC, GOLD, BTC_5]);
});

test('adds the first pairs that fit, and drops none that was there', () => {
  const full = Array.from({ length: MOST_WATCHED - 1 }, (_, i) => pair(`C${i}:1min`));

  const added = withPairs(full, list(BTC, GOLD));

  expect(keysOf(added)).toEqual([...keysOf(full), BTC]);
  expect(watchlistSchema.safeParse(added).success).toBe(true);
  expect(watchlistSchema.safeParse([...added, pair(GOLD)]).success).toBe(false);
});

test('orders the named pairs first and adds none', () => {
  expect(keysOf(inOrder(list(BTC, BTC_5, GOLD), list(GOLD, 'MSFT:1min', GOLD)))).toEqual([GOLD, BTC, BTC_5]);
});

test.each([
  [-1, [GOLD, BTC, BTC_5]],
  [1, [BTC, GOLD, BTC_5]],
  [9, [BTC, BTC_5, GOLD]],
])('moves a pair to place %d', (to, expected) => {
  expect(keysOf(movedTo(list(BTC, BTC_5, GOLD), pair(GOLD), to))).toEqual(expected);
});

test('moves and removes nothing that is not listed', () => {
  expect(keysOf(movedTo(list(BTC), pair(GOLD), 0))).toEqual([BTC]);
  expect(keysOf(withoutPairs(list(BTC, GOLD), list(GOLD, BTC_5)))).toEqual([BTC]);
});
