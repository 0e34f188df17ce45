/** Commands of the laboratory, as documents and sources mention them. */
import { existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import * as z from 'zod/mini';
import { commandFault, commandsIn, isOfLab, shownCommands } from '../scripts/checks/document-commands.ts';
import { ROOT } from '../scripts/steps.ts';
import { COMMANDS, GROUPS } from './commands.mjs';

const LAB = { alone: COMMANDS, groups: GROUPS };
const read = (file: string): string => readFileSync(join(ROOT, file), 'utf8');

test('names a file that exists for every command, and offers each through npm', () => {
  const commands = [...Object.values(COMMANDS), ...Object.values(GROUPS).flatMap((group) => Object.values(group))];
  const { scripts } = z
    .object({ scripts: z.record(z.string(), z.string()) })
    .parse(JSON.parse(read('lab/package.json')));

  expect(commands.filter(({ file }) => !existsSync(join(ROOT, file)))).toEqual([]);
  expect(Object.keys(scripts).sort()).toEqual([...Object.keys(COMMANDS), ...Object.keys(GROUPS)].sort());
});

test('mentions only existing commands of the laboratory in documents and sources', () => {
  const documents = globSync(['*.md', '{docs,models,lab}/**/*.md', '*/README.md', '.github/**/*.{md,yml}'], {
    cwd: ROOT,
    // The change log names former commands.
    exclude: ['**/node_modules/**', 'CHANGELOG.md'],
  }).filter((file) => !file.startsWith('docs/decisions/'));
  const sources = globSync('{domain,server,web,sandbox,scripts,tests,lab}/**/*.{ts,tsx,mjs,css}', {
    cwd: ROOT,
    exclude: ['**/node_modules/**', '**/*.test.ts'],
  });
  const mentioned = [
    ...documents.flatMap((file) =>
      (file.endsWith('.md') ? shownCommands : commandsIn)(read(file)).map((command) => ({ file, command })),
    ),
    ...sources.flatMap((file) =>
      commandsIn(read(file).replaceAll(/\.?['’][,;.)]/g, '\n')).map((command) => ({ file, command })),
    ),
  ].filter(({ command }) => isOfLab(command));
  const faults = mentioned.flatMap(({ file, command: { name, args, line } }) => {
    const [group = 'help', ...rest] = args;
    const command = name === 'bench' ? { name, args, line } : { name: group, args: rest, line };
    const fault = /^[A-Z<$[{.]/.test(command.name) ? null : commandFault(command, LAB);
    return fault === null ? [] : [`${file}:${line}: ${fault}`];
  });

  expect(faults).toEqual([]);
  expect(mentioned.length).toBeGreaterThan(40);
});
