/** Repository layout: each top-level folder has a list of its contents. */
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const ROOT = join(import.meta.dirname, '../..');
const ROOFS = ['domain', 'server', 'web', 'sandbox', 'scripts', 'tests', 'lab', 'packages'] as const;

test.each([...ROOFS, 'supabase'])('lists in %s/README.md every folder beside it', (roof) => {
  const readme = readFileSync(join(ROOT, roof, 'README.md'), 'utf8');
  const folders = globSync(`${roof}/*/`, { cwd: ROOT }).map((path) => path.slice(roof.length + 1).replace('/', ''));
  const unnamed = folders.filter(
    (name) => name !== 'testing' && name !== 'node_modules' && !readme.includes(`${name}/`),
  );

  expect(unnamed).toEqual([]);
});
