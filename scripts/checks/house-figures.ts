/**
 * `npm run check -- --figures`: how large the house is and how far its rules hold. Product source is what `domain/`,
 * `server/`, `web/` and `sandbox/` hold without tests and `testing/` folders.
 */
import { globSync, readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import * as z from 'zod/mini';
import { ROOT } from '../steps.ts';
import { readWays, type Way } from './house-ways.ts';
import { commentLines } from './words/comment-lines.ts';
import { LONGEST_MEDIAN, medianLengthOfDocs } from './words/document-sentences.ts';
import { findPrivateWord } from './words/private-words.ts';

const ROOFS = ['domain', 'server', 'web', 'sandbox'] as const;

export interface HouseFigures {
  sourceLines: number;
  typeScriptFiles: number;
  /** Share, 0 to 1. */
  privateCommentShare: number;
  /** Source files side by side, without styles. */
  largestFolder: { path: string; files: number };
  npmScripts: number;
  settings: number;
  migrations: number;
  ways: readonly Way[];
  /** Words of a whole sentence in `docs/`. */
  docsMedianLength: number;
  /** Null before `npm ci`. */
  productionMib: number | null;
}

export function houseFigures(): HouseFigures {
  const files = productFiles();
  const code = files.filter((file) => !file.endsWith('.css'));
  const sources = files.map((file) => readFileSync(join(ROOT, file), 'utf8'));
  const comments = sources.flatMap((source) => commentLines(source));
  return {
    sourceLines: sources.reduce((sum, source) => sum + source.split('\n').length - 1, 0),
    typeScriptFiles: code.length,
    privateCommentShare: comments.filter(({ text }) => findPrivateWord(text) !== null).length / comments.length,
    largestFolder: largestFolder(code),
    npmScripts: Object.keys(manifest().scripts).length,
    settings: readFileSync(join(ROOT, '.env.example'), 'utf8').match(/^#? ?[A-Z][A-Z0-9_]+=/gm)?.length ?? 0,
    migrations: globSync('supabase/migrations/*.sql', { cwd: ROOT }).length,
    ways: readWays(readFileSync(join(ROOT, 'docs/ways.md'), 'utf8')),
    docsMedianLength: medianLengthOfDocs(),
    productionMib: productionMib(),
  };
}

function productFiles(): string[] {
  return globSync(`{${ROOFS.join(',')}}/**/*.{ts,tsx,css}`, { cwd: ROOT })
    .filter((file) => !/\.test\.tsx?$|\/testing\/|test-setup/.test(file))
    .sort();
}

function largestFolder(files: readonly string[]): { path: string; files: number } {
  const counts = new Map<string, number>();
  for (const file of files) counts.set(dirname(file), (counts.get(dirname(file)) ?? 0) + 1);
  const [path = '', count = 0] = [...counts].sort((a, b) => b[1] - a[1])[0] ?? [];
  return { path, files: count };
}

const manifestSchema = z.object({ scripts: z.record(z.string(), z.string()) });
const lockSchema = z.object({
  packages: z.record(z.string(), z.looseObject({ dev: z.optional(z.boolean()), devOptional: z.optional(z.boolean()) })),
});

function manifest(): z.infer<typeof manifestSchema> {
  return manifestSchema.parse(JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')));
}

/** What `npm ci --omit=dev` would install here: files of the packages that the lockfile does not mark as `dev`. */
function productionMib(): number | null {
  const { packages } = lockSchema.parse(JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8')));
  const shipped = Object.entries(packages).filter(([path, { dev }]) => path !== '' && dev !== true);
  const bytes = shipped.reduce((sum, [path]) => sum + bytesOf(path), 0);
  return bytes === 0 ? null : Math.round(bytes / 2 ** 20);
}

/** Without packages that are nested in it, which the lockfile lists themselves. */
function bytesOf(path: string): number {
  const files = globSync(`${path}/**`, { cwd: ROOT, exclude: [`${path}/node_modules/**`] });
  return files.reduce((sum, file) => {
    const stats = statSync(join(ROOT, file), { throwIfNoEntry: false });
    return sum + (stats?.isFile() === true ? stats.size : 0);
  }, 0);
}

export function printFigures(figures: HouseFigures): void {
  const { largestFolder: largest, productionMib: mib } = figures;
  const rows: [string, string, string][] = [
    ['source lines of domain, server, web, sandbox', figures.sourceLines.toLocaleString('en'), '119,000'],
    ['TypeScript files of the same', figures.typeScriptFiles.toLocaleString('en'), '1,330'],
    ...figures.ways.map(({ title, steps, atMost }): [string, string, string] => [
      `files of the way ${title}`,
      String(steps.length),
      String(atMost),
    ]),
    ['comment lines with a private word', `${(100 * figures.privateCommentShare).toFixed(1)}%`, '1%'],
    ['largest folder, source files', `${largest.files} (${largest.path})`, '15'],
    ['npm scripts', String(figures.npmScripts), '22'],
    ['settings', String(figures.settings), '50'],
    ['SQL migrations', String(figures.migrations), '12'],
    ['words of a sentence in docs, median', String(figures.docsMedianLength), String(LONGEST_MEDIAN)],
    ['node_modules of a production install', mib === null ? 'not installed' : `${mib} MiB`, '-25%'],
  ];
  console.log('| figure | now | at most |\n|---|--:|--:|');
  for (const row of rows) console.log(`| ${row.join(' | ')} |`);
}
