/** The security documents name only existing tests and files, and at least one for each threat. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ROOT } from '../site/site-cache.ts';

const read = (name: string): string => readFileSync(join(ROOT, name), 'utf8');
const rowsOf = (text: string, heading: string): string[][] =>
  (text.split(`## ${heading}\n`)[1]?.split('\n## ')[0] ?? '')
    .split('\n')
    .filter((line) => line.startsWith('|'))
    .slice(2)
    .map((line) =>
      line
        .split('|')
        .slice(1, -1)
        .map((cell) => cell.trim()),
    );
const NAMED = /`((?:tests|server|domain|web|scripts|supabase|deploy|docs)\/[^`*{}]+)`/g;

test.each(['SECURITY.md', 'docs/threat-model.md', 'docs/asvs.md'])('finds every file that %s names', (document) => {
  const names = [...read(document).matchAll(NAMED)].map(([, name = '']) => name);

  expect(names.length).toBeGreaterThan(0);
  expect(names.filter((name) => !existsSync(join(ROOT, name)))).toEqual([]);
});

test('gives each threat a kind, a control and a test', () => {
  const rows = rowsOf(read('docs/threat-model.md'), 'Threats');

  expect(rows.length).toBeGreaterThan(30);
  for (const [threat = '', kinds = '', control = '', proof = ''] of rows) {
    expect(kinds, threat).toMatch(/^[STRIDE]( [STRIDE])*$/);
    expect(control.length, threat).toBeGreaterThan(10);
    expect(proof, threat).toMatch(/`[^`]+\.test\.tsx?`/);
  }
  expect(new Set(rows.flatMap(([, kinds = '']) => kinds.split(' '))).size).toBe(6);
});

test('meets each requirement with evidence, or says that it does not', () => {
  const sections = read('docs/asvs.md').split('\n## ').slice(1);
  const rows = sections.flatMap((section) => rowsOf(`## ${section}`, section.split('\n')[0] ?? ''));

  expect(rows.length).toBeGreaterThan(60);
  for (const [requirement = '', verdict = '', evidence = ''] of rows) {
    expect(verdict, requirement).toMatch(/^(?:met|in part|not met|not applicable)$/);
    if (verdict === 'met') expect(evidence, requirement).toMatch(/`[^`]+`|\]\(/);
    else expect(evidence.length, requirement).toBeGreaterThan(10);
  }
});
