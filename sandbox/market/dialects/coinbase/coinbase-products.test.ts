import * as fc from 'fast-check';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Candle } from '#domain/market/candle.ts';
import { decimalText } from '#domain/market/codecs/decimal-text.ts';
import { openFaults } from '../../../faults/faults.ts';
import { openSources } from '../../market-sources.ts';
import { marketTime } from '../../market-time.ts';
import { openSandboxProducts } from '../../products/open-products.ts';
import type { Trade } from '../../simulation/ticks.ts';
import { openCoinbaseProducts } from './coinbase-products.ts';

const START_MS = Date.parse('2025-11-12T15:00:20Z');
const MINUTE_MS = 60_000;

beforeEach(() => {
  vi.useFakeTimers({ now: START_MS });
});
afterEach(() => {
  vi.useRealTimers();
});

interface Run {
  seed: string;
  productId: string;
  /** Market time passes so many times as fast. */
  speed: number;
  isWatched: boolean;
  /** Whole minutes of market time. */
  minutes: number;
}

/** What a reader hears of a product's trades while market time passes, and the candles of the whole minutes in it. */
async function trade({
  seed,
  productId,
  speed,
  isWatched,
  minutes,
}: Run): Promise<{ trades: Trade[]; candles: Candle[]; bookChanges: number }> {
  vi.setSystemTime(START_MS);
  const clock = marketTime({ nowMs: () => Date.now() }, speed);
  const listing = await openSources({ dataDir: null, seed, speed, nowMs: START_MS, startMs: null, log: () => {} });
  const trades: Trade[] = [];
  let bookChanges = 0;
  const products = openCoinbaseProducts(
    {
      listing,
      products: openSandboxProducts({ seed, clock }),
      clock,
      faults: openFaults(),
      seed,
      speed,
      lagS: 0,
      isWatched: () => isWatched,
    },
    {
      hasReaders: (id) => id === productId,
      onChanges() {
        bookChanges += 1;
      },
      onTrade: (_product, { last }) => trades.push(last),
      onSecond() {},
    },
  );
  // As a reader is greeted when it subscribes.
  products.find(productId)?.state();
  // The rest of the running minute, and one turn more than the last whole one needs.
  vi.advanceTimersByTime(((minutes + 1) * MINUTE_MS) / speed + 1050);
  products.close();

  const source = listing.find(({ symbol }) => symbol.bookProductId === productId)?.source;
  const firstS = Math.ceil(START_MS / MINUTE_MS) * 60;
  const candles = Array.from(
    { length: minutes },
    (_, i) => source?.candleAt(firstS + i * 60) ?? expect.fail('no candle'),
  );
  return { trades, candles, bookChanges };
}

/** The candle that trades make; the sum of sizes is one of whole units of a hundred-millionth. */
function candleOf(trades: readonly Trade[], time: number): Candle & { volumeUnits: bigint } {
  const own = trades.filter(({ timeMs }) => Math.floor(timeMs / MINUTE_MS) * 60 === time);
  const prices = own.map(({ price }) => price);
  const [open = Number.NaN, close = Number.NaN] = [prices[0], prices.at(-1)];
  const volumeUnits = own.reduce((sum, { size }) => sum + unitsOf(size), 0n);
  return { time, open, high: Math.max(...prices), low: Math.min(...prices), close, volumeUnits };
}

function unitsOf(size: number): bigint {
  const [whole = '', fraction = ''] = decimalText(size).split('.');
  return BigInt(whole + fraction.padEnd(8, '0'));
}

function expectToAddUp({ trades, candles }: { trades: readonly Trade[]; candles: readonly Candle[] }): void {
  const expected = candles.map(({ volume = 0, ...candle }) => ({ ...candle, volumeUnits: unitsOf(volume) }));
  expect(candles.map(({ time }) => candleOf(trades, time))).toEqual(expected);
  expect(trades.every(({ id }, i) => i === 0 || id > (trades[i - 1]?.id ?? 0))).toBe(true);
}

test.each([
  [1, 2],
  [60, 120],
])('sums at %i times the speed the trades of each of %i minutes to its candle', async (speed, minutes) => {
  expectToAddUp(await trade({ seed: 'speed', productId: 'BTC-USD', speed, isWatched: true, minutes }));
});

test('sends at most 400 trades and one book a second at 3,600 times the speed, and every batch at 60 times', async () => {
  const fast = await trade({ seed: 'fast', productId: 'BTC-USD', speed: 3600, isWatched: true, minutes: 600 });
  const slow = await trade({ seed: 'fast', productId: 'BTC-USD', speed: 60, isWatched: true, minutes: 10 });

  expectToAddUp(fast);
  // 601 minutes of 3,600 times the speed, and the second that the last batch may take.
  const fastS = (601 * 60) / 3600 + 1;
  expect(fast.trades.length).toBeLessThan(400 * fastS);
  expect(fast.bookChanges).toBeLessThanOrEqual(fastS + 1);
  expect(slow.bookChanges).toBeGreaterThan(150);
});

test('sums trades to their candles at any speed, watched or not, and repeats every byte for the same seed', async () => {
  const run = fc.record({
    seed: fc.string({ maxLength: 8 }),
    productId: fc.constantFrom('BTC-USD', 'ETH-USD', 'SOL-USD', 'DOGE-USD'),
    speed: fc.double({ min: 20, max: 3600, noNaN: true }),
    isWatched: fc.boolean(),
    minutes: fc.integer({ min: 1, max: 10 }),
  });
  await fc.assert(
    fc.asyncProperty(run, async (market) => {
      const first = await trade(market);
      const second = await trade({ ...market, isWatched: !market.isWatched });

      expectToAddUp(first);
      const bytes = ({ trades, candles }: typeof first) =>
        candles.map(({ time }) =>
          JSON.stringify(trades.filter(({ timeMs }) => Math.floor(timeMs / MINUTE_MS) * 60 === time)),
        );
      expect(bytes(second)).toEqual(bytes(first));
    }),
    { numRuns: 10 },
  );
});
