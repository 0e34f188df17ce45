import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { SettingsRefused } from '../../server/platform/config/config.ts';
import { currentSiteDir, DIST_DIR, isBuilt, markUsed, putInPlace, ROOT, removeOldBuilds } from './site-cache.ts';

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
  if (!isBuilt(siteDir)) throw new SettingsRefused(`SITE_DIR holds no built site: ${siteDir}`);
  return { siteDir, isNew: false };
}

/** @throws Error if the sources cannot be built; the errors have been printed */
export async function buildSiteWhenStale(): Promise<BuiltSite> {
  const siteDir = currentSiteDir();
  const isNew = !isBuilt(siteDir);
  if (isNew) {
    mkdirSync(DIST_DIR, { recursive: true });
    const outDir = `${siteDir}.${process.pid}.part`;
    await buildInto(outDir);
    putInPlace(outDir, siteDir);
  }
  markUsed(siteDir, Date.now());
  if (isNew) removeOldBuilds(DIST_DIR);
  return { siteDir, isNew };
}

async function buildInto(outDir: string): Promise<void> {
  const child = spawn(process.execPath, [join(ROOT, 'scripts/site/vite-build.ts'), outDir], {
    cwd: ROOT,
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  const [code]: unknown[] = await once(child, 'exit');
  if (code === 0) return;
  rmSync(outDir, { recursive: true, force: true });
  throw new Error('The site could not be built.');
}
