/** Commands of the laboratory with mistyped arguments: they print no stack trace and start nothing. */
import { spawnSync } from 'node:child_process';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const NOWHERE = join(tmpdir(), 'no-such-folder-of-candles');

test.each([
  ['training/export-windows.ts', [], '--data and --out are needed'],
  ['training/train.ts', ['bobcat', '--data', NOWHERE, '--foo'], "Unknown option '--foo'"],
  ['training/train.ts', ['tiger', '--data', NOWHERE], 'one model is needed'],
  ['training/train.ts', ['bobcat'], '--data DIR is needed'],
  ['training/train.ts', ['bobcat', '--data', NOWHERE], "isn't a readable folder"],
  ['training/train.ts', ['bobcat', '--data', NOWHERE, '--timeframe', '7min'], '--timeframe 7min: one of 1min'],
  [
    'training/train.ts',
    ['bobcat', '--data', NOWHERE, '--without', 'sol'],
    '--without sol: a coin such as SOL is needed',
  ],
  ['training/measure-unseen.ts', ['--data', NOWHERE, '--stride', '15'], 'a stride of 15 shares a factor with 60'],
  [
    'measure/rebuild-figures.ts',
    ['--data', NOWHERE, '--lines', 'F.jsonl', '--from', 'nonsense'],
    "--from nonsense isn't an ISO date",
  ],
  ['measure/rebuild-figures.ts', ['--data', NOWHERE], '--data and --lines are needed'],
  ['training/measure-models.ts', ['--data', NOWHERE, '--foo'], "Unknown option '--foo'"],
  ['training/measure-models.ts', ['--data', NOWHERE, '--stride', '1e1'], '--stride 1e1: a whole number'],
  ['training/measure-models.ts', ['--data', NOWHERE, '--stride', '15'], 'a stride of 15 shares a factor with 60'],
  ['training/finish-model.ts', ['lion', '--foo'], "Unknown option '--foo'"],
  ['training/finish-model.ts', ['lion', '--data', NOWHERE], '--data, --network, --training and --out are all needed'],
])('says why %s rejects %j, with the usage', (script, args, message) => {
  const { status, stdout, stderr } = run(script, args);

  expect(status, stderr).toBe(2);
  expect(stderr).toContain(message);
  expect(stderr).toContain('\nusage: n');
  expect(stderr).not.toMatch(/^\s+at /m);
  expect(stdout).toBe('');
});

test.each([
  ['training/measure-models.ts', []],
  ['training/export-windows.ts', ['--out', join(NOWHERE, 'cache')]],
])('%s says in one line that a folder cannot be read', (script, args) => {
  const { status, stderr } = run(script, ['--data', NOWHERE, ...args]);

  expect(status).toBe(2);
  expect(stderr).toBe(`${NOWHERE} isn't a readable folder\n`);
});

function run(script: string, args: readonly string[]): { status: number | null; stdout: string; stderr: string } {
  return spawnSync(process.execPath, [join(import.meta.dirname, script), ...args], { encoding: 'utf8' });
}
