/** Builds the site when its sources changed since the last build, and compresses what is served. */
import { globSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import { build } from 'vite';
import { currentSiteDir, DIST_DIR, isBuilt, markUsed, putInPlace, ROOT, removeOldBuilds } from './site-folder.ts';

const COMPRESSIBLE = /\.(js|css|html|svg|json|txt|webmanifest)$/;

export interface BuiltSite {
  /** Serve this folder; later builds go elsewhere. */
  siteDir: string;
  /** False when the last build is current. */
  isNew: boolean;
}

export async function buildSiteWhenStale(): Promise<BuiltSite> {
  const siteDir = currentSiteDir();
  const isNew = !isBuilt(siteDir);
  if (isNew) {
    mkdirSync(DIST_DIR, { recursive: true });
    const outDir = `${siteDir}.${process.pid}.part`;
    await build({
      configFile: join(ROOT, 'vite.config.ts'),
      logLevel: 'warn',
      build: { outDir, emptyOutDir: true },
    });
    compress(outDir);
    putInPlace(outDir, siteDir);
  }
  markUsed(siteDir, Date.now());
  if (isNew) removeOldBuilds(DIST_DIR);
  return { siteDir, isNew };
}

function compress(dir: string): void {
  for (const file of globSync('**/*', { cwd: dir })) {
    const path = join(dir, file);
    if (!COMPRESSIBLE.test(file) || !statSync(path).isFile()) continue;
    const bytes = readFileSync(path);
    if (bytes.length < 1024) continue;
    writeFileSync(`${path}.gz`, gzipSync(bytes, { level: 9 }));
    writeFileSync(`${path}.br`, brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } }));
  }
}
