/** One build of the site in a separate process, whose exit frees the bundler's memory: `vite-build.ts <folder>`. */
import { join } from 'node:path';
import { build } from 'vite';
import { writePreviews } from '../pictures/previews/write-previews.ts';
import { endWithParent } from './builder-process.ts';
import { compress } from './compress.ts';
import { ROOT } from './site-cache.ts';
import { writeDocuments } from './site-documents.ts';
import { writeForecastPage } from './site-forecast-page.ts';
import { readPaperData, writePaper } from './site-paper.ts';
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
endWithParent(outDir);
await build({
  configFile: join(ROOT, 'vite.config.ts'),
  logLevel: 'warn',
  build: { outDir, emptyOutDir: true },
});
// The picture library draws on its own threads while the rest goes on.
const previews = writePreviews(outDir, readPaperData().models);
writePaper(outDir);
await writeRecompute(outDir);
await writeForecastPage(outDir);
compress(outDir, COMPRESSIBLE, (file) => file === SHELL);
await writeDocuments(outDir, await previews);
compress(outDir, PAGE_STYLES);
