/** Builds the site into dist/web when its sources changed since the last build, and compresses what is served. */
import { createHash } from 'node:crypto';
import { existsSync, globSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import { build } from 'vite';

const ROOT = resolve(import.meta.dirname, '..');
export const SITE_DIR = join(ROOT, 'dist', 'web');
const STAMP_FILE = join(ROOT, 'dist', 'web.stamp');
const COMPRESSIBLE = /\.(js|css|html|svg|json|txt|webmanifest)$/;
const SOURCES = ['web/**/*', 'domain/**/*.ts', 'vite.config.ts', 'package-lock.json'];

/** @returns true when it built, false when the last build is current */
export async function buildSiteWhenStale(): Promise<boolean> {
  const stamp = stampOfSources();
  const isCurrent = existsSync(join(SITE_DIR, 'index.html')) && existsSync(STAMP_FILE);
  if (isCurrent && readFileSync(STAMP_FILE, 'utf8') === stamp) return false;
  await build({ configFile: join(ROOT, 'vite.config.ts'), logLevel: 'warn' });
  compress();
  writeFileSync(STAMP_FILE, stamp);
  return true;
}

function stampOfSources(): string {
  const hash = createHash('sha256');
  for (const file of globSync(SOURCES, { cwd: ROOT, exclude: ['**/*.test.ts', '**/*.test.tsx'] }).sort()) {
    const path = join(ROOT, file);
    if (isFile(path)) hash.update(file).update('\0').update(readFileSync(path));
  }
  return hash.digest('hex');
}

function isFile(path: string): boolean {
  return statSync(path).isFile();
}

function compress(): void {
  for (const file of globSync('**/*', { cwd: SITE_DIR })) {
    const path = join(SITE_DIR, file);
    if (!COMPRESSIBLE.test(file) || !isFile(path)) continue;
    const bytes = readFileSync(path);
    if (bytes.length < 1024) continue;
    writeFileSync(`${path}.gz`, gzipSync(bytes, { level: 9 }));
    writeFileSync(`${path}.br`, brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } }));
  }
}
