/** The board on real rows: own predictions, hourly records and votes, each judged by the same outcomes. */
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { MarketKind } from '#domain/market/symbols.ts';
import type { Timeframe } from '#domain/market/timeframes.ts';
import { type BoardRow, type BoardWho, trackBoardSchema } from '#domain/record/figures/board.ts';
import { type Database, OWNER } from '../../server/platform/database/database.ts';
import { trackBoard } from '../../server/record/board/track-board.ts';
import { FIRST_SLOT_S, insertRecords, makeRecords } from '../../server/record/testing/record-fixtures.ts';
import { openTestDatabase } from '../support/database/database.ts';
import { createDatabaseUser, type TestUser } from '../support/database/database-users.ts';
import { describeBothAtNight } from '../support/database/day-database.ts';

const HOUR_S = 3600;
const HOURS = 32;
/** Minutes after the last record's outcome. */
const NOW_MS = (FIRST_SLOT_S + (HOURS + 1) * HOUR_S) * 1000;
const SYM = 'BTCUSDT.P';

describeBothAtNight('the board', (kind) => {
  let database: Database;
  let ada: TestUser;
  let bob: TestUser;
  let nowMs = NOW_MS;

  beforeAll(async () => {
    database = await openTestDatabase(kind);
    [ada, bob] = [
      await createDatabaseUser(database, 'ada@example.com'),
      await createDatabaseUser(database, 'bob@example.com'),
    ];
    // Records of every fifth minute; Bobcat always draws up, Panther down, and the price always rises 10 bp.
    const records = makeRecords({
      slots: HOURS * 12,
      syms: [SYM],
      change: ({ model }) => ({ path: [0, 0, 0, 0, model === 'bobcat' ? 400 : model === 'panther' ? -400 : 0] }),
    });
    await insertRecords(database, records);
    await database.query(
      OWNER,
      `insert into private.track_scores (seq, state, score)
       select seq, 'known', '{"actual": [0, 0, 0, 0, 1000]}' from private.track_records`,
    );
  });
  beforeEach(async () => {
    nowMs = NOW_MS;
    await database.query(OWNER, 'delete from private.votes');
    await vote('up', FIRST_SLOT_S - 600);
  });
  afterAll(() => database?.close());

  const vote = (direction: 'up' | 'down', atS: number) =>
    database.query(
      OWNER,
      `insert into private.votes (currency, direction, created_at) values ('btc', $1, to_timestamp($2::float8))`,
      [direction, atS],
    );

  /** A saved and judged prediction: closes at 100, with `drawn` forecast and `came` actual in its last minute. */
  async function save(
    user: TestUser,
    joinS: number,
    drawn: number,
    actual: number,
    market: MarketKind = 'live',
    timeframe: Timeframe = '1min',
  ) {
    await database.query(
      OWNER,
      `with candles as (
         select jsonb_agg(jsonb_build_object('time', $2::bigint + 60 * (n - 149), 'open', 100, 'high', 100, 'low', 100,
                  'close', case when n = 199 then $3::float8 else 100 end) order by n) as drawn,
                jsonb_agg(jsonb_build_object('time', $2::bigint + 60 * (n - 149), 'open', 100, 'high', 100, 'low', 100,
                  'close', case when n = 199 then $4::float8 else 100 end) order by n) filter (where n >= 150) as came
           from generate_series(0, 199) n),
       saved as (
         insert into public.user_predictions (user_id, cryptocurrency, model, data)
         select $1::text::uuid, 'BTC', 'kat1', drawn from candles returning id)
       insert into public.prediction_outcomes (prediction_id, user_id, market_kind, sym, timeframe, join_s, due_at, next_try_at, state,
         candles, score, resolved_at)
       select saved.id, $1::text::uuid, $5, $6, $7, $2::bigint, now(), now(), 'known', candles.came, '{}', now() from saved, candles`,
      [user.id, joinS, drawn, actual, market, SYM, timeframe],
    );
  }

  function openBoard(market: MarketKind = 'live', tf?: Timeframe) {
    const clock = { nowMs: () => nowMs };
    const board = trackBoard({ database, clock, marketClock: clock, kindOf: () => market });
    return async (user: TestUser, period: '7d' | '30d' = '7d'): Promise<Record<BoardWho, BoardRow>> => {
      const caller = { role: 'authenticated', claims: null, userId: user.id, sessionId: 's' } as const;
      const sent = await board({ body: { tf }, caller, address: '' });
      const { rows } = trackBoardSchema.parse(sent.board).periods[period];
      const of = (who: BoardWho): BoardRow => {
        const row = rows.find((one) => one.who === who);
        if (row === undefined) throw new Error(`no row of ${who}`);
        return row;
      };
      expect(rows.map(({ who }) => who)).toEqual(['you', 'crowd', 'bobcat', 'panther', 'lion']);
      return { you: of('you'), crowd: of('crowd'), bobcat: of('bobcat'), panther: of('panther'), lion: of('lion') };
    };
  }

  test("counts only each model's record of every whole hour", async () => {
    const { bobcat, panther, lion } = await openBoard()(ada);

    expect(bobcat).toMatchObject({ n: HOURS, overlapping: 0, sided: HOURS, right: HOURS });
    expect(bobcat.path?.maeBp).toBeCloseTo(6, 9);
    expect(bobcat.path?.lastCloseMaeBp).toBeCloseTo(10, 9);
    expect(bobcat.path?.skill).toBeCloseTo(0.4, 9);
    expect(panther).toMatchObject({ n: HOURS, right: 0 });
    expect(panther.path?.skill).toBeCloseTo(-0.4, 9);
    expect(lion).toMatchObject({ n: HOURS, sided: 0, share: null });
    expect(lion.path?.skill).toBe(0);
  });

  test("takes the crowd's side from the last 24 hours' votes, and none without any", async () => {
    // One vote, ten minutes before the first hour: it counts for 24 hours.
    expect((await openBoard()(ada)).crowd).toMatchObject({ n: 24, right: 24, path: null });

    // Tied from the fourth hour on; then one more vote the other way.
    await vote('down', FIRST_SLOT_S + 2 * HOUR_S + 60);
    expect((await openBoard()(ada)).crowd).toMatchObject({ n: 3 + 3, right: 3 });
  });

  test("counts a user's own predictions without overlapping ones, and shows no other user's", async () => {
    await save(ada, FIRST_SLOT_S, 100.1, 100.2);
    await save(ada, FIRST_SLOT_S + 49 * 60, 99, 100.2);
    await save(ada, FIRST_SLOT_S + HOUR_S, 99.9, 100.2);
    const readBoard = openBoard();

    expect((await readBoard(ada)).you).toMatchObject({
      n: 2,
      overlapping: 1,
      sided: 2,
      right: 1,
      share: null,
      path: null,
    });
    expect((await readBoard(bob)).you).toMatchObject({ n: 0, overlapping: 0, sided: 0 });
    nowMs = NOW_MS + 7 * 86_400_000;
    expect((await openBoard()(ada, '7d')).you.n).toBe(0);
    expect((await openBoard()(ada, '30d')).you.n).toBe(2);
  });

  test('has separate figures for another kind of market', async () => {
    await save(bob, FIRST_SLOT_S, 100.1, 100.2, 'simulated');

    expect((await openBoard('live')(bob)).you.n).toBe(0);
    const simulated = await openBoard('simulated')(bob);
    expect(simulated).toMatchObject({ you: { n: 1 }, crowd: { n: 0 }, lion: { n: 0 } });
  });

  test('ends its periods after 7 and 30 days', async () => {
    nowMs = NOW_MS + 7 * 86_400_000;
    const readBoard = openBoard();

    expect((await readBoard(ada, '7d')).bobcat.n).toBe(0);
    expect((await readBoard(ada, '30d')).bobcat.n).toBe(HOURS);
    nowMs = NOW_MS + 31 * 86_400_000;
    expect((await openBoard()(ada, '30d')).bobcat.n).toBe(0);
  });

  test('counts only verified accounts for the crowd', async () => {
    const crowd = async () => (await openBoard()(bob)).crowd;
    const before = await crowd();
    const voted = async (count: number, name: string, prove: string) => {
      await database.query(
        OWNER,
        `with made as (insert into auth.users (email) select $1::text || n || '@example.com' from generate_series(1, $2::int) n
                       returning id)
         select count(*) from made`,
        [name, count],
      );
      if (prove !== '') await database.query(OWNER, `${prove} where u.email like $1::text`, [`${name}%`]);
      await database.query(
        OWNER,
        `insert into private.votes (user_id, currency, direction, created_at)
         select u.id, 'btc', 'down', to_timestamp($2::float8) from auth.users u where u.email like $1::text`,
        [`${name}%`, FIRST_SLOT_S - 600],
      );
    };
    const identity = (provider: string) =>
      `insert into auth.identities (provider_id, user_id, identity_data, provider)
       select u.id::text, u.id, '{}', '${provider}' from auth.users u`;

    await voted(5, 'new', '');
    await voted(5, 'address', identity('email'));
    await voted(5, 'wallet', identity('web3'));
    expect(await crowd()).toEqual(before);
    // A user who verifies an address later does not vote again.
    await database.query(OWNER, "update auth.users set email_confirmed_at = now() where email like 'new%'");
    expect(await crowd()).toEqual(before);

    await voted(1, 'proven', 'update auth.users u set email_confirmed_at = now()');
    await voted(1, 'oauth', identity('github'));
    await voted(1, 'sso', identity('sso:7a7e1c9e-1c1c-4c1c-8c1c-7a7e1c9e1c1c'));
    const after = await crowd();
    expect(after).not.toEqual(before);
    await database.query(OWNER, "delete from auth.users where email like 'proven%' or email like 'new%'");
    expect(await crowd()).toEqual(after);
  });

  test('reads the shared part once in five minutes', async () => {
    const readBoard = openBoard();
    expect((await readBoard(bob)).bobcat.n).toBe(HOURS);
    nowMs += 4 * 60_000;
    await database.query(
      OWNER,
      `insert into private.votes (currency, direction, created_at) values ('btc', 'up', $1)`,
      [new Date((FIRST_SLOT_S + 2 * HOUR_S + 120) * 1000).toISOString()],
    );
    const before = (await readBoard(bob)).crowd.n;
    nowMs += 2 * 60_000;

    expect((await readBoard(bob)).crowd.n).not.toBe(before);
  });

  test.each([
    ['5min', 300],
    ['15min', 900],
  ] as const)('compares forecasts of %s with each other alone', async (timeframe, barS) => {
    const before = await openBoard()(bob);
    const [last] = await database.query<{ seq: number; hash: string }>(
      OWNER,
      "select seq, encode(hash, 'hex') as hash from private.track_records order by seq desc limit 1",
    );
    const records = makeRecords({
      timeframe,
      slots: 6,
      syms: [SYM],
      models: ['lion'],
      after: last ?? null,
      // Issued after the others, whatever their slots are.
      change: ({ seq }) => ({ path: [0, 0, 0, 0, 400], issued: NOW_MS + seq }),
    });
    await insertRecords(database, records);
    await database.query(
      OWNER,
      `insert into private.track_scores (seq, state, score)
       select seq, 'known', '{"actual": [0, 0, 0, 0, 1000]}' from private.track_records where timeframe = $1::text`,
      [timeframe],
    );
    await save(bob, FIRST_SLOT_S - barS, 101, 102, 'live', timeframe);

    const { you, bobcat, lion } = await openBoard('live', timeframe)(bob);
    expect([you.n, you.right, bobcat.n]).toEqual([1, 1, 0]);
    // Of whole hours, one in five or in thirteen does not overlap.
    expect([lion.n, lion.right]).toEqual([1, 1]);
    expect(await openBoard()(bob)).toEqual(before);
  });
});
