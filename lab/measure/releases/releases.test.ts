import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { BadInput } from '../../../scripts/bad-input.ts';
import { generatedFile } from '../testing/measure-fixtures.ts';
import { windowsOf } from '../windows/windows.ts';
import { readReleases, releaseOf, windowsBefore } from './releases.ts';

const folder = mkdtempSync(join(tmpdir(), 'releases-'));
afterAll(() => rmSync(folder, { recursive: true }));

const FILE = generatedFile('ONE', 3);
const FIRST_S = FILE.candles[0]?.time ?? 0;
const NOON_S = FIRST_S + 2 * 86_400 + 12 * 3600;
const WHOLE = { startS: 0, endS: Number.POSITIVE_INFINITY };

function read(...lines: string[]) {
  const file = join(folder, 'releases.csv');
  writeFileSync(file, `${['time,currency,event', ...lines].join('\n')}\n`);
  return readReleases(file);
}

test('reads each moment once, with the kind that moves prices most', () => {
  expect(read('200,USD,Unemployment Claims', '100,GBP,Retail Sales m/m', '200,USD,CPI y/y', '200,USD,PPI m/m')).toEqual(
    [
      { timeS: 100, kind: 'foreign', title: 'Retail Sales m/m' },
      { timeS: 200, kind: 'inflation', title: 'CPI y/y' },
    ],
  );
});

test.each([
  ['1790000000000,USD,CPI y/y', 'line 2'],
  ['noon,USD,CPI y/y', 'line 2'],
  ['100,US,CPI y/y', 'line 2'],
  ['100,USD,', 'line 2'],
])('refuses %j, naming the line', (line, where) => {
  expect(() => read(line)).toThrow(where);
  expect(() => readReleases(join(folder, 'none.csv'))).toThrow(BadInput);
});

test('names the first release between the forecast and its last bar', () => {
  const at = (t0: number) => releaseOf({ t0, file: FILE }, [{ timeS: NOON_S, kind: 'jobs' }]);

  // A forecast is made when the bar that began at t0 closes.
  expect(at(NOON_S - 60)).toEqual({ kind: 'jobs', in_min: 0 });
  expect(at(NOON_S - 50 * 60)).toEqual({ kind: 'jobs', in_min: 49 });
  expect(at(NOON_S - 51 * 60)).toBeNull();
  expect(at(NOON_S)).toBeNull();
});

test('cuts a window at each minute before a release, and no other', () => {
  const cut = windowsBefore([{ timeS: NOON_S, kind: 'jobs' }], 3);

  const times = [...cut(FILE, WHOLE, 29)].map(({ t0 }) => (NOON_S - t0) / 60);

  expect(times).toEqual([4, 3, 2, 1]);
  expect([...windowsOf(FILE, WHOLE, 29)].length).toBeGreaterThan(4);
});
