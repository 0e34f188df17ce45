/** The interpreters here are shell scripts with fixed answers, so the tests need and change no real Python. */
import { chmodSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { choosePython, type PythonPlaces } from './choose-python.ts';

let folder: string;
let places: PythonPlaces;
let lines: string[];

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'kat-python-'));
  const trainingDir = join(folder, 'training');
  mkdirSync(trainingDir);
  places = { trainingDir, basePython: join(folder, 'base'), systemPython: join(folder, 'system') };
  lines = [];
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const ownPython = (): string => join(places.trainingDir, '.venv', 'bin', 'python');
const choose = (): string => choosePython(places, (line) => lines.push(line));

/** A fake interpreter whose import and install succeed or fail as configured. */
function anInterpreter(path: string, can: { import?: boolean; install?: boolean }): void {
  mkdirSync(dirname(path), { recursive: true });
  const answer = (isAble: boolean | undefined): string => `exit ${isAble ? 0 : 1}`;
  const pip = `-m) ${answer(can.install)};;`;
  writeFileSync(path, `#!/bin/sh\ncase "$1" in\n-c) ${answer(can.import)};;\n${pip}\nesac\nexit 2\n`);
  chmodSync(path, 0o755);
}

/** A fake base interpreter: `-m venv DIR` puts a configured interpreter there. */
function aBaseThatMakes(can: { import: boolean; install: boolean }): void {
  const template = join(folder, 'template');
  anInterpreter(template, can);
  writeFileSync(places.basePython, `#!/bin/sh\nmkdir -p "$3/bin" && cp -p "${template}" "$3/bin/python"\n`);
  chmodSync(places.basePython, 0o755);
}

function aLockFile(): void {
  writeFileSync(join(places.trainingDir, 'requirements.lock'), 'torch\n');
}

test('takes an existing environment that can train before all others', () => {
  anInterpreter(ownPython(), { import: true });
  anInterpreter(places.systemPython, { import: true });

  expect(choose()).toBe(ownPython());
  expect(lines).toEqual([]);
});

test('skips an environment that cannot train, says so, and leaves it alone', () => {
  anInterpreter(ownPython(), { import: false });
  anInterpreter(places.systemPython, { import: true });

  expect(choose()).toBe(places.systemPython);
  expect(lines.join()).toContain('cannot import torch and onnx');
  expect(existsSync(ownPython())).toBe(true);
});

test('creates an environment from the lock file when there is none and pip can install it', () => {
  aLockFile();
  aBaseThatMakes({ import: true, install: true });
  anInterpreter(places.systemPython, { import: true });

  expect(choose()).toBe(ownPython());
});

test.each([
  ['pip fails', { import: true, install: false }],
  ['what pip installed cannot be imported', { import: false, install: true }],
])('removes half an environment and takes the system Python where %s', (_when, can) => {
  aLockFile();
  aBaseThatMakes(can);
  anInterpreter(places.systemPython, { import: true });

  expect(choose()).toBe(places.systemPython);
  expect(lines.join()).toContain('pip could not install');
  expect(existsSync(join(places.trainingDir, '.venv'))).toBe(false);
});

test('creates nothing without a lock file', () => {
  aBaseThatMakes({ import: true, install: true });
  anInterpreter(places.systemPython, { import: true });

  expect(choose()).toBe(places.systemPython);
  expect(lines.join()).toContain('requirements.lock is missing');
});

test('names the two packages in the error when no Python can train', () => {
  anInterpreter(places.systemPython, { import: false });

  expect(choose).toThrow(/python3-torch python3-onnx/);
});
