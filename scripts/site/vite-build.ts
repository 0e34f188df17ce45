/** One build of the site in a process of its own, which takes the bundler's memory with it: `site-build.ts <folder>`. */
import { globSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import { build } from 'vite';
import { ROOT } from './site-cache.ts';
import { writeDocuments } from './site-documents.ts';
import { writePaper } from './site-paper.ts';
import { writeRecompute } from './site-recompute.ts';

const COMPRESSIBLE = /\.(js|css|html|svg|json|txt|webmanifest)$/;
/** Made with the documents. */
const PAGE_STYLES = /^assets\/page-[^/]+\.css$/;

/** Documents are made of it; the server compresses those itself, once its origin stands in them. */
const SHELL = 'index.html';

// Whoever starts it may be a test: what is built, and what draws the pages, is always the product.
process.env.NODE_ENV = 'production';
const outDir = process.argv[2];
if (outDir === undefined) throw new Error('usage: site-build.ts <folder>');
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
