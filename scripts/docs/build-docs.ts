/** One build of the documentation in a separate process: `build-docs.ts <folder>`. */
import { mkdirSync } from 'node:fs';
import { build } from 'vitepress';
import { endWithParent, scratchOf } from '../site/builder-process.ts';
import { compress } from '../site/compress.ts';
import { ROOT } from '../site/site-cache.ts';
import { writeDocsSource } from './write-source.ts';

process.env.NODE_ENV = 'production';
const outDir = process.argv[2];
if (outDir === undefined) throw new Error('usage: build-docs.ts <folder>');
const source = scratchOf(outDir);
endWithParent(outDir);
mkdirSync(source, { recursive: true });
writeDocsSource(ROOT, source);
await build(source, { outDir });
compress(outDir, /\.(js|css|html|svg|json)$/);
