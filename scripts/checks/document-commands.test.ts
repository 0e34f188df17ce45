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
  isOfLab,
  type ShownCommand,
  settingsNoOneReads,
  shownCommands,
  typedCommands,
} from './document-commands.ts';
import { SHOWN_COMMANDS } from './shown-commands.ts';

const read = (file: string): string => readFileSync(join(ROOT, file), 'utf8');
const faultsOf = (file: string, commands: readonly ShownCommand[]): string[] =>
  commands.flatMap((command) => {
    const fault = isOfLab(command) ? null : commandFault(command);
    return fault === null ? [] : [`${file}:${command.line}: ${fault}`];
  });
const faultOf = (text: string): string | null => {
  const [command] = commandsIn(text);
  return command === undefined ? 'no command' : commandFault(command);
};

test.each([
  ['npm run nonsense', 'There is no command nonsense'],
  ['npm run user -- nonsense', 'There is no user nonsense'],
  ['npm test -- nonsense', 'npm run test has no nonsense'],
  ['npm test -- --nonsense', 'knows no --nonsense'],
  ['npm test -- scripts/nonsense.test.ts', 'There is no file scripts/nonsense.test.ts'],
])('refuses %s', (text, fault) => {
  expect(faultOf(text)).toContain(fault);
});

test('shows no command in a document that does not exist', () => {
  const files = globSync(['*.md', '{docs,models}/**/*.md', '*/README.md', '.github/**/*.md'], {
    cwd: ROOT,
    // The change log names former commands.
    exclude: ['node_modules/**', 'CHANGELOG.md'],
  });
  const commands = files.map((file) => ({ file, shown: shownCommands(read(file)) }));

  expect(commands.flatMap(({ shown }) => shown).length).toBeGreaterThan(100);
  expect(commands.flatMap(({ file, shown }) => faultsOf(file, shown))).toEqual([]);
});

const typed = commandDocuments().flatMap((file) =>
  typedCommands(read(file))
    .filter(({ text }) => !commandsIn(text).some(isOfLab))
    .map(({ line, text }) => ({ at: `${file}:${line}`, text })),
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
