/** What holds for the codec of every candle venue: what is built reads back, and junk is dropped and counted, never thrown. */
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Candle } from '../candle.ts';
import {
  MAX_KLINES,
  parseKlineFrame,
  parseKlines,
  parseServerTime,
  toKlineEvent,
  toKlineRow,
} from './binance-klines.ts';
import {
  bybitRefusal,
  parseBybitFrame,
  parseBybitKlines,
  parseBybitTime,
  toBybitFrame,
  toBybitRow,
} from './bybit-klines.ts';
import type { CandleFrame, CandleRows, SeenCandle } from './candle-rows.ts';
import { okxRefusal, parseOkxCandles, parseOkxFrame, parseOkxTime, toOkxFrame, toOkxRow } from './okx-candles.ts';

interface Codec {
  name: string;
  productId: string;
  /** Newest first, as two of the three say it. */
  answer(rows: readonly unknown[]): unknown;
  row(seen: SeenCandle): readonly unknown[];
  parse(answer: unknown, asOfMs: number): CandleRows;
  frame(seen: SeenCandle, eventMs: number): object;
  parseFrame(text: string): CandleFrame;
  hasEventTime: boolean;
}

const CODECS: readonly Codec[] = [
  {
    name: 'Binance',
    productId: 'BTCUSDT',
    answer: (rows) => rows,
    row: ({ candle }) => toKlineRow(candle),
    parse: parseKlines,
    frame: ({ candle, isClosed }, eventMs) => toKlineEvent('BTCUSDT', candle, isClosed, eventMs),
    parseFrame: parseKlineFrame,
    hasEventTime: true,
  },
  {
    name: 'Bybit',
    productId: 'BTCUSDT',
    answer: (list) => ({ retCode: 0, retMsg: 'OK', result: { symbol: 'BTCUSDT', category: 'linear', list }, time: 1 }),
    row: ({ candle }) => toBybitRow(candle),
    parse: parseBybitKlines,
    frame: (seen, eventMs) => toBybitFrame('BTCUSDT', seen, eventMs),
    parseFrame: parseBybitFrame,
    hasEventTime: true,
  },
  {
    name: 'OKX',
    productId: 'BTC-USDT-SWAP',
    answer: (data) => ({ code: '0', msg: '', data }),
    row: (seen) => toOkxRow('BTC-USDT-SWAP', seen),
    parse: (answer) => parseOkxCandles(answer),
    frame: (seen) => toOkxFrame('BTC-USDT-SWAP', seen),
    parseFrame: parseOkxFrame,
    hasEventTime: false,
  },
];

const FIRST_S = 1_700_000_040;
/** As exchanges have them: up to six decimals. */
const price = fc.integer({ min: 1, max: 1e12 }).map((millionths) => millionths / 1e6);
const candleAt = (time: number): fc.Arbitrary<Candle> =>
  fc.tuple(fc.tuple(price, price, price, price), fc.oneof(fc.constant(0), price)).map(([four, volume]) => {
    const [low, open, close, high] = [...four].sort((a, b) => a - b);
    return { time, open: open ?? 1, high: high ?? 1, low: low ?? 1, close: close ?? 1, volume };
  });
const candles = fc
  .uniqueArray(fc.nat({ max: 500 }), { minLength: 1, maxLength: 20 })
  .chain((minutes) => fc.tuple(...minutes.map((minute) => candleAt(FIRST_S + minute * 60))));
const sorted = (rows: readonly Candle[]): Candle[] => [...rows].sort((a, b) => a.time - b.time);
const junk = fc.oneof(fc.jsonValue(), fc.array(fc.oneof(fc.string(), fc.double(), fc.constant(null))), fc.object());

describe.each(CODECS)('$name', (codec) => {
  const closed = (candle: Candle): SeenCandle => ({ candle, isClosed: true });

  test('reads rows in any order back as their candles, among counted junk', () => {
    fc.assert(
      fc.property(candles, fc.array(junk, { maxLength: 5 }), (valid, bad) => {
        const rows = [...bad, ...valid.map((candle) => codec.row(closed(candle)))];

        const read = codec.parse(codec.answer(rows), (FIRST_S + 60_000) * 1000);

        expect(read.seen).toEqual(sorted(valid).map(closed));
        expect(read).toMatchObject({ rows: rows.length, malformed: bad.length });
      }),
    );
  });

  test('writes a frame that reads back, open or closed', () => {
    fc.assert(
      fc.property(candleAt(FIRST_S), fc.boolean(), (candle, isClosed) => {
        const seen = { candle, isClosed };
        const eventMs = FIRST_S * 1000 + 1;

        expect(codec.parseFrame(JSON.stringify(codec.frame(seen, eventMs)))).toEqual({
          kind: 'candles',
          productId: codec.productId,
          seen: [seen],
          malformed: 0,
          eventMs: codec.hasEventTime ? eventMs : null,
        });
      }),
    );
  });

  test('never throws on any text, and reads no candle from it', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc.json(),
          junk.map((value) => JSON.stringify(value) ?? ''),
        ),
        (text) => {
          expect(codec.parseFrame(text).kind).toMatch(/^(malformed|ignored|refused)$/);
        },
      ),
    );
  });

  test('reports a frame that is cut anywhere as malformed', () => {
    const text = JSON.stringify(codec.frame({ candle: BASE, isClosed: true }, 1));

    for (let end = 1; end < text.length; end++) {
      expect(codec.parseFrame(text.slice(0, end))).toEqual({ kind: 'malformed' });
    }
  });

  test.each([null, 7, '<html>', {}, { code: '51001', msg: '', data: [] }, { retCode: 10001, result: {} }, { data: 1 }])(
    'rejects the answer %j as no list',
    (answer) => {
      expect(() => codec.parse(answer, 1)).toThrow('venue/unavailable');
    },
  );

  test('prefers the later of two rows of a minute', () => {
    const corrected = { ...BASE, close: 99.5 };
    const rows = [closed(BASE), closed(corrected)].map(codec.row);

    expect(codec.parse(codec.answer(rows), (FIRST_S + 60) * 1000).seen).toEqual([closed(corrected)]);
  });

  test('ignores far more rows than were requested', () => {
    const rows = Array.from({ length: 2 * MAX_KLINES + 10 }, (_, i) =>
      codec.row(closed({ ...BASE, time: FIRST_S + i * 60 })),
    );

    const read = codec.parse(codec.answer(rows), Number.MAX_SAFE_INTEGER);

    expect(read.rows).toBe(rows.length);
    expect(read.seen.length).toBeLessThan(rows.length);
  });
});

const BASE: Candle = { time: FIRST_S, open: 100.5, high: 101, low: 99.25, close: 100, volume: 12.5 };

test('never replaces a closed row by an open one', () => {
  const open = { candle: { ...BASE, close: 99.5 }, isClosed: false };
  const rows = [toOkxRow('BTC-USDT-SWAP', { candle: BASE, isClosed: true }), toOkxRow('BTC-USDT-SWAP', open)];

  for (const data of [rows, rows.toReversed()]) {
    expect(parseOkxCandles({ code: '0', data }).seen).toEqual([{ candle: BASE, isClosed: true }]);
  }
});

test.each([
  ['Binance', parseServerTime, { serverTime: 1_763_600_000_001 }],
  ['Bybit', parseBybitTime, { retCode: 0, time: 1_763_600_000_001 }],
  ['OKX', parseOkxTime, { code: '0', data: [{ ts: '1763600000001' }] }],
])('reads the time of %s, and no time from a refusal', (_venue, parse, answer) => {
  expect(parse(answer)).toBe(1_763_600_000_001);
  for (const refusal of [{ retCode: 10006 }, { code: '50011', data: [] }, { serverTime: -1 }, '<html>'])
    expect(() => parse(refusal)).toThrow('venue/unavailable');
});

test('reads a refusal’s code and text, and none from a success or another answer', () => {
  expect(bybitRefusal({ retCode: 10006, retMsg: 'Too many visits!' })).toEqual({
    code: 10006,
    text: 'Too many visits!',
  });
  expect(bybitRefusal({ retCode: 10006 })).toEqual({ code: 10006, text: '' });
  expect(okxRefusal({ code: '50011', msg: 'Too Many Requests' })).toEqual({ code: 50011, text: 'Too Many Requests' });
  expect(okxRefusal({ code: '50011' })).toEqual({ code: 50011, text: '' });
  for (const answer of [{ retCode: 0, retMsg: 'OK' }, { code: '0', msg: '' }, '<html>', null])
    expect([bybitRefusal(answer), okxRefusal(answer)]).toEqual([null, null]);
});

test('writes a candle without volume as one without trades', () => {
  const { volume: _volume, ...candle } = BASE;
  const expected = [{ candle: { ...BASE, volume: 0 }, isClosed: true }];
  for (const codec of CODECS) {
    const seen = { candle, isClosed: true };
    expect(codec.parse(codec.answer([codec.row(seen)]), (FIRST_S + 60) * 1000).seen).toEqual(expected);
    expect(codec.parseFrame(JSON.stringify(codec.frame(seen, 1)))).toMatchObject({ seen: expected });
  }
});

test('writes as many OKX contracts as units of a product that the table does not list', () => {
  const row = toOkxRow('NEW-USDT-SWAP', { candle: BASE, isClosed: false });

  expect([row[5], row[6], row[8]]).toEqual(['12.5', '12.5', '0']);
});

test('reads OKX volume of the base asset, not the count of contracts', () => {
  const row = toOkxRow('BTC-USDT-SWAP', { candle: BASE, isClosed: true });

  expect(row).toEqual([String(FIRST_S * 1000), '100.5', '101', '99.25', '100', '1250', '12.5', '1250', '1']);
});

test.each([
  ['Bybit', parseBybitFrame, '{"success":true,"ret_msg":"pong","conn_id":"1","op":"ping"}', { kind: 'ignored' }],
  ['Bybit', parseBybitFrame, '{"success":true,"ret_msg":"","conn_id":"1","op":"subscribe"}', { kind: 'ignored' }],
  ['Bybit', parseBybitFrame, '{"success":false,"ret_msg":"bad topic"}', { kind: 'refused', reason: 'bad topic' }],
  ['Bybit', parseBybitFrame, '{"topic":"tickers.BTCUSDT","data":{}}', { kind: 'ignored' }],
  ['Bybit', parseBybitFrame, '{"topic":"kline.1.BTCUSDT","data":{}}', { kind: 'malformed' }],
  ['Bybit', parseBybitFrame, '{"success":false}', { kind: 'refused', reason: '' }],
  ['OKX', parseOkxFrame, '{"event":"error"}', { kind: 'refused', reason: '' }],
  ['OKX', parseOkxFrame, 'pong', { kind: 'ignored' }],
  ['OKX', parseOkxFrame, '{"event":"subscribe","arg":{"channel":"candle1m","instId":"X"}}', { kind: 'ignored' }],
  ['OKX', parseOkxFrame, '{"event":"error","code":"60018","msg":"no"}', { kind: 'refused', reason: '60018 no' }],
  ['OKX', parseOkxFrame, '{"arg":{"channel":"candle1m","instId":"X"},"data":{}}', { kind: 'malformed' }],
])('reads %s: %#', (_venue, parse, text, expected) => {
  expect(parse(text)).toEqual(expected);
});
