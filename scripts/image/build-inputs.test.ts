import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { docSections } from '../docs/doc-pages.ts';
import { ROOT } from '../steps.ts';

const read = (file: string): string => readFileSync(join(ROOT, file), 'utf8');
const isBelow = (file: string, paths: readonly string[]): boolean =>
  paths.some((path) => file === path || file.startsWith(`${path}/`));

test('copies into the image’s builder each source of the documentation and each project of the compiler', () => {
  const stage = /AS site\n(.*?)\nFROM /s.exec(read('Dockerfile'))?.[1] ?? '';
  const copied = [...stage.matchAll(/^COPY (.*) \S+$/gm)].flatMap(([, paths = '']) => paths.split(' '));
  const projects = [...read('tsconfig.json').matchAll(/"path": "\.\/(\w+)"/g)].map(
    ([, name]) => `${name}/tsconfig.json`,
  );
  const pages = docSections(ROOT).flatMap((section) => section.pages.map(({ file }) => file));

  expect(projects).toContain('lab/tsconfig.json');
  expect([...projects, ...pages].filter((file) => !isBelow(file, copied))).toEqual([]);
});

test('lets them reach the builder', () => {
  const patterns = read('.dockerignore')
    .split('\n')
    .filter((line) => line.startsWith('!'));
  const reached = patterns.map((line) => line.slice(1));

  expect(reached).toEqual(expect.arrayContaining(['packages', 'lab/tsconfig.json', 'lab/**/*.md', 'docs']));
});
