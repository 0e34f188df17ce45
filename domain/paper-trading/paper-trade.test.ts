import fc from 'fast-check';
import { expect, test } from 'vitest';
import { MOST_TRADES, mergeTrades, type PaperTrade, paperTradeSchema, tradePnl } from './paper-trade.ts';
import { aTrade } from './testing/a-trade.ts';
import { heldS } from './trade-rules.ts';

test('reads a trade, also one that ended without a price', () => {
  for (const trade of [aTrade(1), aTrade(1, { exitPrice: null })]) expect(paperTradeSchema.parse(trade)).toEqual(trade);
});

test.each([
  ['an id that is no 32 digits', { id: '1' }],
  ['a price of 0', { entryPrice: 0 }],
  ['a price that is no number', { exitPrice: Number.NaN }],
  ['a third side', { side: 'both' }],
  ['an unknown kind of market', { marketKind: 'dream' }],
  ['a symbol in lower case', { sym: 'btc' }],
  ['an end before its start', { closedAt: aTrade(0).openedAt }],
  ['more than its minute', { closedAt: aTrade(1).openedAt + 61_001 }],
  ['a time before the product existed', { openedAt: 0, closedAt: 0 }],
])('refuses %s', (_what, change) => {
  expect(paperTradeSchema.safeParse({ ...aTrade(1), ...change }).success).toBe(false);
});

test('computes result and duration, and no result without an exit', () => {
  expect([tradePnl(aTrade(1)), heldS(aTrade(1))]).toEqual([10, 30]);
  expect(tradePnl(aTrade(1, { side: 'short' }))).toBe(-10);
  expect(Object.is(tradePnl(aTrade(1, { side: 'short', exitPrice: 1000 })), 0)).toBe(true);
  expect(tradePnl(aTrade(1, { exitPrice: null }))).toBeNull();
});

const lists = fc.array(
  fc.array(
    fc.nat({ max: 700 }).map((n) => aTrade(n)),
    { maxLength: 400, size: 'max' },
  ),
  { maxLength: 4 },
);
const keys = (trades: readonly PaperTrade[]) => trades.map(({ id }) => id);

test('merges lists without losing a trade or listing one twice, newest first, in whatever order they come', () => {
  fc.assert(
    fc.property(lists, (several) => {
      const merged = mergeTrades(...several);

      const newest = [...new Set(keys(several.flat()))].sort().toReversed();
      expect(keys(merged)).toEqual(newest.slice(0, MOST_TRADES));
      expect(mergeTrades(...several.toReversed())).toEqual(merged);
      expect(mergeTrades(merged, ...several)).toEqual(merged);
    }),
  );
});

test('takes the first of two trades with one id', () => {
  expect(mergeTrades([aTrade(1)], [aTrade(1, { exitPrice: 5 })])).toEqual([aTrade(1)]);
});
