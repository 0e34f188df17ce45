/** Compares class names with their CSS files: a class without its rule loses its style, and no compiler reports it. */
import { globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';

const ROOT = join(import.meta.dirname, '../..');
const read = (path: string) => readFileSync(join(ROOT, path), 'utf8');
const IMPORTED = /import (\w+) from '([^']+\.module\.css)'/g;

test('finds every class that a component names in its styles', () => {
  const components = globSync('web/**/*.tsx', { cwd: ROOT });
  const lost = components.flatMap((component) => {
    const text = read(component);
    return [...text.matchAll(IMPORTED)].flatMap(([, name = '', path = '']) => {
      const known = new Set(read(join(dirname(component), path)).match(/(?<=\.)[A-Za-z][\w-]*/g));
      const named = text.match(new RegExp(`(?<=\\b${name}\\.)(?!module\\.css)\\w+(?!\\w*['"])`, 'g')) ?? [];
      return named.filter((one) => !known.has(one)).map((one) => `${component}: ${name}.${one}`);
    });
  });

  expect(components.length).toBeGreaterThan(100);
  expect(lost).toEqual([]);
});
