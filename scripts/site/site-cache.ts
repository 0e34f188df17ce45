/**
 * Each build is in a folder named by its sources' stamp, so that a running server continues to serve its own or the
 * previous. The documentation is cached apart from the app, because either changes without the other; a link in the
 * app's folder leads to it.
 */
import { createHash } from 'node:crypto';
import {
  existsSync,
  globSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
} from 'node:fs';
import { join, resolve } from 'node:path';
import { docsState, FAILED_DOCS } from '../../server/platform/http/assets/docs-pending.ts';

export const ROOT = resolve(import.meta.dirname, '../..');
export const DIST_DIR = join(ROOT, 'dist');
const WEB_SOURCES = [
  ...['web/**/*', 'domain/**/*.ts', 'vite.config.ts', 'package-lock.json'],
  'scripts/site/{vite-build,site-documents,site-paper,document-head,build-manifest,kat-parts,site-recompute,site-forecast-page,recompute,compress}.ts',
  // The pictures of links.
  ...['scripts/pictures/previews/*.{ts,json}', 'scripts/pictures/svg.ts'],
  // The research paper's figures.
  ...['models/*/manifest.json', 'scripts/site/model-targets.ts'],
];
const DOCS_SOURCES = [
  ...['docs/**/*', '*.md', '{domain,server,web,sandbox,supabase,scripts,tests,packages}/README.md'],
  ...['lab/{README,measuring}.md', 'lab/{figures,training}/*.md'],
  ...['models/**/*.md', '.env.example', 'server/operations/metric-definitions.ts', 'scripts/commands.mjs'],
  ...['scripts/docs/**/*', 'scripts/site/compress.ts', 'package-lock.json'],
];
const FOLDER = /^(web|docs)-[0-9a-f]{12}$/;
/** In the built site's folder. */
const DOCS_FOLDER = 'docs';
const MAX_BUILDS = 2;

/** The folder of the current sources, built or not. */
export function currentSiteDir(): string {
  return join(DIST_DIR, `web-${stampOf(WEB_SOURCES)}`);
}

/** The same for the documentation. */
export function currentDocsDir(): string {
  return join(DIST_DIR, `docs-${stampOf(DOCS_SOURCES)}`);
}

/**
 * Servers find the documentation in the site's folder. A server that runs from it shows the newer one too. A link to a
 * folder that is not there yet tells them that it is being built (server/platform/http/assets/docs-pending.ts).
 */
export function linkDocs(siteDir: string, docsDir: string): void {
  const link = join(siteDir, DOCS_FOLDER);
  const next = `${link}.${process.pid}.part`;
  symlinkSync(resolve(docsDir), next, 'junction');
  renameSync(next, link);
}

/** Until the documentation is built, the site shows its last build, or says that it is being built. */
export function linkPendingDocs(siteDir: string, docsDir: string, distDir = DIST_DIR): void {
  linkDocs(siteDir, buildsOf('docs', distDir).find(isBuilt) ?? docsDir);
}

/** The site keeps showing an earlier build if it has one. */
export function markDocsFailed(siteDir: string): void {
  if (docsState(siteDir) === 'building') linkDocs(siteDir, join(siteDir, '..', FAILED_DOCS));
}

export function isBuilt(siteDir: string): boolean {
  return existsSync(join(siteDir, 'index.html'));
}

/** A build becomes visible completely or not at all; another process may have made the same one meanwhile. */
export function putInPlace(builtDir: string, siteDir: string): void {
  try {
    renameSync(builtDir, siteDir);
  } catch (error) {
    rmSync(builtDir, { recursive: true, force: true });
    if (!isBuilt(siteDir)) throw error;
  }
}

/** The build in use counts as the newest, even if its sources are old ones restored. */
export function markUsed(siteDir: string, nowMs: number): void {
  utimesSync(siteDir, nowMs / 1000, nowMs / 1000);
}

/** Removes all builds except the last two of each kind. Call it only after a new one. */
export function removeOldBuilds(distDir: string): void {
  for (const kind of ['web', 'docs'] as const)
    for (const path of buildsOf(kind, distDir).slice(MAX_BUILDS)) rmSync(path, { recursive: true, force: true });
}

/** Newest first. */
function buildsOf(kind: 'web' | 'docs', distDir: string): string[] {
  return readdirSync(distDir)
    .filter((name) => FOLDER.exec(name)?.[1] === kind)
    .map((name) => ({ path: join(distDir, name), usedMs: statSync(join(distDir, name)).mtimeMs }))
    .sort((a, b) => b.usedMs - a.usedMs)
    .map(({ path }) => path);
}

function stampOf(sources: readonly string[]): string {
  const hash = createHash('sha256');
  for (const file of globSync([...sources], { cwd: ROOT, exclude: ['**/*.test.ts', '**/*.test.tsx'] }).sort()) {
    const path = join(ROOT, file);
    if (statSync(path).isFile()) hash.update(file).update('\0').update(readFileSync(path));
  }
  return hash.digest('hex').slice(0, 12);
}
