/** Commands in the documents: each is known to work, and what newcomers read first stays short. */
import { existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ROOT } from '../steps.ts';
import {
  commandDocuments,
  commandFault,
  commandsIn,
  formOf,
  type ShownCommand,
  settingsNoOneReads,
  shownCommands,
  typedCommands,
} from './document-commands.ts';
import { SHOWN_COMMANDS } from './shown-commands.ts';

const read = (file: string): string => readFileSync(join(ROOT, file), 'utf8');
const faultsOf = (file: string, commands: readonly ShownCommand[]): string[] =>
  commands.flatMap((command) => {
    const fault = commandFault(command);
    return fault === null ? [] : [`${file}:${command.line}: ${fault}`];
  });
const faultOf = (text: string): string | null => {
  const [command] = commandsIn(text);
  return command === undefined ? 'no command' : commandFault(command);
};

test('finds commands in inline code and in blocks, with their lines', () => {
  const markdown =
    'Run `npm test`.\n\n```sh\nnpm start -- --demo  # all\nSEED=1 npm run load -- week --fast && ls\n```\n\nnpm run no-code';

  expect(shownCommands(markdown)).toEqual([
    { line: 1, name: 'test', args: [] },
    { line: 4, name: 'start', args: ['--demo'] },
    { line: 5, name: 'load', args: ['week', '--fast'] },
  ]);
});

test.each([
  'npm start',
  'npm start -- --demo',
  'npm test -- --changed --since HEAD~1',
  'npm test -- night',
  'npm test -- FILE...',
  'npm test -- scripts/checks/document-commands.test.ts',
  'npm run bench -- NAME',
  'npm run keys -- --rotate',
])('accepts %s', (text) => {
  expect(faultOf(text)).toBeNull();
});

test.each([
  ['npm run nonsense', 'There is no command nonsense'],
  ['npm run bench -- nonsense', 'There is no bench nonsense'],
  ['npm test -- nonsense', 'npm run test has no nonsense'],
  ['npm test -- --nonsense', 'knows no --nonsense'],
  ['npm test -- scripts/nonsense.test.ts', 'There is no file scripts/nonsense.test.ts'],
])('refuses %s', (text, fault) => {
  expect(faultOf(text)).toContain(fault);
});

test('shows no command in a document that does not exist', () => {
  const files = globSync(['*.md', '{docs,models,training}/**/*.md', '*/README.md', '.github/**/*.md'], {
    cwd: ROOT,
    // The change log names former commands.
    exclude: ['node_modules/**', 'CHANGELOG.md'],
  });
  const commands = files.map((file) => ({ file, shown: shownCommands(read(file)) }));

  expect(commands.flatMap(({ shown }) => shown).length).toBeGreaterThan(100);
  expect(commands.flatMap(({ file, shown }) => faultsOf(file, shown))).toEqual([]);
});

test('finds what a reader types: lines of blocks without comments, and commands between backticks', () => {
  const markdown = [
    'Run `git switch -c a`, never `git`; `npm` and `select` are words.',
    '```sh',
    'umask 077   # the folder is closed',
    "control() { node -e '",
    '  one()',
    "  two()' }",
    '```',
    '```',
    'DAYS=7 npm run load --  week',
    '```',
    '| a | `delete from b` |',
    '|---|---|',
    '```sql',
    'alter table a',
    '  add column b int;',
    'grant select on a to b;',
    '```',
  ].join('\n');

  expect(typedCommands(markdown)).toEqual([
    { line: 1, text: 'git switch -c a' },
    { line: 3, text: 'umask 077' },
    { line: 4, text: "control() { node -e '" },
    { line: 9, text: 'DAYS=7 npm run load -- week' },
    { line: 11, text: 'delete from b' },
    { line: 14, text: 'alter table a' },
    { line: 16, text: 'grant select on a to b;' },
  ]);
});

test.each([
  ['PORT=3001 npm start', 'npm start'],
  ['DAYS=7 npm run load -- week kill-server --rounds 2', 'npm run load -- week'],
  ['npm test -- repeat --times 20', 'npm test -- repeat'],
  ['npm test -- web/a.test.tsx tests/e2e/', 'npm test -- FILE'],
  ['npm test -- --changed', 'npm test -- --changed'],
  ['npm run bench -- nonsense', 'npm run bench -- nonsense'],
  ['npm run keys -- --rotate', 'npm run keys -- --rotate'],
])('takes %s as a form of %s', (text, form) => {
  expect(formOf(text)).toBe(form);
});

const typed = commandDocuments().flatMap((file) =>
  typedCommands(read(file)).map(({ line, text }) => ({ at: `${file}:${line}`, text })),
);

test('knows for every command in the documents that it runs, or why it cannot', () => {
  const forms = new Set(typed.map(({ text }) => formOf(text)));
  const unknown = typed.filter(({ text }) => !(formOf(text) in SHOWN_COMMANDS));

  expect(typed.length).toBeGreaterThan(150);
  expect(unknown.map(({ at, text }) => `${at}: ${text}`)).toEqual([]);
  expect(Object.keys(SHOWN_COMMANDS).filter((form) => !forms.has(form))).toEqual([]);
});

test('names for a command only files that run it', () => {
  const faults = Object.entries(SHOWN_COMMANDS).flatMap(([form, proof]) => {
    if (!('by' in proof)) return [];
    if (!existsSync(join(ROOT, proof.by))) return [`${form}: ${proof.by} does not exist`];
    return read(proof.by).includes(proof.holds) ? [] : [`${form}: ${proof.by} does not contain ${proof.holds}`];
  });

  expect(faults).toEqual([]);
});

test('shows before a command only settings that it reads', () => {
  const faults = typed.flatMap(({ at, text }) => settingsNoOneReads(text).map((name) => `${at}: no one reads ${name}`));

  expect(faults).toEqual([]);
  expect(settingsNoOneReads('NONSENSE=1 PORT=3001 npm start')).toEqual(['NONSENSE']);
});

test('calls no command in a workflow, a form or the development container that does not exist', () => {
  const files = globSync(['.github/**/*.yml', '.devcontainer/*', '.ci/*'], { cwd: ROOT });
  const scripts = files.flatMap((file) => [...read(file).matchAll(/\bbash (\S+)/g)].map(([, path = '']) => path));

  expect(files.flatMap((file) => faultsOf(file, commandsIn(read(file))))).toEqual([]);
  expect(scripts).toContain('.ci/run');
  expect(scripts.filter((path) => !existsSync(join(ROOT, path)))).toEqual([]);
});

test('names only files and folders that exist in the guide for contributors', () => {
  const paths = [...read('CONTRIBUTING.md').matchAll(/`((?:[\w.-]+\/)+(?:[\w.-]+\.\w+)?)`/g)].map(
    ([, path = '']) => path,
  );

  expect(paths.length).toBeGreaterThan(30);
  expect(paths.filter((path) => !existsSync(join(ROOT, path)))).toEqual([]);
});

test('describes a first change that is still to be made', () => {
  const [rules, cases] = ['ts', 'test.ts'].map((end) => read(`domain/account/device-name.${end}`));

  expect(rules).toContain("'Vivaldi'");
  expect(rules).not.toContain('Whale');
  expect(cases).toContain("'Unknown browser on Windows'");
});

test('holds the README within 90 lines', () => {
  expect(read('README.md').trimEnd().split('\n').length).toBeLessThanOrEqual(90);
});
