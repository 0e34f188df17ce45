/** Runs scripts with mistyped arguments: they print no stack trace and start nothing. */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { BadInput } from './bad-input.ts';
import { readOrExit, secondsOfIso } from './command-line.ts';

test.each([
  ['test-commands/test-repeat.ts', ['--times', '0'], '--times 0: a whole number from 1 on is needed'],
  ['test-commands/test-repeat.ts', ['no-such-file.test.ts'], 'no test file matches no-such-file.test.ts'],
  ['test-commands/test-mutations.ts', ['--foo'], "Unknown option '--foo'"],
  ['test-commands/billing-histories.ts', ['--histories', 'many'], '--histories many: a whole number from 1 on'],
])('says why %s rejects %j, with the usage', (script, args, message) => {
  const { status, stdout, stderr } = run(script, args);

  expect(status, stderr).toBe(2);
  expect(stderr).toContain(message);
  expect(stderr).toContain('\nusage: n');
  expect(stderr).not.toMatch(/^\s+at /m);
  expect(stdout).toBe('');
});

test('passes on an error that has nothing to do with arguments', () => {
  const failing = (): never => {
    throw new TypeError('a bug');
  };

  expect(() => readOrExit(failing)).toThrow('a bug');
});

test('reads a time without a zone as UTC, and moves no day that the calendar does not have', () => {
  expect(secondsOfIso('--from', '2025-03-01T12:00')).toBe(Date.parse('2025-03-01T12:00Z') / 1000);
  expect(() => secondsOfIso('--from', '2025-02-30')).toThrow(BadInput);
});

function run(script: string, args: readonly string[]): { status: number | null; stdout: string; stderr: string } {
  return spawnSync(process.execPath, [join(import.meta.dirname, script), ...args], { encoding: 'utf8' });
}
