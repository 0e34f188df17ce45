import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { MarketSymbol } from '#domain/market/symbols.ts';
import { symbolNamed } from '#domain/market/testing/symbol-named.ts';
import { AUTO_CLOSE_MS, heldS, pnlOf } from '#domain/paper-trading/trade-rules.ts';
import { createLivePrice } from './live-price.ts';
import { createPaperEngine, type PaperEngine } from './paper-engine.ts';
import type { ClosedTrade } from './paper-trade.ts';

const BTC = symbolNamed('BTC');
const ETH = symbolNamed('ETH');

/** A paper-trading engine over a price and a clock that the test moves; the feed is live while `isAlive`. */
function startEngine() {
  const price = createLivePrice();
  const messages: string[] = [];
  const tones: string[] = [];
  let nowMs = 1000;
  let isAlive = true;
  let watching = 0;
  let owner: string | null = null;
  let ids = 0;
  /** As they are stored, newest first. */
  const closed: ClosedTrade[] = [];
  let timers: { atMs: number; run: () => void }[] = [];
  const beat = () =>
    isAlive && price.take({ kind: 'heartbeat', productId: 'P', sequence: 1, lastTradeId: 1, time: '' }, nowMs);
  const engine = createPaperEngine({
    nowMs: () => nowMs,
    wallMs: () => 1_767_700_000_000 + nowMs,
    after(ms, run) {
      const timer = { atMs: nowMs + ms, run };
      timers.push(timer);
      return () => {
        timers = timers.filter((other) => other !== timer);
      };
    },
    watchPrice: () => {
      watching += 1;
      const stop = () => {
        watching -= 1;
      };
      return { price, stop };
    },
    showMessage: (tone, text) => [messages.push(text), tones.push(tone)],
    newId: () => String(ids++),
    owner: () => owner,
    store: (trade) => void closed.unshift(trade),
  });
  return {
    engine,
    closed,
    signIn: (user: string | null) => {
      owner = user;
    },
    messages,
    tones,
    watching: () => watching,
    setAlive: (alive: boolean) => {
      isAlive = alive;
      beat();
    },
    trade(value: number) {
      const none = { open24h: null, high24h: null, low24h: null, volume24h: null, lastSize: null, side: null } as const;
      const noBook = { bestBid: null, bestBidSize: null, bestAsk: null, bestAskSize: null } as const;
      const rest = { productId: 'P', sequence: 1, tradeId: 1, time: '' } as const;
      if (isAlive) price.take({ kind: 'ticker', price: value, ...none, ...noBook, ...rest }, nowMs);
    },
    /** @param lateMs  the timer fires so much later, as in a tab that slept */
    wait(ms: number, lateMs = 0) {
      for (let left = ms; left > 0; left -= 1000) {
        nowMs += Math.min(1000, left);
        const due = timers.filter(({ atMs }) => atMs + lateMs <= nowMs);
        timers = timers.filter((timer) => !due.includes(timer));
        for (const { run } of due) run();
        beat();
      }
    },
  };
}

const resultOf = (trade: ClosedTrade | undefined) =>
  trade && {
    exitPrice: trade.exitPrice,
    pnl: trade.exitPrice === null ? null : pnlOf(trade, trade.exitPrice),
    held: heldS(trade),
  };

test('opens nothing without a price, and closes nothing without a trade', () => {
  const { engine, messages, watching } = startEngine();

  engine.buy(BTC);
  engine.sell(BTC);
  engine.close();

  expect(messages).toEqual(['No live price yet', 'No live price yet', 'No trade open']);
  expect(engine.state()).toEqual({ open: null, last: null });
  expect(watching()).toBe(0);
});

test.each([
  ['a long earns when the price rises', 'buy', 110, 10, 'Closed: profit'],
  ['a long loses when it falls', 'buy', 95, -5, 'Closed: loss'],
  ['a short loses when it rises', 'sell', 110, -10, 'Closed: loss'],
  ['a short earns when it falls', 'sell', 95, 5, 'Closed: profit'],
  ['no move is no loss, and no success', 'sell', 100, 0, 'Closed: profit'],
] as const)('computes the profit of a trade: %s', (_what, side, exit, pnl, message) => {
  const { engine, closed, messages, tones, trade, wait, watching } = startEngine();
  trade(100);
  engine[side](BTC);
  wait(12_000);
  trade(exit);
  expect(engine.running()).toBe(pnl);

  engine.close();

  expect(messages).toEqual([message]);
  expect(tones).toEqual([pnl > 0 ? 'success' : 'plain']);
  expect(engine.state().open).toBeNull();
  expect(closed[0]).toMatchObject({ sym: BTC.sym, entryPrice: 100 });
  expect(resultOf(closed[0])).toEqual({ exitPrice: exit, pnl, held: 12 });
  expect(engine.state().last).toBe(closed[0]);
  expect(watching()).toBe(0);
});

test('closes by the opposite button, refuses the same one, and opens no second trade', () => {
  const { engine, closed, messages, trade } = startEngine();
  trade(100);
  engine.buy(BTC);

  engine.buy(ETH);
  expect(engine.state().open?.symbol).toBe(BTC);
  engine.sell(ETH);

  expect(messages).toEqual(['Trade already open', 'Closed: profit']);
  expect(engine.state().open).toBeNull();
  expect(closed).toHaveLength(1);
});

test('closes a trade automatically after sixty seconds, without a toast, and never again', () => {
  const { engine, closed, messages, trade, wait } = startEngine();
  trade(100);
  engine.sell(BTC);
  trade(90);

  wait(59_000);
  expect(engine.remainingMs()).toBe(1000);
  expect(engine.state().open).not.toBeNull();
  wait(1000);
  expect(resultOf(closed[0])).toEqual({ exitPrice: 90, pnl: 10, held: 60 });
  wait(120_000);

  expect(closed).toHaveLength(1);
  expect(messages).toEqual([]);
});

test('does not close the next trade by the timer of a closed one', () => {
  const { engine, trade, wait } = startEngine();
  trade(100);
  engine.buy(BTC);
  wait(50_000);
  engine.close();
  engine.buy(BTC);

  wait(15_000);

  expect(engine.state().open).not.toBeNull();
});

test('closes nothing by hand at a stale price, and does at a fresh one', () => {
  const { engine, closed, messages, trade, wait, setAlive } = startEngine();
  trade(100);
  engine.buy(BTC);
  setAlive(false);
  wait(10_000);
  expect(engine.running()).toBeNull();

  engine.close();
  expect(messages).toEqual(['No live price yet']);
  expect(engine.state().open).not.toBeNull();
  setAlive(true);
  trade(101);
  engine.close();

  expect(closed.map((one) => resultOf(one)?.pnl)).toEqual([1]);
});

test('ends a trade without a result when there is no live price at sixty seconds', () => {
  const { engine, closed, trade, wait, setAlive } = startEngine();
  trade(100);
  engine.buy(BTC);
  setAlive(false);

  wait(60_000);

  expect(engine.state().open).toBeNull();
  expect(resultOf(closed[0])).toEqual({ exitPrice: null, pnl: null, held: 60 });
});

test('counts the price of the sixtieth second for a timer that fires late, and a click before it', () => {
  for (const isClicked of [false, true]) {
    const { engine, closed, messages, trade, wait } = startEngine();
    trade(100);
    engine.buy(BTC);
    wait(58_000);
    trade(105);
    wait(3000, 10_000);
    trade(900);

    if (isClicked) engine.close();
    else wait(20_000, 5000);

    expect(resultOf(closed[0])).toEqual({ exitPrice: 105, pnl: 5, held: 60 });
    expect(messages).toEqual([]);
  }
});

test('closes an account’s trade when it signs out, and continues a visitor’s at sign-in', () => {
  const { engine, closed, messages, trade, signIn } = startEngine();
  trade(100);
  engine.buy(BTC);
  signIn('ada');
  engine.leave('ada');
  expect(engine.state().open).toMatchObject({ owner: null });
  engine.close();
  engine.buy(BTC);

  engine.leave('ada');
  expect(engine.state().open).toMatchObject({ owner: 'ada' });
  engine.leave(null);

  expect(engine.state().open).toBeNull();
  expect(closed.map(({ owner }) => owner)).toEqual(['ada', null]);
  expect(new Set(closed.map(({ id }) => id)).size).toBe(2);
  expect(messages).toEqual(['Closed: profit']);
});

/** The engine's allowed transitions, described independently of its code. */
test('holds the engine’s rules, whatever is clicked in whatever order', () => {
  const action = fc.oneof(
    fc.constantFrom('buy' as const, 'sell' as const, 'close' as const, 'die' as const, 'live' as const),
    fc.record({ price: fc.integer({ min: 1, max: 500 }) }),
    fc.record({ waitMs: fc.integer({ min: 100, max: 40_000 }) }),
  );
  fc.assert(
    fc.property(fc.array(action, { maxLength: 60 }), (actions) => {
      const world = startEngine();
      const { engine, messages } = world;
      for (const one of actions) {
        const before = engine.state();
        const countBefore = messages.length;
        const closedBefore = world.closed.length;
        if (typeof one === 'object') 'price' in one ? world.trade(one.price) : world.wait(one.waitMs);
        else if (one === 'die' || one === 'live') world.setAlive(one === 'live');
        else press(engine, one, BTC);
        const after = engine.state();

        const isPress = one === 'buy' || one === 'sell' || one === 'close';
        // Only a click shows a message, and each click shows one message or opens one trade.
        const opened = before.open === null && after.open !== null ? 1 : 0;
        const newMessages = messages.length - countBefore;
        if (!isPress) expect([newMessages, opened]).toEqual([0, 0]);
        else expect(newMessages + opened).toBe(1);
        // Trades only ever move from open to closed.
        const gained = world.closed.length - closedBefore;
        expect(gained).toBe(before.open !== null && after.open !== before.open ? 1 : 0);
        expect(world.watching()).toBe(after.open === null ? 0 : 1);
        for (const one of world.closed) expect(heldS(one)).toBeLessThanOrEqual(AUTO_CLOSE_MS / 1000);
      }
    }),
    { numRuns: 300 },
  );
});

function press(engine: PaperEngine, button: 'buy' | 'sell' | 'close', symbol: MarketSymbol): void {
  if (button === 'close') engine.close();
  else engine[button](symbol);
}
