import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { SettingsRefused } from '../../server/platform/config/config.ts';
import {
  currentDocsDir,
  currentSiteDir,
  DIST_DIR,
  isBuilt,
  linkDocs,
  markUsed,
  putInPlace,
  ROOT,
  removeOldBuilds,
} from './site-cache.ts';

export interface BuiltSite {
  /** Serve this folder; later builds go elsewhere. */
  siteDir: string;
  /** False if the last build is current. */
  isNew: boolean;
}

/**
 * @param siteDir  a folder that was built before, as in container images; null: the build of the current sources, made
 * if there is none
 * @throws SettingsRefused if that folder holds no site
 */
export async function openSite(siteDir: string | null): Promise<BuiltSite> {
  if (siteDir === null) return buildSiteWhenStale();
  if (!isBuilt(siteDir)) throw new SettingsRefused(`SITE_DIR contains no built site: ${siteDir}`);
  return { siteDir, isNew: false };
}

const BUILDERS = { site: 'scripts/site/vite-build.ts', docs: 'scripts/docs/build-docs.ts' } as const;

/**
 * Builds the app and the documentation, each if it is stale, in parallel.
 *
 * @throws Error if the sources cannot be built; the errors have been printed
 */
export async function buildSiteWhenStale(): Promise<BuiltSite> {
  const [siteDir, docsDir] = [currentSiteDir(), currentDocsDir()];
  const built = await Promise.all([buildWhenMissing(siteDir, BUILDERS.site), buildWhenMissing(docsDir, BUILDERS.docs)]);
  linkDocs(siteDir, docsDir);
  const isNew = built.some(Boolean);
  if (isNew) removeOldBuilds(DIST_DIR);
  return { siteDir, isNew };
}

/** @returns true if it was missing */
async function buildWhenMissing(folder: string, builder: string): Promise<boolean> {
  const isNew = !isBuilt(folder);
  if (isNew) {
    mkdirSync(DIST_DIR, { recursive: true });
    const outDir = `${folder}.${process.pid}.part`;
    await buildInto(outDir, builder);
    putInPlace(outDir, folder);
  }
  markUsed(folder, Date.now());
  return isNew;
}

async function buildInto(outDir: string, builder: string): Promise<void> {
  const child = spawn(process.execPath, [join(ROOT, builder), outDir], {
    cwd: ROOT,
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  const [code]: unknown[] = await once(child, 'exit');
  if (code === 0) return;
  rmSync(outDir, { recursive: true, force: true });
  throw new Error('The site could not be built.');
}
