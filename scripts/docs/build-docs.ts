/** One build of the documentation in a separate process: `build-docs.ts <folder>`. */
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'vitepress';
import { compress } from '../site/compress.ts';
import { DIST_DIR, ROOT } from '../site/site-cache.ts';
import { writeDocsSource } from './write-source.ts';

process.env.NODE_ENV = 'production';
const outDir = process.argv[2];
if (outDir === undefined) throw new Error('usage: build-docs.ts <folder>');
mkdirSync(DIST_DIR, { recursive: true });
const source = mkdtempSync(join(DIST_DIR, 'docs-source-'));
try {
  writeDocsSource(ROOT, source);
  await build(source, { outDir });
  compress(outDir, /\.(js|css|html|svg|json)$/);
} finally {
  rmSync(source, { recursive: true, force: true });
}
