/**
 * Fails when a comment or a document uses a private word (words/private-words.ts), with the line and what to write
 * instead.
 */
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../steps.ts';
import { commentLines } from './words/comment-lines.ts';
import { documentLines } from './words/document-lines.ts';
import { wordFaults } from './words/private-words.ts';

/** Fewer files than `fewest` mean that a pattern no longer matches. */
const SOURCES = [
  {
    files: ['{domain,server,web,sandbox,scripts,bench,tests}/**/*.{ts,tsx,css,mjs}'],
    read: commentLines,
    fewest: 1000,
  },
  {
    files: ['{README,CHANGELOG,CONTRIBUTING,SECURITY}.md', '*/README.md', 'docs/**/*.md', 'models/**/*.md'],
    read: documentLines,
    fewest: 60,
  },
];

const EXCLUDED = [
  '**/node_modules/**',
  // It lists the words.
  'scripts/checks/words/**',
  // A test compares these files with the hash in the service worker.
  'web/public/**',
  // A list of former test titles.
  'docs/decisions/052-moved-tests.md',
  // Not rewritten yet.
  'tests/contract/**',
];

for (const { files: patterns, read, fewest } of SOURCES) {
  const files = globSync(patterns, { cwd: ROOT, exclude: EXCLUDED }).sort();
  const faults = files.flatMap((file) => wordFaults(file, read(readFileSync(join(ROOT, file), 'utf8'))));
  if (files.length < fewest) faults.push(`Only ${files.length} files were read of ${patterns.join(', ')}.`);
  for (const fault of faults) console.log(fault);
  if (faults.length > 0) process.exitCode = 1;
}
