/** Repository layout: small folders, and top-level folders with a list of their contents. */
import { globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';

const ROOT = join(import.meta.dirname, '../..');
const ROOFS = ['domain', 'server', 'web', 'sandbox', 'scripts', 'tests', 'bench', 'packages'] as const;
const MAX_FILES = 15;

test('allows no folder more than fifteen source files side by side', () => {
  const files = globSync(`{${ROOFS.join(',')}}/**/*.{ts,tsx,mjs}`, { cwd: ROOT, exclude: ['**/node_modules/**'] });
  const counts = new Map<string, number>();
  for (const file of files.filter((name) => !name.includes('.test.'))) {
    counts.set(dirname(file), (counts.get(dirname(file)) ?? 0) + 1);
  }

  expect(files.length).toBeGreaterThan(1000);
  expect([...counts].filter(([, count]) => count > MAX_FILES)).toEqual([]);
});

test.each([...ROOFS, 'supabase'])('lists in %s/README.md every folder beside it', (roof) => {
  const readme = readFileSync(join(ROOT, roof, 'README.md'), 'utf8');
  const folders = globSync(`${roof}/*/`, { cwd: ROOT }).map((path) => path.slice(roof.length + 1).replace('/', ''));
  const unnamed = folders.filter(
    (name) => name !== 'testing' && name !== 'node_modules' && !readme.includes(`${name}/`),
  );

  expect(unnamed).toEqual([]);
});
