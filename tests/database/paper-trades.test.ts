/**
 * Whatever trades arrive in whatever calls, the database stores what the page's merge gives: the newest 500, each once.
 * Runs on both databases, whose locks differ.
 */
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { MARKET_KINDS } from '#domain/market/symbols.ts';
import {
  MOST_TRADES,
  MOST_TRADES_A_CALL,
  mergeTrades,
  type PaperTrade,
  tradePnl,
} from '#domain/paper-trading/paper-trade.ts';
import { AUTO_CLOSE_MS, heldS } from '#domain/paper-trading/trade-rules.ts';
import type { Database } from '../../server/platform/database/database.ts';
import { openTestDatabase } from '../support/database/database.ts';
import { createDatabaseUser, type TestUser } from '../support/database/database-users.ts';
import { describeEachDatabase } from '../support/database/each-database.ts';
import { isNight, sampleSize } from '../support/run/test-size.ts';

/** By day every run uses the same trades. */
const SEED = 20_261_130;
const START_MS = Date.UTC(2026, 0, 5);

/** So few trades that calls meet. */
const TRADES = 40;

const content = fc.record({
  side: fc.constantFrom('long' as const, 'short' as const),
  marketKind: fc.constantFrom(...MARKET_KINDS),
  entryPrice: fc.double({ min: 1e-9, max: 1e9, noNaN: true }),
  exitPrice: fc.option(fc.double({ min: 1e-9, max: 1e9, noNaN: true })),
  heldMs: fc.nat({ max: AUTO_CLOSE_MS }),
});
const trades = fc
  .array(content, { minLength: TRADES, maxLength: TRADES })
  .map((contents) => contents.map(({ heldMs, ...rest }, n) => aTrade(n, heldMs, rest)));
const calls = fc.array(fc.array(fc.nat({ max: TRADES - 1 }), { maxLength: 8 }), { minLength: 1, maxLength: 6 });

function aTrade(n: number, heldMs: number, change: Partial<PaperTrade> = {}): PaperTrade {
  const openedAt = START_MS + n * 120_000;
  return {
    id: n.toString(16).padStart(32, '0'),
    marketKind: 'simulated',
    sym: 'BTCUSDT.P',
    side: 'long',
    entryPrice: 100,
    exitPrice: 101,
    openedAt,
    closedAt: openedAt + heldMs,
    ...change,
  };
}

const rowOf = (one: PaperTrade) => ({
  id: one.id,
  market_kind: one.marketKind,
  sym: one.sym,
  side: one.side,
  entry_price: one.entryPrice,
  exit_price: one.exitPrice,
  pnl: tradePnl(one),
  opened_at: new Date(one.openedAt).toISOString(),
  closed_at: new Date(one.closedAt).toISOString(),
});

describeEachDatabase('paper trades', (kind) => {
  let database: Database;
  let users = 0;
  beforeAll(async () => {
    database = await openTestDatabase(kind);
  });
  afterAll(() => database?.close());

  const newUser = () => createDatabaseUser(database, `papertrader${users++}@example.com`);
  const add = ({ caller }: TestUser, trades: readonly PaperTrade[]) =>
    database.query(caller, 'select public.add_paper_trades($1::text::jsonb)', [JSON.stringify(trades.map(rowOf))]);
  const stored = ({ caller }: TestUser): Promise<{ id: string; pnl: number | null; held: number }[]> =>
    database.query(
      caller,
      'select id, pnl, duration_s::float8 as held from public.paper_trades order by closed_at desc, id desc',
    );
  const expected = (trades: readonly PaperTrade[]) =>
    trades.map((one) => ({ id: one.id, pnl: tradePnl(one), held: heldS(one) }));

  test('are stored as the page merges them, with the same results', async () => {
    await fc.assert(
      fc.asyncProperty(trades, calls, async (all, numbers) => {
        const user = await newUser();
        let merged: PaperTrade[] = [];
        for (const some of numbers) {
          const added = all.filter((_, n) => some.includes(n));
          merged = mergeTrades(merged, added);
          await add(user, added);
        }
        expect(await stored(user)).toEqual(expected(merged));
      }),
      { numRuns: sampleSize(12, 60), ...(isNight ? {} : { seed: SEED }) },
    );
  });

  test('are stored once when two tabs send them at the same time', async () => {
    const user = await newUser();
    const all = Array.from({ length: 20 }, (_, n) => aTrade(n, 1000));

    await Promise.all([all, all.toReversed(), all.slice(5, 12)].map((some) => add(user, some)));

    expect(await stored(user)).toEqual(expected(mergeTrades(all)));
  });

  test('are the newest 500, whatever order and number of calls they arrive in', async () => {
    const user = await newUser();
    const all = Array.from({ length: MOST_TRADES + 30 }, (_, n) => aTrade((n * 7) % (MOST_TRADES + 30), 0));
    for (let i = 0; i < all.length; i += MOST_TRADES_A_CALL) await add(user, all.slice(i, i + MOST_TRADES_A_CALL));
    await add(user, all.slice(0, MOST_TRADES_A_CALL));

    expect(await stored(user)).toEqual(expected(mergeTrades(all)));
  });
});
