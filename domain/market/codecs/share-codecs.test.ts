/** What is peculiar to the codecs of shares and futures: whole wire shapes as the services send them, and junk. */
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Candle } from '../candle.ts';
import { parseAlpacaBars, parseAlpacaFrame, toAlpacaBar, toAlpacaFrame } from './alpaca-bars.ts';
import { databentoProductOf, parseDatabentoBars, parseDatabentoEnd, toDatabentoRecord } from './databento-bars.ts';

/** 18 November 2026, 15:00 UTC. */
const T = Date.parse('2026-11-18T15:00:00Z') / 1000;
const aCandle = (time = T): Candle => ({ time, open: 415.2, high: 415.9, low: 415.05, close: 415.31, volume: 1234 });
const LATER_MS = (T + 3600) * 1000;

test('reads a page of Alpaca bars, its token, and which bar is still open', () => {
  const bar = { t: '2026-11-18T15:00:00Z', o: 415.2, h: 415.9, l: 415.05, c: 415.31, v: 1234, n: 77, vw: 415.4 };
  const bars = { MSFT: [{ ...bar, t: '2026-11-18T15:01:00Z' }, bar], AAPL: [bar] };

  const page = parseAlpacaBars({ bars, next_page_token: 'abc' }, 'MSFT', (T + 90) * 1000);

  expect(page.seen).toEqual([
    { candle: aCandle(), isClosed: true },
    { candle: aCandle(T + 60), isClosed: false },
  ]);
  expect(page).toMatchObject({ nextPageToken: 'abc', rows: 2, malformed: 0 });
});

test.each([{ bars: {}, next_page_token: null }, { bars: null, next_page_token: null }, { bars: {} }])(
  'reads a stretch without Alpaca bars as empty: %j',
  (answer) => {
    expect(parseAlpacaBars(answer, 'MSFT', LATER_MS)).toEqual({ seen: [], rows: 0, malformed: 0, nextPageToken: null });
  },
);

test('rejects an Alpaca answer without bars, and reads no message from a frame that is not a list', () => {
  for (const answer of [{ message: 'forbidden.' }, [], '<html>'])
    expect(() => parseAlpacaBars(answer, 'MSFT', LATER_MS)).toThrow('venue/unavailable');
  for (const text of ['{"T":"success"}', '[{"T":', '']) expect(parseAlpacaFrame(text)).toEqual([{ kind: 'malformed' }]);
});

test('judges each of several messages of an Alpaca frame separately', () => {
  const bar = { T: 'b', S: 'MSFT', ...toAlpacaBar(aCandle()) };
  const frame = [
    { T: 'success', msg: 'connected' },
    { T: 'success', msg: 'authenticated' },
    { T: 'success', msg: 'subscribed' },
    { T: 'subscription', bars: ['MSFT'] },
    { T: 'error', code: 406, msg: 'connection limit exceeded' },
    { T: 'error' },
    bar,
    { ...bar, h: 1 },
    { ...bar, t: '2026-11-18T15:00:30Z' },
    { T: 'tomorrow', x: 1 },
    7,
  ];

  expect(parseAlpacaFrame(JSON.stringify(frame))).toEqual([
    { kind: 'connected' },
    { kind: 'authenticated' },
    { kind: 'ignored' },
    { kind: 'ignored' },
    { kind: 'refused', code: 406, reason: '406 connection limit exceeded' },
    { kind: 'refused', code: 0, reason: '0' },
    { kind: 'bar', sym: 'MSFT', candle: aCandle() },
    { kind: 'malformed' },
    { kind: 'malformed' },
    { kind: 'ignored' },
    { kind: 'malformed' },
  ]);
});

test('reads Databento lines: billionths, nanoseconds, no price, the wrong record', () => {
  const line =
    '{"hd":{"ts_event":"1779387780000000000","rtype":33,"publisher_id":1,"instrument_id":42004058},' +
    '"open":"29456250000000","high":"29458750000000","low":"29445500000000","close":"29454750000000","volume":"581"}';
  const noPrice = line.replace('29456250000000', '9223372036854775807');
  const hourly = line.replace('"rtype":33', '"rtype":34');
  const oddSecond = line.replace('1779387780000000000', '1779387781500000000');

  const answer = parseDatabentoBars(`${line}\n${noPrice}\n${hourly}\n${oddSecond}\n`);

  expect(answer.seen).toEqual([
    {
      isClosed: true,
      candle: { time: 1_779_387_780, open: 29456.25, high: 29458.75, low: 29445.5, close: 29454.75, volume: 581 },
    },
  ]);
  expect(answer.malformed).toBe(3);
});

test('rejects a Databento answer that ends within a line', () => {
  const line = JSON.stringify(toDatabentoRecord(aCandle(), 1));

  expect(() => parseDatabentoBars(`${line}\n${line.slice(0, 40)}`)).toThrow(SyntaxError);
  expect(parseDatabentoBars('').seen).toEqual([]);
});

test('takes the end of a dataset from its minute candles where listed', () => {
  const end = '2026-11-18T14:50:00.000000000Z';
  const other = '2026-11-18T14:58:00.000000000Z';

  expect(parseDatabentoEnd({ start: other, end: other, schema: { 'ohlcv-1m': { start: other, end } } })).toBe(
    Date.parse('2026-11-18T14:50:00Z'),
  );
  expect(parseDatabentoEnd({ start: other, end: other })).toBe(Date.parse('2026-11-18T14:58:00Z'));
  expect(() => parseDatabentoEnd({ detail: 'no' })).toThrow();
});

test('finds Databento’s own symbols only', () => {
  const syms = ['BTCUSDT.P', 'MSFT', 'GC1!', 'DX1!', 'CL1!', '__proto__', 'constructor', ''];

  expect(syms.map((sym) => databentoProductOf({ sym })?.symbol ?? null)).toEqual([
    ...[null, null, 'GC.v.0', 'DX.v.0', 'CL.v.0'],
    ...[null, null, null],
  ]);
});

const cents = fc.integer({ min: 1, max: 999_999 });
const candle = fc.tuple(cents, cents, cents, cents, fc.nat(1e6)).map(([a, b, c, d, volume]): Candle => {
  const [low = 1, open = 1, close = 1, high = 1] = [a, b, c, d].sort((x, y) => x - y).map((price) => price / 100);
  return { time: T, open, high, low, close, volume };
});

test('writes sandbox answers that read back in every dialect', () => {
  fc.assert(
    fc.property(candle, (original) => {
      const seen = [{ candle: original, isClosed: true }];
      const bars = { bars: { MSFT: [toAlpacaBar(original)] }, next_page_token: null };
      const frame = JSON.stringify(toAlpacaFrame('MSFT', { candle: original, isClosed: true }));

      expect(parseAlpacaBars(bars, 'MSFT', LATER_MS).seen).toEqual(seen);
      expect(parseAlpacaFrame(frame)).toEqual([{ kind: 'bar', sym: 'MSFT', candle: original }]);
      expect(parseDatabentoBars(JSON.stringify(toDatabentoRecord(original, 1))).seen).toEqual(seen);
    }),
  );
});

test('drops all junk, and throws nothing but a refusal', () => {
  const junk = fc.oneof(fc.jsonValue(), fc.constantFrom(Number.NaN, Number.POSITIVE_INFINITY, -1, '1e400', 'NaN'));
  fc.assert(
    fc.property(fc.array(junk, { maxLength: 6 }), junk, (cells, cell) => {
      const bar = { ...toAlpacaBar(aCandle()), h: cell, o: cells[0] };
      const record = { ...toDatabentoRecord(aCandle(), 1), high: cell };
      const found = [
        ...parseAlpacaBars({ bars: { MSFT: [bar, cell] } }, 'MSFT', LATER_MS).seen,
        ...parseDatabentoBars(JSON.stringify([record, cell])).seen,
      ];

      expect(found.every(({ candle: c }) => c.low > 0 && c.low <= c.open && c.high < 1e15)).toBe(true);
      expect(parseAlpacaFrame(JSON.stringify([bar, cell])).length).toBeGreaterThan(0);
    }),
  );
});
