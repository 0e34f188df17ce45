/** The command as an outsider runs it: unknown files, two models, no network. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { skillTableSchema } from '../../../domain/forecast/model-figures.ts';
import { makeModelsFolder } from '../../../server/forecast/testing/model-fixtures.ts';
import { sha256Of } from '../../measure/candle-files.ts';
import { generatedFile } from '../../measure/testing/measure-fixtures.ts';

const models = makeModelsFolder({ bobcat: 'sound', panther: 'sound' });
const folder = mkdtempSync(join(tmpdir(), 'forecast-bench-'));
const out = join(folder, 'F.jsonl');

function bench(...args: string[]): { status: number | null; stdout: string; stderr: string } {
  const script = join(import.meta.dirname, 'forecast.ts');
  const whole = [script, '--skill-only', '--models', models.path, '--data', folder, ...args];
  return spawnSync(process.execPath, whole, { encoding: 'utf8' });
}

function write(name: string, rows: readonly string[]): void {
  writeFileSync(join(folder, `${name}-1m.csv.gz`), gzipSync(['time,open,high,low,close,volume', ...rows].join('\n')));
}

beforeAll(() => {
  const rows = generatedFile('NEVERSEEN', 5).candles.map((c) =>
    [c.time, c.open, c.high, c.low, c.close, c.volume].join(),
  );
  // A gap of ten minutes is valid, but no window crosses it.
  write('NEVERSEEN', rows.toSpliced(4 * 1440, 10));
});
afterAll(() => {
  models.remove();
  rmSync(folder, { recursive: true });
});

test('prints one table per model against every baseline, and one line per window and model', () => {
  const { status, stdout, stderr } = bench('--from', '2025-01-04', '--stride', '31', '--out', out);

  expect(status, stderr).toBe(0);
  const table = JSON.parse(stdout);
  expect(table.files).toMatchObject([{ name: 'NEVERSEEN', assetClass: 'crypto', gaps: 1 }]);
  expect(table.models.map(({ model }: { model: string }) => model)).toEqual(['bobcat', 'panther']);
  const [group] = table.models[0].groups;
  expect(skillTableSchema.parse(group.skill)).toEqual(group.skill);
  expect(Object.keys(table.paired.crypto)).toEqual(['bobcat over panther', 'panther over bobcat']);
  const lines = readFileSync(out, 'utf8').trimEnd().split('\n');
  expect(lines.length).toBe(2 * group.skill.windows);
  expect(group.realism.invariantViolations).toBe(0);
});

test('names the release on each line of a window that has one, and takes the windows before it alone on request', () => {
  const releases = join(folder, 'releases.csv');
  writeFileSync(releases, `time,currency,event\n${Date.UTC(2025, 0, 4, 13, 30) / 1000},USD,CPI y/y\n`);

  const { status, stdout, stderr } = bench(
    ...['--from', '2025-01-04', '--out', out, '--releases', releases, '--around-releases', '2'],
  );

  // Three windows are so few that good luck looks like a leak.
  expect([0, 3], stderr).toContain(status);
  const lines = readFileSync(out, 'utf8').trimEnd().split('\n');
  const named = lines.map((line): unknown => JSON.parse(line).release);
  // Two models for each window, in whatever order.
  const expected = [0, 1, 2].flatMap((in_min) => Array(2).fill({ kind: 'inflation', in_min }));
  expect(named).toHaveLength(expected.length);
  expect(named).toEqual(expect.arrayContaining(expected));
  expect(JSON.parse(stdout).byRelease.bobcat['US CPI, jobs, Fed statement']['bar 50'].windows).toBe(3);
});

test.each([
  [['--around-releases', '5'], '--around-releases needs --releases FILE'],
  [['--releases', 'none.csv'], "none.csv can't be read"],
])('refuses %j', (args, message) => {
  const { status, stderr } = bench(...args);

  expect(status).toBe(2);
  expect(stderr).toContain(message);
});

test('warns of a stride that shares a factor with 60, and of baselines that know the test', () => {
  const { stdout } = bench('--stride', '30', '--from', '2025-01-01');

  expect(JSON.parse(stdout).warnings).toEqual([
    expect.stringContaining('a stride of 30 shares a factor with 60'),
    expect.stringContaining('no earlier candles to fit baselines on'),
  ]);
});

test('warns of windows that a model was fitted on, by file and part, and marks them in the table', () => {
  const sha256 = sha256Of(readFileSync(join(folder, 'NEVERSEEN-1m.csv.gz')));
  let unseen = '';
  models.edit('panther', 'manifest.json', (text) => {
    unseen = text;
    const data = [{ file: 'NEVERSEEN-1m.csv.gz', sha256, firstS: 0, lastS: 60, rows: 2 }];
    return JSON.stringify({ ...JSON.parse(text), data });
  });

  const { status, stdout, stderr } = bench('--from', '2025-01-04', '--stride', '31');
  models.edit('panther', 'manifest.json', () => unseen);

  expect(status, stderr).toBe(0);
  const table = JSON.parse(stdout);
  const { windows } = table.models[0].groups[0].skill;
  expect(table.seenInTraining).toEqual([{ file: 'NEVERSEEN', part: 'validate', windows, models: ['panther'] }]);
  const refusal = `NEVERSEEN: ${windows} windows lie in the span that panther was validated and calibrated on`;
  expect(table.warnings[0]).toContain(refusal);
  expect(stderr).toContain(`WARNING ${refusal}`);
});

test('prints a suspected leak with everything else, and ends the run with status 3', () => {
  // A past that is flat except for rare jumps teaches log-HAR nothing about the measured days.
  const priceAt = (minute: number): number => (minute % 100 === 0 ? 2525 : 2500);
  const rows = generatedFile('STILL', 6).candles.map((c, i) => {
    if (i >= 4 * 1440) return [c.time, c.open, c.high, c.low, c.close, c.volume].join();
    const [open, close] = [priceAt(i), priceAt(i + 1)];
    return [c.time, open, Math.max(open, close), Math.min(open, close), close, c.volume].join();
  });
  write('STILL', rows);

  const { status, stdout, stderr } = bench('--from', '2025-01-05', '--stride', '31');
  rmSync(join(folder, 'STILL-1m.csv.gz'));

  expect(status, stderr).toBe(3);
  expect(JSON.parse(stdout).warnings.join()).toContain('suspected leak: CRPS skill over log-HAR at');
});

test('refuses what cannot be measured in one sentence', () => {
  write('BROKEN', ['1735689600,1,2,0.5,NaN,1']);

  const broken = bench('--from', '2025-01-04');
  rmSync(join(folder, 'BROKEN-1m.csv.gz'));
  const empty = bench('--from', '2031-01-01');

  expect([broken.status, broken.stdout]).toEqual([2, '']);
  expect(broken.stderr).toContain('bench:forecast: BROKEN-1m.csv.gz: line 2: close isn\'t a number: "NaN"');
  expect(empty.stderr).toContain('no unbroken 450 candles and 50 more lie in the span');
});
