/** What newcomers read first: every command in it runs, and the README stays short. */
import { existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ROOT } from '../steps.ts';
import { commandFault, commandsIn, type ShownCommand, shownCommands } from './document-commands.ts';

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
    'Run `npm test`.\n\n```sh\nnpm start -- --demo  # all\nSEED=1 npm run load -- faults kill-server && ls\n```\n\nnpm run no-code';

  expect(shownCommands(markdown)).toEqual([
    { line: 1, name: 'test', args: [] },
    { line: 4, name: 'start', args: ['--demo'] },
    { line: 5, name: 'load', args: ['faults', 'kill-server'] },
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
  expect(cases).toContain("'A browser on Windows'");
});

test('holds the README within 90 lines', () => {
  expect(read('README.md').trimEnd().split('\n').length).toBeLessThanOrEqual(90);
});
