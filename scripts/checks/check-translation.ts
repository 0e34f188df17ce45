/** Fails where a browser's translation would break a page or freeze a figure. */
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../steps.ts';
import { looseTexts, paintedTexts } from './translation/loose-text.ts';

/** Fewer files mean that the pattern no longer matches. */
const FEWEST = 500;
/** Changes text nodes where a translation left any. */
const PAINTER = 'web/ui/browser/write-text.ts';

const paths = globSync('web/**/*.{ts,tsx}', { cwd: ROOT, exclude: ['**/*.test.{ts,tsx}', '**/testing/**', PAINTER] });
const files = paths.sort().map((path) => ({ path, source: readFileSync(join(ROOT, path), 'utf8') }));
const faults = [...looseTexts(files.filter(({ path }) => path.endsWith('.tsx'))), ...paintedTexts(files)];
for (const { path, line, why } of faults) console.log(`${path}:${line}: a browser’s translation breaks this: ${why}`);
if (files.length < FEWEST) console.log(`Only ${files.length} files were read.`);
if (faults.length > 0 || files.length < FEWEST) process.exitCode = 1;
