import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { BadInput } from '../../scripts/bad-input.ts';
import { assetClassOf, listCandleFiles, readCandleFile } from './candle-files.ts';

const HEADER = 'time,open,high,low,close,volume';
let folder = '';

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'candle-files-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

function write(name: string, ...lines: string[]): void {
  writeFileSync(join(folder, `${name}-1m.csv.gz`), gzipSync(`${lines.join('\n')}\n`));
}

test('reads candles and the class, also with a byte-order mark, foreign line ends and exponents', () => {
  write('BTCUSDT', HEADER, '60,10,12,9.5,11.25,3', '180,1.1e1,11,11,11,0');
  write('DOGE', `\uFEFF${HEADER}\r`, '60,8.5e-5,8.5e-5,8.5e-5,8.5e-5,1\r');

  const plain = readCandleFile(folder, 'BTCUSDT');
  const odd = readCandleFile(folder, 'DOGE');

  expect(plain.candles).toEqual([
    { time: 60, open: 10, high: 12, low: 9.5, close: 11.25, volume: 3 },
    { time: 180, open: 11, high: 11, low: 11, close: 11, volume: 0 },
  ]);
  expect(plain.assetClass).toBe('crypto');
  expect(odd.candles.map(({ close }) => close)).toEqual([0.000085]);
});

test.each([
  ['a price that is NaN', '60,10,NaN,9,10,1', 'line 2: high isn\'t a number: "NaN"'],
  ['an endless price', '60,10,Infinity,9,10,1', "line 2: high isn't a number"],
  ['an empty field', '60,10,11,,10,1', 'line 2: low isn\'t a number: ""'],
  ['words', 'now,10,11,9,10,1', 'line 2: time isn\'t a number: "now"'],
  ['a missing column', '60,10,11,9,10', 'line 2: 5 fields instead of 6'],
  ['a column too many', '60,10,11,9,10,1,7', 'line 2: 7 fields instead of 6'],
  ['a time in milliseconds', '1735689600000,10,11,9,10,1', 'line 2: time is in milliseconds'],
  ['a time off the minute', '61,10,11,9,10,1', "line 2: time isn't a whole minute"],
  ['a price of zero', '60,10,11,0,10,1', 'line 2: a price is not above 0'],
  ['a close above the high', '60,10,11,9,12,1', 'line 2: low, open, close and high are out of order'],
  ['a volume below zero', '60,10,11,9,10,-1', 'line 2: volume is below 0'],
  ['a row twice', '60,10,11,9,10,1\n60,10,11,9,10,1', 'line 3: the same time as the line before'],
  ['rows out of order', '120,10,11,9,10,1\n60,10,11,9,10,1', 'line 3: time goes back'],
  ['a blank line within', '60,10,11,9,10,1\n\n120,10,11,9,10,1', 'line 3: 1 fields instead of 6'],
])('refuses %s, naming file and line', (_what, rows, message) => {
  write('ETHUSDT', HEADER, rows);

  const reading = (): unknown => readCandleFile(folder, 'ETHUSDT');

  expect(reading).toThrow(BadInput);
  expect(reading).toThrow(`ETHUSDT-1m.csv.gz: ${message}`);
});

test('refuses an empty file, one without a header, one without candles and one that is no gzip', () => {
  writeFileSync(join(folder, 'EMPTY-1m.csv.gz'), gzipSync(''));
  write('HEADLESS', '60,10,11,9,10,1');
  write('BARE', HEADER);
  writeFileSync(join(folder, 'PLAIN-1m.csv.gz'), `${HEADER}\n60,10,11,9,10,1\n`);
  writeFileSync(join(folder, 'CUT-1m.csv.gz'), gzipSync(HEADER.repeat(50)).subarray(0, 30));

  expect(() => readCandleFile(folder, 'EMPTY')).toThrow('EMPTY-1m.csv.gz is empty');
  expect(() => readCandleFile(folder, 'HEADLESS')).toThrow('HEADLESS-1m.csv.gz: line 1 is not the header');
  expect(() => readCandleFile(folder, 'BARE')).toThrow('has a header and no candles');
  expect(() => readCandleFile(folder, 'PLAIN')).toThrow('PLAIN-1m.csv.gz cannot be unpacked');
  expect(() => readCandleFile(folder, 'CUT')).toThrow('CUT-1m.csv.gz cannot be unpacked');
});

test('lists candle files alone, and refuses a folder that is not there', () => {
  write('B', HEADER);
  write('A', HEADER);
  writeFileSync(join(folder, 'README.md'), '');

  expect(listCandleFiles(folder)).toEqual(['A', 'B']);
  expect(() => listCandleFiles(join(folder, 'nowhere'))).toThrow(/nowhere isn't a readable folder/);
});

test.each([
  ['BTCUSDT.P', 'crypto'],
  ['NEVERSEEN', 'crypto'],
  ['aux-ADAUSDT.P', 'crypto'],
  ['apache2-AAPL', 'equity'],
  ['TSLA', 'equity'],
  ['apache2-XAUUSD-oanda', 'metal'],
  ['GC1!', 'metal'],
  ['DXY', 'index'],
  ['CL1!', 'energy'],
] as const)('reads %s as %s', (name, assetClass) => {
  expect(assetClassOf(name)).toBe(assetClass);
});
