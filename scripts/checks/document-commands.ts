/** The commands that documents show, and whether each npm command among them exists. */
import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fromMarkdown } from 'mdast-util-from-markdown';
import { COMMANDS, GROUPS } from '../commands.mjs';
import { type Commands, resolveCommand } from '../resolve-command.mjs';
import { ROOT } from '../steps.ts';
import { SHOWN_COMMANDS } from './shown-commands.ts';

type Node = ReturnType<typeof fromMarkdown> | ReturnType<typeof fromMarkdown>['children'][number];

export interface ShownCommand {
  /** Counted from 1. */
  line: number;
  /** The npm script: `test`. */
  name: string;
  args: readonly string[];
}

/** Up to a comment, a redirection or the next command. `npm ci` and the like are npm's own. */
const COMMAND = /\bnpm (?:run (?<run>[\w:-]+)|(?<short>start|test)\b)(?: -- (?<args>[^\n#;&|>`)]*))?/g;
/** Replaced by the reader: `NAME`, `<model>`, `...`, and a workflow's `${{ matrix.command }}`. */
const PLACEHOLDER = /^[A-Z<$[{]|\.\.\.$/;
const SOURCE_PATH = /^[\w-]+\/.*\.tsx?$/;

/** @returns the commands in code of a Markdown document, in its order */
export function shownCommands(markdown: string): ShownCommand[] {
  return codeOf(fromMarkdown(markdown)).flatMap(({ line, text }) =>
    commandsIn(text).map((command) => ({ ...command, line: line + command.line - 1 })),
  );
}

/** @param text  a shell script or a workflow @returns its commands, with lines of the text */
export function commandsIn(text: string): ShownCommand[] {
  return [...text.matchAll(COMMAND)].map(({ index, groups }) => ({
    line: text.slice(0, index).split('\n').length,
    name: groups?.run ?? groups?.short ?? '',
    args: groups?.args?.trim().split(/\s+/).filter(Boolean) ?? [],
  }));
}

export const PRODUCT: Commands = { alone: COMMANDS, groups: GROUPS };

/** @returns whether the laboratory has the command: its own test checks it, since nothing imports the laboratory */
export const isOfLab = ({ name }: ShownCommand): boolean => name === 'lab' || name === 'bench';

/** @returns why the command cannot run, or null: an unknown name, an unknown option or a missing file */
export function commandFault({ name, args }: ShownCommand, commands = PRODUCT): string | null {
  const [first] = args;
  const isPlaceholder = first === undefined || PLACEHOLDER.test(first);
  if (isPlaceholder && (name in commands.alone || name in commands.groups)) return null;
  const command = resolveCommand(name, args, commands);
  if ('error' in command) return command.error;
  const isGroupName = command.args.length < args.length;
  if (name in commands.groups && !isGroupName && first !== undefined && /^[a-z][a-z-]*$/.test(first)) {
    return `npm run ${name} has no ${first}.`;
  }
  const missing = command.args.find((arg) => SOURCE_PATH.test(arg) && !existsSync(join(ROOT, arg)));
  if (missing !== undefined) return `There is no file ${missing}.`;
  const sources = sourcesOf(command.file);
  const unknown = command.args
    .filter((arg) => arg.startsWith('--'))
    .find((arg) => !hasOption(sources, arg.slice(2).replace(/=.*/, '')));
  return unknown === undefined ? null : `${command.file} knows no ${unknown}.`;
}

/** One line of shell, or one SQL statement, that a reader types. */
export interface TypedCommand {
  /** Counted from 1. */
  line: number;
  /** Without its comment; the first line of several. */
  text: string;
}

/** A shell block needs no such beginning: all of its lines are commands. */
const PROGRAM =
  /^(?:[A-Z_]+=\S+ )*(?:npm (?:run \w|start|test|ci|audit)|node(?:_modules\/\.bin\/\S+)? |scripts\/\S+\.ts |(?:git|docker|kubectl|psql|openssl|supabase|apt-get|python) \S)/;
/** `PORT=3001 ` */
const SETTINGS = /^(?:[A-Z_]+=\S+ )+/;
const SQL = /^(?:select .* from|insert into|delete from|alter table|grant) \S/;

/** @returns the documents whose commands must run. Decisions and the change log have former commands. */
export function commandDocuments(): string[] {
  return globSync(['*.md', 'docs/{,operating/}*.md', 'models/**/*.md', '*/README.md', '.github/**/*.md'], {
    cwd: ROOT,
    exclude: ['node_modules/**', 'lab/**', 'CHANGELOG.md'],
  });
}

/** @returns what a reader of a Markdown document types: lines of shell and SQL blocks, and commands between backticks */
export function typedCommands(markdown: string): TypedCommand[] {
  return typedIn(fromMarkdown(markdown)).map(({ line, text }) => ({ line, text: text.replaceAll(/\s+/g, ' ').trim() }));
}

function typedIn(node: Node): TypedCommand[] {
  if (node.type === 'inlineCode') {
    const isTyped = PROGRAM.test(node.value) || SQL.test(node.value);
    return isTyped ? [{ line: node.position?.start.line ?? 1, text: node.value }] : [];
  }
  if (node.type !== 'code') return 'children' in node ? node.children.flatMap(typedIn) : [];
  const first = (node.position?.start.line ?? 0) + 1;
  const lines = node.value.split('\n');
  if (node.lang === 'sql') return wholeLines(lines, first, (text) => text.trimEnd().endsWith(';'));
  const isShell = ['sh', 'bash', 'shell'].includes(node.lang ?? '');
  if (!isShell && !(node.lang === null && lines.some((line) => PROGRAM.test(line)))) return [];
  const commands = lines.map((line) => line.replace(/\s+#\s.*$/, ''));
  // A quote that is still open continues on the next line.
  return wholeLines(commands, first, (text) => text.split("'").length % 2 === 1);
}

/** @returns the first line of each group of lines. @param isWhole  whether the group so far needs no other line */
function wholeLines(lines: readonly string[], first: number, isWhole: (text: string) => boolean): TypedCommand[] {
  const found: TypedCommand[] = [];
  let open = '';
  for (const [index, text] of lines.entries()) {
    if (open === '' && text.trim() !== '') found.push({ line: first + index, text });
    open += `${text}\n`;
    if (isWhole(open)) open = '';
  }
  return found;
}

/**
 * @returns what commands with other values have in common: no settings in front, no options of a program in a group or
 *   of our scripts, `FILE` for the paths of tests
 */
export function formOf(text: string): string {
  const command = text.replace(SETTINGS, '').replace(/^(node_modules\S+ scripts\/\S+\.ts) .*/, '$1');
  const [, group, first = ''] = /^npm (?:run )?([\w:]+) -- (\S+)/.exec(command) ?? [];
  if (group === undefined || !(group in GROUPS) || command in SHOWN_COMMANDS) return command;
  const call = `${group === 'test' ? 'npm' : 'npm run'} ${group} --`;
  if (first in (GROUPS[group] ?? {})) return `${call} ${first}`;
  return group === 'test' && first.includes('/') ? `${call} FILE` : command;
}

/** @returns the settings before an npm command (`PORT=3001 npm start`) that neither it nor the server reads */
export function settingsNoOneReads(text: string): string[] {
  const [first] = commandsIn(text);
  const command = first && resolveCommand(first.name, first.args, PRODUCT);
  if (command === undefined || 'error' in command) return [];
  const sources = [...sourcesOf(command.file).values(), readFileSync(join(ROOT, '.env.example'), 'utf8')];
  const names = SETTINGS.exec(text)?.[0].match(/[A-Z_]+(?==)/g) ?? [];
  return names.filter((name) => !sources.some((source) => new RegExp(`\\b${name}\\b`).test(source)));
}

function codeOf(node: Node): { line: number; text: string }[] {
  if (node.type === 'inlineCode') return [{ line: node.position?.start.line ?? 1, text: node.value }];
  // The fence is the first line.
  if (node.type === 'code') return [{ line: (node.position?.start.line ?? 0) + 1, text: node.value }];
  return 'children' in node ? node.children.flatMap(codeOf) : [];
}

/** Texts of a program and of the files that it imports by relative paths. */
function sourcesOf(file: string, found = new Map<string, string>()): Map<string, string> {
  if (found.has(file)) return found;
  const source = readFileSync(join(ROOT, file), 'utf8');
  found.set(file, source);
  for (const [, path = ''] of source.matchAll(/from '(\.[^']*)'/g)) {
    const imported = join(dirname(file), path);
    if (existsSync(join(ROOT, imported))) sourcesOf(imported, found);
  }
  return found;
}

/** As `parseArgs` names it (`since:`, `'even-so':`), or as a text that a program looks for. */
function hasOption(sources: ReadonlyMap<string, string>, name: string): boolean {
  const pattern = new RegExp(`(?<![\\w-])(?:'${name}'|${name}:|--${name}(?![\\w-]))`);
  return [...sources.values()].some((source) => pattern.test(source));
}
