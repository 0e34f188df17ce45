import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { AppError } from '../../errors/app-error.ts';
import { SYMBOLS } from '../symbols.ts';
import { toCalendarMonths } from './calendar-months.ts';
import {
  KRAKEN_PAIRS,
  type KrakenRow,
  krakenPairOf,
  MAX_KRAKEN_ROWS,
  parseKrakenOhlc,
  readKrakenSinceS,
  toKrakenAnswer,
  toKrakenError,
} from './kraken-ohlc.ts';
import { krakenRefusalOf } from './kraken-refusal.ts';

const DAY_S = 86_400;
const dayS = (iso: string): number => Date.parse(`${iso}T00:00:00Z`) / 1000;
const row = (startS: number, over: Partial<Record<'o' | 'h' | 'l' | 'c' | 'v', string>> = {}): KrakenRow => {
  const { o = '100.5', h = '101', l = '99.5', c = '100', v = '2.5' } = over;
  return [startS, o, h, l, c, '100.1', v, 7];
};
const XBT = krakenPairOf('XBTUSD') ?? { name: '', key: '', label: '', aliases: [] };
function refusedWith(...errors: string[]): unknown {
  try {
    return parseKrakenOhlc(toKrakenError(...errors));
  } catch (error) {
    return error;
  }
}
const junk = fc.oneof(fc.jsonValue(), fc.array(fc.oneof(fc.string(), fc.double(), fc.constant(null))));

test.each([
  ['XBTUSD', 'XXBTZUSD'],
  ['BTCUSD', 'XXBTZUSD'],
  ['XBT/USD', 'XXBTZUSD'],
  ['ETHUSD', 'XETHZUSD'],
  ['SOLUSD', 'SOLUSD'],
  ['XDGUSD', 'XDGUSD'],
  ['dogeusd', 'XDGUSD'],
])('finds for %s the pair whose answer is called %s', (name, key) => {
  expect(krakenPairOf(name)?.key).toBe(key);
});

test.each(['', 'NONEUSD', 'XBTUSD,ETHUSD', '../Ticker', 'constructor', 'XBTUSD&interval=1'])(
  'finds no pair for %j',
  (name) => {
    expect(krakenPairOf(name)).toBeNull();
  },
);

test('has a pair for every coin of the picker', () => {
  const coins = SYMBOLS.filter(({ assetClass }) => assetClass === 'crypto').map(({ label }) => label);

  expect(new Set<string>(KRAKEN_PAIRS.map(({ label }) => label))).toEqual(new Set(coins));
});

test('reads an answer back, in any order and among counted junk', () => {
  const starts = fc.uniqueArray(fc.nat({ max: 5000 }), { minLength: 1, maxLength: 20 });
  fc.assert(
    fc.property(starts, fc.array(junk, { maxLength: 5 }), (days, bad) => {
      const rows = days.map((day) => row(day * DAY_S));
      const answer = { error: [], result: { XXBTZUSD: [...bad, ...rows], last: 1 } };

      const read = parseKrakenOhlc(answer);

      expect(read.rows).toEqual([...rows].sort((a, b) => a[0] - b[0]));
      expect(read.malformed).toBe(bad.length);
      expect(parseKrakenOhlc(JSON.parse(JSON.stringify(toKrakenAnswer(XBT, read.rows)))).rows).toEqual(read.rows);
    }),
  );
});

test.each([
  ['an empty price', row(DAY_S, { o: '' })],
  ['NaN', row(DAY_S, { h: 'NaN' })],
  ['an infinite price', row(DAY_S, { h: '1e400' })],
  ['a negative price', row(DAY_S, { l: '-1' })],
  ['a price of zero', row(DAY_S, { l: '0' })],
  ['a high below the close', row(DAY_S, { h: '99.9' })],
  ['a start as text', ['86400', '1', '1', '1', '1', '1', '1', 1]],
  ['null', null],
])('drops and counts %s', (_what, bad) => {
  const answer = { error: [], result: { XXBTZUSD: [row(0), bad, row(2 * DAY_S)], last: 0 } };

  expect(parseKrakenOhlc(answer)).toEqual({ rows: [row(0), row(2 * DAY_S)], malformed: 1 });
});

test.each([
  [{ error: [], result: { A: 'rows', last: 1 } }, 'no rows for a single pair'],
  [{ error: [], result: { A: [row(0)], B: [row(0)], last: 1 } }, 'no rows for a single pair'],
  [{ error: [], result: { A: [null], last: 1 } }, 'no valid row'],
  ['<html>', 'not an OHLC response'],
  [null, 'not an OHLC response'],
])('reads no rows from %j: %s', (answer, reason) => {
  expect(() => parseKrakenOhlc(answer)).toThrow(expect.objectContaining({ details: { reason } }));
});

test.each([{ A: [], last: 0 }, { last: 0 }, {}])('reads %j as an answer without bars', (result) => {
  expect(parseKrakenOhlc({ error: [], result })).toEqual({ rows: [], malformed: 0 });
});

test('reads a refusal’s codes, however often wrapped, and none of another failure', () => {
  const errors = ['EGeneral:Too many requests', 'EService:Busy'];

  expect(krakenRefusalOf(new Error('wrapped', { cause: new Error('', { cause: refusedWith(...errors) }) }))).toEqual(
    errors,
  );
  expect(krakenRefusalOf(refusedWith('no words of Kraken'))).toBeNull();
  expect(krakenRefusalOf(new AppError('venue/unavailable', { details: { reason: 'no valid row' } }))).toBeNull();
  expect(krakenRefusalOf('EService:Busy')).toBeNull();
});

test('reads or rejects any value, and never crashes', () => {
  const answer = fc.oneof(
    fc.jsonValue(),
    fc.record({ error: fc.jsonValue(), result: fc.dictionary(fc.string(), fc.array(junk)) }),
  );
  fc.assert(
    fc.property(answer, (payload) => {
      try {
        const { rows, malformed } = parseKrakenOhlc(payload);
        expect(rows.length > 0 || malformed === 0).toBe(true);
      } catch (error) {
        expect(error).toMatchObject({ code: 'venue/unavailable' });
      }
    }),
  );
});

test('sends the newest finished bar as `last`', () => {
  const rows = [row(0), row(DAY_S), row(2 * DAY_S)];

  expect(toKrakenAnswer(XBT, rows)).toEqual({ error: [], result: { XXBTZUSD: rows, last: DAY_S } });
  expect(rows.length).toBeLessThan(MAX_KRAKEN_ROWS);
});

test('builds months from their days where complete, from the weeks that begin in them before', () => {
  const weeks = ['2025-07-31', '2025-08-07', '2025-08-28', '2025-09-04', '2025-09-25', '2025-10-02'].map((iso) =>
    row(dayS(iso), { v: '10' }),
  );
  const days = Array.from({ length: 20 }, (_, i) => row(dayS('2025-09-20') + i * DAY_S, { v: '1' }));

  const months = toCalendarMonths(days, weeks);

  expect(months.map((month) => [new Date(month[0] * 1000).toISOString().slice(0, 10), month[6], month[7]])).toEqual([
    ['2025-07-01', '10', 7],
    ['2025-08-01', '20', 14],
    // The 20th to the 30th are known by day, but not the days before: the month is left to its weeks.
    ['2025-09-01', '20', 14],
    ['2025-10-01', '9', 63],
  ]);
});

test('opens a month with its first bar, closes it with its last, and spans all of them', () => {
  const first = dayS('2025-10-01');
  const days = [
    row(first, { o: '50', h: '60', l: '40', c: '55' }),
    row(first + DAY_S, { o: '55', h: '99', l: '50', c: '70', v: '0' }),
    row(first + 2 * DAY_S, { o: '70', h: '71', l: '9.5', c: '30', v: '7.5' }),
  ];

  expect(toCalendarMonths(days, [])).toEqual([[first, '50', '99', '9.5', '30', '100.1', '10', 21]]);
});

test('gives no average price to a month without trades', () => {
  expect(toCalendarMonths([row(dayS('2025-10-01'), { v: '0' })], [])[0]?.slice(5, 7)).toEqual(['0.0', '0']);
});

test('lists every month of a whole history once, in order', () => {
  const now = dayS('2025-11-12');
  const days = Array.from({ length: 720 }, (_, i) => row(now - (719 - i) * DAY_S));
  const lastWeekS = Math.floor(now / (7 * DAY_S)) * 7 * DAY_S;
  const weeks = Array.from({ length: 720 }, (_, i) => row(lastWeekS - (719 - i) * 7 * DAY_S));

  const starts = toCalendarMonths(days, weeks).map(([startS]) => new Date(startS * 1000));

  for (const [i, start] of starts.slice(1).entries()) {
    const before = starts[i] ?? new Date(0);
    expect(start.getTime()).toBe(Date.UTC(before.getUTCFullYear(), before.getUTCMonth() + 1, 1));
  }
  expect(starts.at(-1)?.toISOString()).toBe('2025-11-01T00:00:00.000Z');
  expect(starts.length).toBeGreaterThan(160);
});

test.each([
  ['0', 0],
  ['1763600000', 1_763_600_000],
  ['', null],
  ['-1', null],
  ['1e3', null],
  ['9'.repeat(21), null],
])('reads the query parameter %j as the second %j', (text, second) => {
  expect(readKrakenSinceS(text)).toBe(second);
});

test('answers a pair without rows with no bar before', () => {
  expect(toKrakenAnswer(XBT, [])).toEqual({ error: [], result: { XXBTZUSD: [], last: 0 } });
});
