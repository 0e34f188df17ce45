/**
 * Fails when the built site has grown past its budgets. Sizes are gzip sizes of what the build's manifest says is
 * loaded: by import before the first paint, by `import()` after it. Run after the site was built.
 */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import * as z from 'zod/mini';
import { currentSiteDir } from './site-folder.ts';

/** JavaScript before the first paint of a page, and everything that /kat loads but fonts (woff2 is not gzipped). */
const FIRST_PAINT_KB = 120;
const KAT_TOTAL_KB = 330;

const chunkSchema = z.object({
  file: z.string(),
  src: z.optional(z.string()),
  isEntry: z.optional(z.boolean()),
  imports: z.optional(z.array(z.string())),
  dynamicImports: z.optional(z.array(z.string())),
  css: z.optional(z.array(z.string())),
});
const manifestSchema = z.record(z.string(), chunkSchema);
export type Manifest = z.infer<typeof manifestSchema>;

export interface Budget {
  name: string;
  limitKb: number;
  files: readonly string[];
}

const ENTRY = 'index.html';
const HOME = 'pages/home-page.tsx';
const KAT = 'pages/kat-page.tsx';
const PAGE = /^pages\//;

/** Which files each budget counts. @throws Error when the manifest lacks the entry or one of the two pages */
export function budgetsOf(manifest: Manifest): Budget[] {
  for (const key of [ENTRY, HOME, KAT]) if (!manifest[key]) throw new Error(`The manifest has no ${key}.`);
  const firstOf = (page: string) => scriptsOf(manifest, loadedBy(manifest, [ENTRY, page], false));
  const katKeys = loadedBy(manifest, [ENTRY, KAT], true);
  const katStyles = [...katKeys].flatMap((key) => manifest[key]?.css ?? []);
  return [
    { name: 'JavaScript before the first paint of /', limitKb: FIRST_PAINT_KB, files: firstOf(HOME) },
    { name: 'JavaScript before the first paint of /kat', limitKb: FIRST_PAINT_KB, files: firstOf(KAT) },
    {
      name: 'scripts and styles that /kat loads in all',
      limitKb: KAT_TOTAL_KB,
      files: [...new Set([...scriptsOf(manifest, katKeys), ...katStyles])],
    },
  ];
}

/** Keys reached by import, and by `import()` too when asked; other pages' chunks are never followed. */
function loadedBy(manifest: Manifest, roots: readonly string[], withDynamic: boolean): Set<string> {
  const reached = new Set<string>();
  const waiting = [...roots];
  for (let key = waiting.pop(); key !== undefined; key = waiting.pop()) {
    const chunk = manifest[key];
    if (!chunk || reached.has(key)) continue;
    reached.add(key);
    waiting.push(...(chunk.imports ?? []));
    if (withDynamic) waiting.push(...(chunk.dynamicImports ?? []).filter((next) => !PAGE.test(next)));
  }
  return reached;
}

function scriptsOf(manifest: Manifest, keys: ReadonlySet<string>): string[] {
  return [...keys].map((key) => manifest[key]?.file ?? '').filter((file) => file.endsWith('.js'));
}

function checkBudgets(folder: string): boolean {
  const manifestFile = join(folder, '.vite/manifest.json');
  if (!existsSync(manifestFile)) {
    console.error(`The site is not built in ${folder}: npm start builds it.`);
    return false;
  }
  const manifest = manifestSchema.parse(JSON.parse(readFileSync(manifestFile, 'utf8')));
  const results = budgetsOf(manifest).map((budget) => {
    const bytes = budget.files.reduce((sum, file) => sum + gzipSync(readFileSync(join(folder, file))).length, 0);
    const isKept = bytes <= budget.limitKb * 1024;
    const figures = `${(bytes / 1024).toFixed(1)} of ${budget.limitKb} KB`;
    console.log(
      `${isKept ? 'ok      ' : 'EXCEEDED'} ${figures.padStart(18)}  ${budget.name} (${budget.files.length} files)`,
    );
    return isKept;
  });
  return results.every(Boolean);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const folder = process.argv[2] ?? currentSiteDir();
  if (!checkBudgets(folder)) process.exitCode = 1;
}
