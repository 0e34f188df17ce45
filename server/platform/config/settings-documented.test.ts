/** Compares .env.example, the list that the documents refer to, with the settings that are read. */
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const ROOT = join(import.meta.dirname, '../../..');
const read = (path: string) => readFileSync(join(ROOT, path), 'utf8');
const sources = globSync('server/platform/config/config*.ts', { cwd: ROOT }).filter((file) => !file.includes('.test.'));
const settings = new Set(
  sources.flatMap((file) => [...read(file).matchAll(/^ {2}([A-Z][A-Z0-9_]+): /gm)].map(([, name = '']) => name)),
);

test('lists exactly the existing settings in .env.example', () => {
  const listed = [...read('.env.example').matchAll(/^(?:# ?)?([A-Z][A-Z0-9_]+)=/gm)].map(([, name = '']) => name);

  expect(settings.size).toBeGreaterThan(40);
  expect([...settings].filter((name) => !listed.includes(name))).toEqual([]);
  expect(listed.filter((name) => !settings.has(name))).toEqual([]);
});
