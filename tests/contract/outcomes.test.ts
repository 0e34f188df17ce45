/** The outcome of a forecast, from the server's own candle history on a sandbox market whose clock the test moves. */
import { afterEach, expect, test } from 'vitest';
import { type Candle, MINUTE_S } from '#domain/market/candle.ts';
import type { MarketSymbol } from '#domain/market/symbols.ts';
import { symbolNamed } from '#domain/market/testing/symbol-named.ts';
import { barSecondsOf, type Timeframe } from '#domain/market/timeframes.ts';
import { candlePast } from '../../server/market/candles/past-candles.ts';
import { createLogger } from '../../server/platform/telemetry/log.ts';
import type { DueOutcome, OutcomeStore, Resolution } from '../../server/record/outcome-store.ts';
import { resolveOutcomes } from '../../server/record/outcomes.ts';
import { type MarketStack, startMarketStack } from '../support/market/market-stack.ts';

const never = new AbortController().signal;
const BTC = symbolNamed('BTC');
const MINUTE_MS = 60_000;

const stacks: MarketStack[] = [];
afterEach(async () => {
  await Promise.all(stacks.splice(0).map((stack) => stack.close()));
});

async function open(options: Parameters<typeof startMarketStack>[0] = {}): Promise<MarketStack> {
  const stack = await startMarketStack(options);
  stacks.push(stack);
  return stack;
}

/** The prediction saved for a forecast made now: the last ten real candles, and a path that does not move. */
async function forecast(
  stack: MarketStack,
  symbol: MarketSymbol = BTC,
  timeframe: Timeframe = '1min',
): Promise<DueOutcome> {
  const { candles, marketKind } = await stack.history.latest(symbol, 450, never, timeframe);
  const barS = barSecondsOf(timeframe);
  const tail = candles.slice(-10);
  const { time: joinS, close } = tail.at(-1) ?? { time: 0, close: 0 };
  const path = Array.from({ length: 50 }, (_, i) => flat(joinS + (i + 1) * barS, close));
  return { predictionId: 'p1', sym: symbol.sym, marketKind, timeframe, joinS, candles: [...tail, ...path] };
}

const flat = (time: number, close: number): Candle => ({ time, open: close, high: close, low: close, close });

async function resolve(stack: MarketStack, due: DueOutcome): Promise<Resolution | undefined> {
  const resolved: Resolution[] = [];
  const store: OutcomeStore = {
    due: async () => (resolved.length === 0 ? [due] : []),
    resolve: async (resolutions) => void resolved.push(...resolutions),
    await: async () => undefined,
  };
  const past = candlePast({ history: stack.history, store: null });
  await resolveOutcomes(store, { past, clocks: [stack.clock], log: createLogger('silent') }, never);
  return resolved[0];
}

test("takes the market's own candles as the outcome after 50 minutes, despite clock jumps", async () => {
  const stack = await open();
  const due = await forecast(stack);

  stack.clock.ms += 30 * MINUTE_MS;
  expect(await resolve(stack, due)).toMatchObject({ state: 'later' });
  stack.clock.ms += 21 * MINUTE_MS;
  const resolution = await resolve(stack, due);

  const market = await stack.venue.candles(BTC, 100, never);
  const expected = market.filter(({ time }) => time > due.joinS && time <= due.joinS + 50 * MINUTE_S);
  expect(expected).toHaveLength(50);
  expect(resolution).toMatchObject({ state: 'known', candles: expected });
});

test.each(['5min', '15min'] as const)('waits for 50 bars of %s, and takes them as the outcome', async (timeframe) => {
  const stack = await open();
  const due = await forecast(stack, BTC, timeframe);
  const barMs = barSecondsOf(timeframe) * 1000;

  stack.clock.ms = due.joinS * 1000 + 51 * barMs - 20_000;
  expect(await resolve(stack, due)).toMatchObject({ state: 'later' });
  stack.clock.ms += 40_000;
  const resolution = await resolve(stack, due);

  const market = await stack.venue.candles(BTC, 60, never, timeframe);
  const expected = market.filter(({ time }) => time > due.joinS && time * 1000 <= due.joinS * 1000 + 50 * barMs);
  expect(expected).toHaveLength(50);
  expect(resolution).toMatchObject({ state: 'known', candles: expected });
});

test("scores a share's forecast within the session, and voids one past its end", async () => {
  const MSFT = symbolNamed('MSFT');
  const stack = await open();
  const morning = await forecast(stack, MSFT);
  stack.clock.ms += 52 * MINUTE_MS;
  expect(await resolve(stack, morning)).toMatchObject({ state: 'known' });

  stack.clock.ms = Date.parse('2025-11-12T20:30:20Z');
  const evening = await forecast(stack, MSFT);
  stack.clock.ms += 52 * MINUTE_MS;
  expect(await resolve(stack, evening)).toEqual({ predictionId: 'p1', state: 'void', reason: 'market-closed' });
});
