/** One build of the site in a separate process, whose exit frees the bundler's memory: `vite-build.ts <folder>`. */
import { globSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import { build } from 'vite';
import { ROOT } from './site-cache.ts';
import { writeDocuments } from './site-documents.ts';
import { writePaper } from './site-paper.ts';
import { writeRecompute } from './site-recompute.ts';

const COMPRESSIBLE = /\.(js|css|html|svg|json|txt|webmanifest)$/;
/** Created with the documents. */
const PAGE_STYLES = /^assets\/page-[^/]+\.css$/;

/** The template of the documents; the server compresses those itself, after it has filled in the origin. */
const SHELL = 'index.html';

// The parent may be a test, but the build and the prerendered pages are always production ones.
process.env.NODE_ENV = 'production';
const outDir = process.argv[2];
if (outDir === undefined) throw new Error('usage: vite-build.ts <folder>');
await build({
  configFile: join(ROOT, 'vite.config.ts'),
  logLevel: 'warn',
  build: { outDir, emptyOutDir: true },
});
writePaper(outDir);
await writeRecompute(outDir);
compress(outDir, COMPRESSIBLE);
await writeDocuments(outDir);
compress(outDir, PAGE_STYLES);

function compress(dir: string, files: RegExp): void {
  for (const file of globSync('**/*', { cwd: dir })) {
    const path = join(dir, file);
    if (file === SHELL || !files.test(file) || !statSync(path).isFile()) continue;
    const bytes = readFileSync(path);
    if (bytes.length < 1024) continue;
    writeFileSync(`${path}.gz`, gzipSync(bytes, { level: 9 }));
    writeFileSync(`${path}.br`, brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } }));
  }
}
