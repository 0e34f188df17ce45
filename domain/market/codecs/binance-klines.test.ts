import { expect, test } from 'vitest';
import type { Candle } from '../candle.ts';
import { SYMBOLS } from '../symbols.ts';
import { symbolNamed } from '../testing/symbol-named.ts';
import {
  klineStreamName,
  parseKlineFrame,
  parseKlines,
  productIdOf,
  toKlineEvent,
  toKlineRow,
} from './binance-klines.ts';

const T = 1_700_000_040;
const candle = (over: Partial<Candle> = {}): Candle => ({
  time: T,
  open: 100.5,
  high: 101,
  low: 99.25,
  close: 100,
  volume: 12.5,
  ...over,
});
const LATER_MS = (T + 600) * 1000;
const goodRow = (): unknown[] => [...toKlineRow(candle())];
const withCell = (index: number, value: unknown): unknown[] => goodRow().map((cell, i) => (i === index ? value : cell));

test('writes product ids in upper-case letters and digits, one for each symbol', () => {
  const ids = SYMBOLS.map(productIdOf);

  for (const id of ids) expect(id).toMatch(/^[A-Z0-9]+$/);
  expect(new Set(ids).size).toBe(SYMBOLS.length);
  expect(['BTC', 'DOGE', 'MSFT', 'Gold'].map((label) => productIdOf(symbolNamed(label)))).toEqual([
    'BTCUSDT',
    'DOGEUSDT',
    'MSFT',
    'GC1',
  ]);
  expect(klineStreamName('BTCUSDT')).toBe('btcusdt@kline_1m');
});

test('writes a row that reads back as its candle', () => {
  const rows = [toKlineRow(candle())];

  expect(parseKlines(rows, LATER_MS)).toEqual({ seen: [{ candle: candle(), isClosed: true }], rows: 1, malformed: 0 });
  expect(parseKlines(rows, T * 1000 + 59_999).seen).toEqual([{ candle: candle(), isClosed: false }]);
});

test.each([
  ['null', null],
  ['an empty row', []],
  ['a short row', [T * 1000, '1', '1']],
  ['an open off the minute', withCell(0, T * 1000 + 1)],
  ['a negative open time', withCell(0, -60_000)],
  ['an open time as text', withCell(0, String(T * 1000))],
  ['an empty price', withCell(1, '')],
  ['NaN', withCell(1, 'NaN')],
  ['a null price', withCell(2, null)],
  ['a negative price', withCell(3, '-99')],
  ['a zero price', withCell(3, '0.0')],
  ['an infinite price', withCell(2, '1e400')],
  ['a number instead of text', withCell(1, 100.5)],
  ['a high below the open', withCell(2, '100.4')],
  ['a low above the close', withCell(3, '100.1')],
  ['a negative volume', withCell(5, '-1')],
  ['a huge price', withCell(2, '9'.repeat(40))],
  ['the close of another interval', withCell(6, T * 1000 + 299_999)],
])('drops and counts %s, and keeps its neighbours', (_what, bad) => {
  const next = toKlineRow(candle({ time: T + 60 }));

  const { seen, rows, malformed } = parseKlines([goodRow(), bad, next], LATER_MS);

  expect(seen.map((s) => s.candle.time)).toEqual([T, T + 60]);
  expect({ rows, malformed }).toEqual({ rows: 3, malformed: 1 });
});

test('reads rows in any order and twice as rising, the last of two winning', () => {
  const later = candle({ time: T + 60 });
  const corrected = candle({ close: 99.5 });

  const { seen } = parseKlines(
    [later, candle(), corrected].map((one) => toKlineRow(one)),
    LATER_MS,
  );

  expect(seen.map((s) => s.candle)).toEqual([corrected, later]);
});

test.each([[{ code: -1121, msg: 'Invalid symbol.' }], ['<html>'], [null], [42]])('refuses %j as no list', (answer) => {
  expect(() => parseKlines(answer, LATER_MS)).toThrow('venue/unavailable');
});

test('writes a stream message that reads back, bare and combined', () => {
  const event = toKlineEvent('BTCUSDT', candle(), true, T * 1000 + 60_001);
  const expected = {
    kind: 'candles',
    productId: 'BTCUSDT',
    seen: [{ candle: candle(), isClosed: true }],
    malformed: 0,
    eventMs: T * 1000 + 60_001,
  };

  expect(parseKlineFrame(JSON.stringify(event))).toEqual(expected);
  expect(parseKlineFrame(JSON.stringify({ stream: 'btcusdt@kline_1m', data: event }))).toEqual(expected);
});

test.each([
  ['a cut-off frame', '{"e":"kline","E":17', 'malformed'],
  ['an answer to a subscription', '{"result":null,"id":1}', 'ignored'],
  ['another event', '{"e":"aggTrade","E":1,"s":"BTCUSDT"}', 'ignored'],
  ['a number', '7', 'ignored'],
  [
    'a kline that ends before its minute does',
    JSON.stringify(toKlineEvent('BTCUSDT', candle(), true, 1)).replace(/"T":\d+/, '"T":1'),
    'malformed',
  ],
  ['a kline without figures', '{"e":"kline","E":1,"s":"BTCUSDT","k":{}}', 'malformed'],
  [
    'a kline whose high is below its low',
    JSON.stringify(toKlineEvent('BTCUSDT', candle({ high: 1 }), true, 1)),
    'malformed',
  ],
])('rejects %s as a candle', (_what, text, kind) => {
  expect(parseKlineFrame(text)).toEqual({ kind });
});
