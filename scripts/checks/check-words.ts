/**
 * Fails when a comment uses a word of the project's private dialect (words/private-words.ts), with the line and what to
 * write instead. Comments of the product, its tests, scripts and benches are read.
 */
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../steps.ts';
import { commentLines } from './words/comment-lines.ts';
import { findPrivateWord } from './words/private-words.ts';

const FILES = '{domain,server,web,sandbox,scripts,bench,tests}/**/*.{ts,tsx,css,mjs}';

const EXCLUDED = [
  '**/node_modules/**',
  // It lists the words.
  'scripts/checks/words/**',
  // A test compares these files with the hash in the service worker.
  'web/public/**',
  // Not rewritten yet.
  'tests/contract/**',
];

const files = globSync(FILES, { cwd: ROOT, exclude: EXCLUDED }).sort();
let count = 0;
for (const file of files) {
  for (const { line, text } of commentLines(readFileSync(join(ROOT, file), 'utf8'))) {
    const found = findPrivateWord(text);
    if (found === null) continue;
    count += 1;
    console.log(`${file}:${line}: '${found.word}': write ${found.say}`);
  }
}
if (files.length < 1000) {
  console.log(`Only ${files.length} files were read.`);
  count += 1;
}
process.exitCode = count > 0 ? 1 : 0;
