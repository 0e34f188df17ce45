/** The npm commands that documents show, and whether each of them exists. */
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fromMarkdown } from 'mdast-util-from-markdown';
import { COMMANDS, GROUPS, resolveCommand } from '../commands.mjs';
import { ROOT } from '../steps.ts';

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

/** @returns why the command cannot run, or null: an unknown name, an unknown option or a missing file */
export function commandFault({ name, args }: ShownCommand): string | null {
  const [first] = args;
  const isPlaceholder = first === undefined || PLACEHOLDER.test(first);
  if (isPlaceholder && (name in COMMANDS || name in GROUPS)) return null;
  const command = resolveCommand(name, args);
  if ('error' in command) return command.error;
  const isGroupName = command.args.length < args.length;
  if (name in GROUPS && !isGroupName && first !== undefined && /^[a-z][a-z-]*$/.test(first)) {
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
