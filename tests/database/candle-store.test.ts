/** What the candle store writes comes back as it was, and nothing comes back that a venue could not have said. */
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import type { Candle } from '../../domain/market/candle.ts';
import { type CandleStore, KEPT_S, openCandleStore } from '../../server/market/candle-store.ts';
import { type Database, OWNER } from '../../server/platform/database.ts';
import { openTestDatabase, testLog } from '../support/database.ts';
import { describeEachDatabase } from '../support/each-database.ts';

const NOON_S = Date.parse('2025-11-12T15:00:00Z') / 1000;
const BTC = 'BTCUSDT.P';
const aCandle = (time: number, close = 100.1): Candle => ({
  time,
  open: 100,
  high: 102.3,
  low: 99.7,
  close,
  volume: 0.1,
});
const minutes = (count: number, endS = NOON_S): Candle[] =>
  Array.from({ length: count }, (_, i) => aCandle(endS - (count - i) * 60));
const ALL = { fromS: 0, toS: 1e10, count: 100_000 };

describeEachDatabase('candle store', (kind) => {
  let database: Database;
  let statements = 0;
  const opened: CandleStore[] = [];

  beforeAll(async () => {
    database = await openTestDatabase(kind);
  });
  afterAll(() => database?.close());
  afterEach(async () => {
    await Promise.all(opened.splice(0).map((store) => store.close()));
    await database.query(OWNER, 'delete from private.market_candles');
  });

  function open(over: Database = database): CandleStore {
    statements = 0;
    const counted: Database = {
      ...over,
      query: (...args) => {
        statements += 1;
        return over.query(...args);
      },
    };
    const clock = { nowMs: () => NOON_S * 1000 };
    const store = openCandleStore({ database: counted, clock, log: testLog });
    opened.push(store);
    return store;
  }

  test('a minute of ten symbols is one statement, and values come back bit by bit', async () => {
    const store = open();
    const odd = {
      time: NOON_S - 60,
      open: 0.1 + 0.2,
      high: 1e14,
      low: 1.7e-9,
      close: 0.12345678901234568,
      volume: 5e-324,
    };
    for (let i = 0; i < 10; i++) store.add('binance', `S${i}`, [odd]);

    await store.flush();

    expect(statements).toBe(1);
    expect(await store.read('binance', 'S7', ALL)).toEqual([odd]);
    expect(store.state()).toEqual({ waiting: 0, dropped: 0, malformed: 0, failures: 0 });
  });

  test('all venues are read at once, each in a list of its own, without those whose candles are to go', async () => {
    const store = open();
    store.add('binance', BTC, minutes(60));
    store.add('bybit', BTC, [aCandle(NOON_S - 120, 101), aCandle(NOON_S - 60, 101)]);
    store.add('okx', BTC, [aCandle(NOON_S - 60, 103)]);
    store.add('binance', 'ETHUSDT.P', [aCandle(NOON_S - 60, 102)]);
    await store.flush();
    store.forget('okx', BTC);

    const read = await store.readVenues(BTC, NOON_S - 120, NOON_S - 60);

    expect([...read]).toEqual([
      ['binance', minutes(2).slice(0, 1)],
      ['bybit', [aCandle(NOON_S - 120, 101)]],
    ]);
  });

  test('the newest are read, oldest first, of one venue and symbol alone', async () => {
    const store = open();
    store.add('binance', BTC, minutes(2500));
    store.add('bybit', BTC, [aCandle(NOON_S - 60, 101)]);
    store.add('binance', 'ETHUSDT.P', [aCandle(NOON_S - 60, 102)]);
    await store.flush();

    const read = await store.read('binance', BTC, { ...ALL, count: 3 });

    expect(read).toEqual(minutes(3));
    expect(await store.read('binance', BTC, ALL)).toHaveLength(2500);
    expect(await store.read('okx', BTC, ALL)).toEqual([]);
    expect(await store.read('binance', BTC, { fromS: NOON_S - 300, toS: NOON_S - 180, count: 9 })).toEqual(
      minutes(5).slice(0, 2),
    );
  });

  test('of two candles of a minute the last wins, and a candle without volume stays without', async () => {
    const store = open();
    const { volume: _none, ...bare } = aCandle(NOON_S - 120);
    store.add('binance', BTC, [aCandle(NOON_S - 60, 100.2), aCandle(NOON_S - 60, 100.3), bare]);
    await store.flush();
    store.add('binance', BTC, [aCandle(NOON_S - 60, 100.4)]);
    await store.flush();

    expect(await store.read('binance', BTC, ALL)).toEqual([bare, aCandle(NOON_S - 60, 100.4)]);
  });

  test('what is forgotten is not read from then on, goes with the next writing, and makes way for what is added', async () => {
    const store = open();
    store.add('binance', BTC, minutes(2500));
    store.add('bybit', BTC, minutes(1));
    store.add('binance', 'ETHUSDT.P', minutes(1));
    await store.flush();

    store.forget('binance', BTC);
    store.add('binance', BTC, [aCandle(NOON_S - 60, 101)]);

    expect(await store.read('binance', BTC, ALL)).toEqual([]);
    await store.flush();
    expect(await store.read('binance', BTC, ALL)).toEqual([aCandle(NOON_S - 60, 101)]);
    expect(await store.read('bybit', BTC, ALL)).toEqual(minutes(1));
    expect(await store.read('binance', 'ETHUSDT.P', ALL)).toEqual(minutes(1));
  });

  test('with the database away what is forgotten stays so, until it could be removed', async () => {
    let isAway = false;
    const flaky: Database = {
      ...database,
      query: (...args) => (isAway ? Promise.reject(new Error('away')) : database.query(...args)),
    };
    const store = open(flaky);
    store.add('binance', BTC, minutes(3));
    await store.flush();
    isAway = true;
    store.forget('binance', BTC);
    await store.flush();
    isAway = false;

    expect(await store.read('binance', BTC, ALL)).toEqual([]);
    await store.flush();
    expect(await database.query(OWNER, 'select 1 from private.market_candles')).toEqual([]);
  });

  test('candles that a damaged table holds, and those of a time to come, are not believed', async () => {
    const store = open();
    store.add('binance', BTC, [aCandle(NOON_S - 120), aCandle(NOON_S)]);
    await store.flush();
    await database.query(OWNER, 'alter table private.market_candles drop constraint market_candles_check');
    const bad = `insert into private.market_candles values ('binance', $1, $2, 1, 0.5, 2, 1, 1)`;
    await database.query(OWNER, bad, [BTC, NOON_S - 60]);

    expect(await store.read('binance', BTC, ALL)).toEqual([aCandle(NOON_S - 120)]);
    expect(store.state().malformed).toBe(2);
    await database.query(OWNER, 'delete from private.market_candles');
    await database.query(
      OWNER,
      `alter table private.market_candles add check (low > 0 and low <= least(open, close) and greatest(open, close) <= high
         and high < 1e15)`,
    );
  });

  test('a database that is away keeps nobody waiting, and gets the candles when it is back', async () => {
    let isAway = true;
    const flaky: Database = {
      ...database,
      query: (...args) => (isAway ? Promise.reject(new Error('away')) : database.query(...args)),
    };
    const store = open(flaky);
    store.add('binance', BTC, minutes(3));
    await store.flush();
    expect(store.state()).toMatchObject({ waiting: 3, failures: 1 });

    isAway = false;
    await store.flush();

    expect(await store.read('binance', BTC, ALL)).toEqual(minutes(3));
  });

  test('a database that stays away costs the oldest candles, never the memory', async () => {
    const store = open({ ...database, query: () => Promise.reject(new Error('away')) });

    store.add('binance', BTC, minutes(9000));

    expect(store.state()).toMatchObject({ waiting: 8000, dropped: 1000 });
  });

  test('after thirty days a candle goes', async () => {
    const store = open();
    const oldS = NOON_S - KEPT_S;
    store.add('binance', BTC, [aCandle(oldS - 60), aCandle(oldS), aCandle(NOON_S - 60)]);
    await store.flush();

    expect(await store.removeOld()).toBe(1);

    expect((await store.read('binance', BTC, ALL)).map((c) => c.time)).toEqual([oldS, NOON_S - 60]);
  });
});
