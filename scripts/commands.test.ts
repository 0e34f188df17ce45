import { existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import * as z from 'zod/mini';
import { COMMANDS, GROUPS, resolveCommand } from './commands.mjs';

const ROOT = join(import.meta.dirname, '..');
const read = (file: string): string => readFileSync(join(ROOT, file), 'utf8');
const npmScripts = Object.keys(
  z.object({ scripts: z.record(z.string(), z.string()) }).parse(JSON.parse(read('package.json'))).scripts,
);

test('offers the same commands through npm as the table has', () => {
  expect(npmScripts.sort()).toEqual([...new Set([...Object.keys(COMMANDS), ...Object.keys(GROUPS)])].sort());
});

test('names a file that exists for every command', () => {
  const commands = [...Object.values(COMMANDS), ...Object.values(GROUPS).flatMap((group) => Object.values(group))];
  expect(commands.filter(({ file }) => !existsSync(join(ROOT, file)))).toEqual([]);
});

test('passes what follows a group’s name on to its command', () => {
  expect(resolveCommand('bench', ['rest', '--rows', '5'])).toEqual({
    file: 'bench/database/rest.ts',
    args: ['--rows', '5'],
  });
});

test('runs a command that is also a group with arguments that are no name of the group', () => {
  expect(resolveCommand('test', ['server/app.test.ts'])).toEqual({
    file: 'scripts/test.ts',
    args: ['server/app.test.ts'],
  });
  expect(resolveCommand('test', ['night'])).toEqual({ file: 'scripts/test-commands/test-night.ts', args: [] });
});

test.each([
  [undefined, [], 'There is no command (none given)'],
  ['nonsense', [], 'There is no command nonsense'],
  ['constructor', [], 'There is no command constructor'],
  ['bench', [], 'npm run bench needs a name. Names: forecast, house'],
  ['load', ['constructor'], 'There is no load constructor. Names: node, overload'],
])('refuses %s %j and lists what there is', (name, args, message) => {
  expect(resolveCommand(name, args)).toEqual({ error: expect.stringContaining(message) });
});

test('mentions only existing commands in documents', () => {
  const files = globSync(
    ['*.md', '{docs,web,training,models,deploy,server,scripts,bench,tests}/**/*.{md,ts,tsx,yml}'],
    {
      cwd: ROOT,
      exclude: ['**/node_modules/**', 'scripts/{commands.test,help}.ts'],
    },
  );
  const mentioned = files
    .filter((file) => file !== 'CHANGELOG.md')
    .flatMap((file) =>
      [
        ...read(file).matchAll(
          /npm (?:run )?(?<name>(?<=npm run )[a-z]+(?::[a-z-]+)?|test)(?: -- (?<first>[a-z][a-z-]*)(?![\w./]))?/g,
        ),
      ]
        .filter(([text]) => text.startsWith('npm run') || text.startsWith('npm test'))
        .map(({ groups }) => ({ file, name: groups?.name ?? '', first: groups?.first })),
    );
  const isKnown = ({ name, first }: { name: string; first: string | undefined }): boolean => {
    const group = GROUPS[name];
    if (group === undefined) return name in COMMANDS;
    return first === undefined || first in group || name in COMMANDS;
  };

  expect(mentioned.length).toBeGreaterThan(100);
  expect(mentioned.filter((mention) => !isKnown(mention))).toEqual([]);
});
