/**
 * Each build is in a folder named by its sources' stamp, so that a running server continues to serve its own or the
 * previous.
 */
import { createHash } from 'node:crypto';
import { existsSync, globSync, readdirSync, readFileSync, renameSync, rmSync, statSync, utimesSync } from 'node:fs';
import { join, resolve } from 'node:path';

export const ROOT = resolve(import.meta.dirname, '../..');
export const DIST_DIR = join(ROOT, 'dist');
const SOURCES = [
  ...['web/**/*', 'domain/**/*.ts', 'vite.config.ts', 'package-lock.json'],
  'scripts/site/{vite-build,site-documents,site-paper,document-head,build-manifest,site-recompute,recompute}.ts',
  // The research paper's figures.
  ...['models/*/manifest.json', 'scripts/training/targets.ts'],
];
const FOLDER = /^web-[0-9a-f]{12}$/;
const MAX_BUILDS = 2;

/** The folder of the current sources, built or not. */
export function currentSiteDir(): string {
  return join(DIST_DIR, `web-${stampOfSources().slice(0, 12)}`);
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

/** Removes all builds except the last two. Call it only after a new one. */
export function removeOldBuilds(distDir: string): void {
  const folders = readdirSync(distDir).filter((name) => FOLDER.test(name));
  const newestFirst = folders
    .map((name) => ({ path: join(distDir, name), usedMs: statSync(join(distDir, name)).mtimeMs }))
    .sort((a, b) => b.usedMs - a.usedMs);
  for (const { path } of newestFirst.slice(MAX_BUILDS)) rmSync(path, { recursive: true, force: true });
}

function stampOfSources(): string {
  const hash = createHash('sha256');
  for (const file of globSync(SOURCES, { cwd: ROOT, exclude: ['**/*.test.ts', '**/*.test.tsx'] }).sort()) {
    const path = join(ROOT, file);
    if (statSync(path).isFile()) hash.update(file).update('\0').update(readFileSync(path));
  }
  return hash.digest('hex');
}
