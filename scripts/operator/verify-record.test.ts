/** The command for a user who trusts no one: files in, messages and a status out. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { dayFile, makeDayKey, publishDays } from '../../server/record/testing/day-fixtures.ts';
import { makeRecords } from '../../server/record/testing/record-fixtures.ts';

const SCRIPT = fileURLToPath(new URL('./verify-record.ts', import.meta.url));
const key = makeDayKey();
let folder: string;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'kat-verify-'));
  const [day] = await publishDays(makeRecords({ slots: 3, syms: ['BTCUSDT.P'] }), [key]);
  const [other] = await publishDays(makeRecords({ slots: 3, syms: ['BTCUSDT.P'], seed: 'other' }), [key]);
  writeFileSync(join(folder, 'day.ndjson'), day?.file ?? '');
  writeFileSync(join(folder, 'other.ndjson'), other?.file ?? '');
  writeFileSync(join(folder, 'tampered.ndjson'), (day?.file ?? '').replace('serving', 'shadow'));
  writeFileSync(
    join(folder, 'invented.ndjson'),
    dayFile({ day: '2025-11-12', statement: null, signature: null, keys: [] }, other?.texts ?? []),
  );
  const running = { day: day?.day ?? '', statement: null, signature: null, keys: day?.head.keys ?? [] };
  writeFileSync(join(folder, 'running.ndjson'), dayFile(running, day?.texts ?? []));
  writeFileSync(join(folder, 'cut.ndjson'), dayFile(running, day?.texts.slice(0, -1) ?? []));
  writeFileSync(join(folder, 'no-keys.json'), '{"keys":[]}');
  writeFileSync(join(folder, 'keys.json'), JSON.stringify({ keys: day?.head.keys }));
});
afterAll(() => rmSync(folder, { recursive: true }));

function run(...args: string[]): { status: number | null; output: string } {
  const { status, stdout, stderr } = spawnSync(process.execPath, [SCRIPT, ...args], { cwd: folder, encoding: 'utf8' });
  return { status, output: stdout + stderr };
}

test('ends with 0 for a sound day, and names the key’s source and what that is worth', () => {
  const own = run('day.ndjson');
  const withKey = run('day.ndjson', '--key', key.public, '--against', 'day.ndjson');

  expect(own).toMatchObject({ status: 0 });
  expect(own.output).toContain(`No key was given, so the one in the file was used: ${key.id}`);
  expect(withKey).toMatchObject({ status: 0 });
  expect(withKey.output).toContain('9 records');
  expect(withKey.output).not.toMatch(/note|open|WRONG/);
  expect(run('day.ndjson', '--key', 'keys.json').output).toContain(`Key ${key.id} (given)`);
});

test('ends with 1 for a fault, and reports it in sentences', () => {
  expect(run('tampered.ndjson')).toMatchObject({
    status: 1,
    output: expect.stringContaining('WRONG  Record 2 does not link to record 1'),
  });
  expect(run('other.ndjson', '--against', 'day.ndjson')).toMatchObject({ status: 1 });
  expect(run('cut.ndjson', '--against', 'running.ndjson')).toMatchObject({
    status: 1,
    output: expect.stringContaining('WRONG  Record 9 of your copy is missing from the file for'),
  });
  expect(run('running.ndjson', '--against', 'cut.ndjson')).toMatchObject({ status: 0 });
  expect(run('keys.json')).toMatchObject({ status: 1, output: expect.stringContaining('is neither') });
});

test('ends with 1 for an invented day without a signature when a key is passed', () => {
  const { status, output } = run('invented.ndjson', '--key', key.public);

  expect(status).toBe(1);
  expect(output).toContain('has ended but is not signed');
  expect(output).toContain('No signature was checked');
  expect(output).not.toContain('Everything that could be checked');
});

test('ends with 2 for files and arguments that cannot be read', () => {
  for (const args of [
    [],
    ['gone.ndjson'],
    ['day.ndjson', '--key', 'day.ndjson'],
    ['day.ndjson', '--key', 'no-keys.json'],
    ['day.ndjson', '--what'],
  ])
    expect(run(...args).status).toBe(2);
});
