/** The HTTP sides of Binance, Bybit and OKX: the calls that they refuse, each in its own form, and their lists. */
import { describe, expect, test } from 'vitest';
import * as z from 'zod/mini';
import { openedForTests } from '../../../../tests/support/run/opened-for-tests.ts';
import { DIALECT_NOW_MS, openedDialect } from '../../testing/opened-dialect.ts';
import { binanceDialect } from './binance.ts';
import { bybitDialect } from './bybit.ts';
import { okxDialect } from './okx.ts';

const MINUTE_MS = Math.floor(DIALECT_NOW_MS / 60_000) * 60_000;

describe('Binance', () => {
  const opened = openedForTests(() => openedDialect(binanceDialect));
  const FUTURE = '/fapi/v1/klines?symbol=BTCUSDT&interval=1m&startTime=99999999999999';
  const weightOf = (query: string) => opened().get(FUTURE + query).headers?.['x-request-weight'];

  test('answers a ping and the time, and names an unknown path and its method', () => {
    expect(opened().get('/fapi/v1/ping')).toMatchObject({ status: 200, body: {} });
    expect(opened().get('/fapi/v1/time').body).toEqual({ serverTime: DIALECT_NOW_MS });
    expect(opened().get('/fapi/v1/depth')).toMatchObject({
      status: 404,
      body: { code: -5000, msg: 'Path /fapi/v1/depth, Method GET is invalid' },
    });
  });

  test('weighs a call by the candles that it may return, and a refused one as one', () => {
    expect(['&limit=99', '&limit=100', '', '&limit=1000', '&limit=1001', '&limit=0'].map(weightOf)).toEqual([
      ...['1', '2', '5', '5', '10', '1'],
    ]);
  });

  test.each([
    ['symbol=&interval=1m', -1102],
    ['symbol=NONEUSDT&interval=1m', -1121],
    ['symbol=BTCUSDT&interval=7m', -1120],
    ['symbol=BTCUSDT&interval=1m&limit=1501', -1130],
    ['symbol=BTCUSDT', -1102],
    ['symbol=BTCUSDT&interval=1m&endTime=1.5', -1100],
    ['symbol=BTCUSDT&interval=1m&startTime=', -1100],
  ])('refuses klines for %s', (query, code) => {
    expect(opened().get(`/fapi/v1/klines?${query}`)).toMatchObject({ status: 400, body: { code } });
  });
});

describe('Bybit', () => {
  const opened = openedForTests(() => openedDialect(bybitDialect));
  const KLINE = '/v5/market/kline?category=linear&symbol=BTCUSDT&interval=1';
  const listSchema = z.object({
    retCode: z.literal(0),
    result: z.object({ list: z.array(z.looseObject({})), nextPageCursor: z.string() }),
  });

  test('gives the candles between two times, newest first, and the time in nanoseconds', () => {
    const { body } = opened().get(`${KLINE}&start=${MINUTE_MS - 120_000}&end=${MINUTE_MS - 60_000}`);

    const row = (ms: number) => [String(ms), ...Array.from({ length: 6 }, () => expect.any(String))];
    expect(body).toMatchObject({ result: { list: [row(MINUTE_MS - 60_000), row(MINUTE_MS - 120_000)] } });
    expect(opened().get('/v5/market/time').body).toMatchObject({ result: { timeNano: `${DIALECT_NOW_MS}000000` } });
  });

  test('lists its products by page, and repeats none', () => {
    const page = (query: string) =>
      listSchema.parse(opened().get(`/v5/market/instruments-info?category=linear${query}`).body).result;
    const [all, first] = [page(''), page('&limit=100')];

    expect([all.nextPageCursor, first.nextPageCursor]).toEqual(['', '100']);
    expect([...first.list, ...page('&limit=1000&cursor=100').list]).toEqual(all.list);
  });

  test.each([
    [KLINE.replace('linear', 'inverse'), 'Illegal category'],
    [KLINE.replace('BTCUSDT', 'NONEUSDT'), 'Not supported symbols'],
    ['/v5/market/kline?category=linear&interval=1', 'Not supported symbols'],
    [KLINE.replace('interval=1', 'interval=2'), 'Invalid period!'],
    [`${KLINE}&limit=0`, 'Request parameter error.'],
    [`${KLINE}&limit=1001`, 'Request parameter error.'],
    [`${KLINE}&start=now`, 'Request parameter error.'],
    ['/v5/market/instruments-info?category=spot', 'Illegal category'],
  ])('refuses %s with status 200 and a code', (target, retMsg) => {
    expect(opened().get(target)).toMatchObject({ status: 200, body: { retCode: 10001, retMsg, result: {} } });
  });

  test('answers 404 without JSON to an unknown path', () => {
    expect(opened().get('/v5/market/tickers')).toEqual({ status: 404, body: '404 page not found' });
  });
});

describe('OKX', () => {
  const opened = openedForTests(() => openedDialect(okxDialect));
  const CANDLES = '/api/v5/market/candles?instId=BTC-USDT-SWAP';

  test('gives the candles between two times, without both', () => {
    const { body } = opened().get(`${CANDLES}&after=${MINUTE_MS}&before=${MINUTE_MS - 180_000}`);

    const { data } = z.object({ data: z.array(z.array(z.string())) }).parse(body);
    expect(data.map(([openMs]) => Number(openMs) - MINUTE_MS)).toEqual([-60_000, -120_000]);
    expect(opened().get('/api/v5/public/time').body).toMatchObject({ data: [{ ts: String(DIALECT_NOW_MS) }] });
  });

  test.each([
    ['/api/v5/market/candles', '50014'],
    [CANDLES.replace('BTC', 'NONE'), '51001'],
    [`${CANDLES}&bar=7m`, '51000'],
    [`${CANDLES}&limit=0`, '51000'],
    [`${CANDLES}&limit=all`, '51000'],
    [`${CANDLES}&after=now`, '51000'],
    ['/api/v5/public/instruments', '51000'],
    ['/api/v5/public/instruments?instType=SPOT', '51000'],
  ])('refuses %s with status 200 and code %s', (target, code) => {
    expect(opened().get(target)).toMatchObject({ status: 200, body: { code, data: [] } });
  });

  test('answers 404 to an unknown path', () => {
    expect(opened().get('/api/v5/market/tickers')).toMatchObject({ status: 404, body: { code: '404' } });
  });
});
