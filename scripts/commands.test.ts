import { existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import * as z from 'zod/mini';
import { commandsIn, isOfLab, PRODUCT, type ShownCommand } from './checks/document-commands.ts';
import { COMMANDS, GROUPS } from './commands.mjs';
import { resolveCommand } from './resolve-command.mjs';

const ROOT = join(import.meta.dirname, '..');
const read = (file: string): string => readFileSync(join(ROOT, file), 'utf8');
const npmScripts = Object.keys(
  z.object({ scripts: z.record(z.string(), z.string()) }).parse(JSON.parse(read('package.json'))).scripts,
);

test('offers the same commands through npm as the table has, and the laboratory', () => {
  const own = [...Object.keys(COMMANDS), ...Object.keys(GROUPS)];

  expect(npmScripts.sort()).toEqual([...new Set([...own, 'bench', 'lab'])].sort());
});

test('names a file that exists for every command', () => {
  const commands = [...Object.values(COMMANDS), ...Object.values(GROUPS).flatMap((group) => Object.values(group))];
  expect(commands.filter(({ file }) => !existsSync(join(ROOT, file)))).toEqual([]);
});

test('passes what follows a group’s name on to its command', () => {
  expect(resolveCommand('user', ['erase', '--email', 'a@example.org'], PRODUCT)).toEqual({
    file: 'scripts/operator/user-erase.ts',
    args: ['--email', 'a@example.org'],
  });
});

test('runs a command that is also a group with arguments that are no name of the group', () => {
  expect(resolveCommand('test', ['server/app.test.ts'], PRODUCT)).toEqual({
    file: 'scripts/test.ts',
    args: ['server/app.test.ts'],
  });
  expect(resolveCommand('test', ['night'], PRODUCT)).toEqual({ file: 'scripts/test-commands/test-night.ts', args: [] });
});

test.each([
  [undefined, [], 'There is no command (none given)'],
  ['nonsense', [], 'There is no command nonsense'],
  ['constructor', [], 'There is no command constructor'],
  ['user', [], 'user needs a name. Names: invite, export, erase'],
  ['release', ['constructor'], 'There is no release constructor. Names: packages, client-types'],
])('refuses %s %j and lists what there is', (name, args, message) => {
  expect(resolveCommand(name, args, PRODUCT)).toEqual({ error: expect.stringContaining(message) });
});

test('mentions only existing commands in sources', () => {
  const files = globSync('{domain,server,web,sandbox,scripts,tests,deploy}/**/*.{ts,tsx,mjs,yml,yaml,css}', {
    cwd: ROOT,
    // They name commands that do not exist.
    exclude: ['**/node_modules/**', 'scripts/{commands,checks/document-commands}.test.ts', 'scripts/help.ts'],
  });
  const mentions = files.flatMap((file) => commandsIn(read(file)).map((command) => ({ ...command, file })));
  const isKnown = (command: ShownCommand): boolean => {
    const {
      name,
      args: [first],
    } = command;
    if (isOfLab(command)) return true;
    const isOfGroup = first !== undefined && /^[a-z][a-z-]*$/.test(first);
    return isOfGroup && !(name in COMMANDS) ? first in (GROUPS[name] ?? {}) : name in COMMANDS || name in GROUPS;
  };

  expect(mentions.length).toBeGreaterThan(50);
  expect(mentions.filter((mention) => !isKnown(mention))).toEqual([]);
});
