/**
 * Any sequence of adding, removing and ordering gives what the functions of visitors give, and simultaneous calls give
 * what they would one after another. Runs on both databases, whose locks differ.
 */
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { TIMEFRAMES } from '#domain/market/timeframes.ts';
import {
  inOrder,
  MOST_WATCHED,
  pairKey,
  type WatchedPair,
  type Watchlist,
  withoutPairs,
  withPairs,
} from '#domain/watchlist/watchlist.ts';
import type { Database } from '../../server/platform/database/database.ts';
import { openTestDatabase } from '../support/database/database.ts';
import { createDatabaseUser, type TestUser } from '../support/database/database-users.ts';
import { describeEachDatabase } from '../support/database/each-database.ts';
import { isNight, sampleSize } from '../support/run/test-size.ts';

/** By day every run uses the same commands. */
const SEED = 20_261_127;

interface Command {
  do: 'add' | 'remove' | 'order';
  pairs: WatchedPair[];
}

/** So few that commands meet, and enough to fill a list. */
const pair: fc.Arbitrary<WatchedPair> = fc.record({
  sym: fc.nat({ max: 29 }).map((n) => `C${n}`),
  timeframe: fc.constantFrom(...TIMEFRAMES),
});
const command: fc.Arbitrary<Command> = fc.record({
  do: fc.constantFrom('add', 'add', 'remove', 'order'),
  pairs: fc.oneof(
    fc.array(pair, { maxLength: 4 }),
    fc.array(pair, { minLength: MOST_WATCHED / 2, maxLength: MOST_WATCHED, size: 'max' }),
  ),
});

const RULES = { add: withPairs, remove: withoutPairs, order: inOrder };
const applied = (list: Watchlist, one: Command): Watchlist => RULES[one.do](list, one.pairs);
const keysOf = (list: Watchlist): string[] => list.map(pairKey);

function ordersOf<T>(items: readonly T[]): T[][] {
  if (items.length === 0) return [[]];
  return items.flatMap((item, i) => ordersOf(items.toSpliced(i, 1)).map((rest) => [item, ...rest]));
}

describeEachDatabase('watchlists', (kind) => {
  let database: Database;
  let users = 0;
  beforeAll(async () => {
    database = await openTestDatabase(kind);
  });
  afterAll(() => database?.close());

  const newUser = () => createDatabaseUser(database, `watcher${users++}@example.com`);
  const run = ({ caller }: TestUser, one: Command): Promise<WatchedPair[]> =>
    database.query(caller, `select sym, timeframe from public.${one.do}_watched_pairs($1::text::jsonb)`, [
      JSON.stringify(one.pairs),
    ]);
  const stored = ({ caller }: TestUser): Promise<(WatchedPair & { place: number })[]> =>
    database.query(caller, 'select sym, timeframe, place from public.watched_pairs order by place');

  async function expectStored(user: TestUser, list: Watchlist): Promise<void> {
    expect(await stored(user)).toEqual(list.map((one, i) => ({ ...one, place: i + 1 })));
  }

  test('match the rules of visitors after every command', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(command, { minLength: 1, maxLength: 12 }), async (commands) => {
        const user = await newUser();
        let list: Watchlist = [];
        for (const one of commands) {
          list = applied(list, one);
          expect(keysOf(await run(user, one))).toEqual(keysOf(list));
        }
        await expectStored(user, list);
      }),
      { numRuns: sampleSize(12, 60), ...(isNight ? {} : { seed: SEED }) },
    );
  });

  test('take simultaneous commands one after another', async () => {
    await fc.assert(
      fc.asyncProperty(command, fc.array(command, { minLength: 2, maxLength: 4 }), async (first, together) => {
        const user = await newUser();
        const before = applied([], { ...first, do: 'add' });
        await run(user, { ...first, do: 'add' });

        await Promise.all(together.map((one) => run(user, one)));

        const after = (await stored(user)).map(pairKey);
        const possible = ordersOf(together).map((order) => keysOf(order.reduce(applied, before)));
        expect(possible).toContainEqual(after);
      }),
      { numRuns: sampleSize(12, 60), ...(isNight ? {} : { seed: SEED }) },
    );
  });

  test('hold fifty pairs after a hundred are added at the same time, each once', async () => {
    const user = await newUser();
    const pairs = Array.from(
      { length: 2 * MOST_WATCHED },
      (_, i): WatchedPair => ({ sym: `D${i >> 1}`, timeframe: '5min' }),
    );
    const other = Array.from({ length: 10 }, (_, i): WatchedPair => ({ sym: `E${i}`, timeframe: '1min' }));

    await Promise.all([...pairs, ...other].map((one) => run(user, { do: 'add', pairs: [one] })));

    const rows = await stored(user);
    expect(rows.map(({ place }) => place)).toEqual(Array.from({ length: MOST_WATCHED }, (_, i) => i + 1));
    expect(new Set(rows.map(pairKey)).size).toBe(MOST_WATCHED);
  });
});
