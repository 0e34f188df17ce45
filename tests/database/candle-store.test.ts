/** The candle store returns what it wrote, and nothing that a venue could not have sent. */
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import type { Candle } from '../../domain/market/candle.ts';
import { type CandleStore, openCandleStore } from '../../server/market/candles/candle-store.ts';
import { type Database, OWNER } from '../../server/platform/database/database.ts';
import { openTestDatabase, testLog } from '../support/database/database.ts';
import { describeEachDatabase } from '../support/database/each-database.ts';

const NOON_S = Date.parse('2025-11-12T15:00:00Z') / 1000;
const BTC = 'BTCUSDT.P';
const LINK = 'LINKUSDT.P';
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
const DAY_S = 86_400;
/** Whole minutes, after all weeks that a new database has. */
const laterS = (days: number): number => Math.floor(Date.now() / 60_000) * 60 + days * DAY_S;
const ALL = { fromS: 0, toS: 1e10, count: 100_000 };

// Runs on both kinds: each driver must return numbers bit by bit, and partitions are created and dropped.
describeEachDatabase('candle store', (kind) => {
  let database: Database;
  let statements = 0;
  const opened: CandleStore[] = [];

  beforeAll(async () => {
    database = await openTestDatabase(kind);
  });
  afterAll(() => database?.close());
  const closeStores = () => Promise.all(opened.splice(0).map((store) => store.close()));
  afterEach(async () => {
    await closeStores();
    await database.query(OWNER, 'delete from private.market_candles');
    await database.query(OWNER, 'delete from private.product_candles');
  });

  function open(over: Database = database, nowS = NOON_S, options: { maxProductRows?: number } = {}): CandleStore {
    statements = 0;
    const counted: Database = {
      ...over,
      query: (...args) => {
        statements += 1;
        return over.query(...args);
      },
    };
    const clock = { nowMs: () => nowS * 1000 };
    const store = openCandleStore({ database: counted, clock, log: testLog, ...options });
    opened.push(store);
    return store;
  }

  test('writes a minute of ten symbols in one statement, and returns values bit by bit', async () => {
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

  test('reads all venues together in separate lists, without those marked for deletion', async () => {
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

  test('reads the newest candles of one venue and symbol, oldest first', async () => {
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

  test('keeps the last of two candles of a minute, and a candle without volume as it is', async () => {
    const store = open();
    const { volume: _none, ...bare } = aCandle(NOON_S - 120);
    store.add('binance', BTC, [aCandle(NOON_S - 60, 100.2), aCandle(NOON_S - 60, 100.3), bare]);
    await store.flush();
    store.add('binance', BTC, [aCandle(NOON_S - 60, 100.4)]);
    await store.flush();

    expect(await store.read('binance', BTC, ALL)).toEqual([bare, aCandle(NOON_S - 60, 100.4)]);
  });

  test('hides forgotten candles, deletes them with the next write, and accepts new ones', async () => {
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

  test('remembers forgotten candles until an unavailable database could delete them', async () => {
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

  test('rejects candles of a damaged table and of the future', async () => {
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

  test('keeps candles while the database is unavailable, and writes them afterwards', async () => {
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

  test('drops the oldest candles beyond 8,000 while the database is unavailable', async () => {
    const store = open({ ...database, query: () => Promise.reject(new Error('away')) });

    store.add('binance', BTC, minutes(9000));

    expect(store.state()).toMatchObject({ waiting: 8000, dropped: 1000 });
  });

  test('drops a week of candles thirty days after its end, and others by age', async () => {
    // Other tests make partitions of other weeks.
    const own = await openTestDatabase(kind);
    const nowS = laterS(100);
    const store = open(own, nowS);
    const ago = (days: number) => aCandle(nowS - days * DAY_S);
    await open(own, nowS - 30 * DAY_S).makePartitions();
    store.add('binance', BTC, [ago(300), ago(44), ago(38), ago(30), ago(1)]);
    await store.flush();

    const { partitions, rows } = await store.removeOld();

    expect({ isAnyDropped: partitions > 0, rows }).toEqual({ isAnyDropped: true, rows: 1 });
    expect(await store.read('binance', BTC, ALL)).toEqual([ago(30), ago(1)]);
    expect(await store.removeOld()).toEqual({ partitions: 0, rows: 0 });
    await closeStores();
    await own.close();
  });

  test('stores products beside the ten apart, of every timeframe and venue', async () => {
    const store = open();
    const bar = aCandle(NOON_S - 900);
    store.add('binance', LINK, minutes(500));
    store.add('okx', LINK, minutes(2));
    store.add('binance', LINK, [bar], '15min');
    store.add('binance', BTC, minutes(1));

    await store.flush();

    const rows = (table: string) => database.query(OWNER, `select 1 from private.${table}`);
    expect([(await rows('market_candles')).length, (await rows('product_candles')).length]).toEqual([1, 503]);
    expect(await store.read('binance', LINK, ALL)).toEqual(minutes(500));
    expect(await store.read('binance', LINK, { ...ALL, timeframe: '15min' })).toEqual([bar]);
    expect([...(await store.readVenues(LINK, NOON_S - 120, NOON_S))]).toEqual([
      ['binance', minutes(2)],
      ['okx', minutes(2)],
    ]);
    store.forget('binance', LINK);
    await store.flush();
    expect([(await rows('market_candles')).length, (await rows('product_candles')).length]).toEqual([1, 2]);
  });

  test('accepts a bounded number of candles of products a day, and all of the ten', async () => {
    const store = open(database, NOON_S, { maxProductRows: 100 });
    store.add('binance', LINK, minutes(90));
    store.add('binance', 'XRPUSDT.P', minutes(90));
    store.add('binance', BTC, minutes(90));

    await store.flush();

    expect(await store.read('binance', BTC, ALL)).toHaveLength(90);
    expect(await store.read('binance', LINK, ALL)).toHaveLength(90);
    expect(await store.read('binance', 'XRPUSDT.P', ALL)).toHaveLength(10);
    expect(store.state()).toMatchObject({ waiting: 0, dropped: 80 });
  });

  test('lets no number of products take the place of the ten while the database is unavailable', () => {
    const store = open({ ...database, query: () => Promise.reject(new Error('away')) });
    store.add('binance', BTC, minutes(90));

    for (let i = 0; i < 30; i++) store.add('binance', `COIN${i}USDT.P`, minutes(1499));

    expect(store.state()).toMatchObject({ waiting: 30_090, dropped: 30 * 1499 - 30_000 });
  });

  test('drops a day of products two days after its end', async () => {
    const nowS = laterS(200);
    const store = open(database, nowS);
    const ago = (days: number) => aCandle(nowS - days * DAY_S);
    await open(database, nowS - 2 * DAY_S).makePartitions();
    store.add('binance', LINK, [ago(30), ago(4), ago(3.1), ago(2), ago(1)]);
    await store.flush();

    const { partitions } = await store.removeOld();

    expect(partitions).toBeGreaterThan(0);
    expect(await store.read('binance', LINK, ALL)).toEqual([ago(2), ago(1)]);
  });

  test('stores a candle of a missing week, and moves it once that week is created', async () => {
    const nowS = laterS(300);
    const timeS = nowS - 60;
    const store = open(database, nowS);
    store.add('binance', BTC, [aCandle(timeS)]);
    await store.flush();
    const placesOf = () =>
      database.query<{ place: string }>(
        OWNER,
        `select tableoid::regclass::text as place from private.market_candles where time = ${timeS}`,
      );
    expect(await placesOf()).toEqual([{ place: 'private.market_candles_rest' }]);

    const counts = await Promise.all([store.makePartitions(), open(database, nowS).makePartitions()]);

    // Weeks from thirty days back to a fortnight ahead, and five days of products, each created once.
    const weeks = counts.reduce((sum, count) => sum + count, 0) - 5;
    expect(weeks === 7 || weeks === 8).toBe(true);
    // The week of the candle, which may be the one before the clock's.
    const monday = new Date((timeS - ((timeS - 4 * DAY_S) % (7 * DAY_S))) * 1000).toISOString().slice(0, 10);
    expect(await placesOf()).toEqual([{ place: `private.market_candles_w${monday.replaceAll('-', '')}` }]);
    expect(await store.read('binance', BTC, ALL)).toEqual([aCandle(timeS)]);
  });
});
