/**
 * Fails when a comment, a document, a text, a test title or a name uses a private word (words/private-words.ts,
 * words/name-words.ts), with the line and what to write instead.
 */
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../steps.ts';
import { commentLines } from './words/comment-lines.ts';
import { documentLines } from './words/document-lines.ts';
import { nameFaults } from './words/name-words.ts';
import { findCopyWord, wordFaults } from './words/private-words.ts';
import { readSource } from './words/source-words.ts';
import { styleNames } from './words/style-names.ts';
import { titleFaults } from './words/test-titles.ts';

/** Fewer files than `fewest` mean that a pattern no longer matches. */
const CHECKS = [
  {
    files: ['{domain,server,web,sandbox,scripts,bench,tests}/**/*.{ts,tsx,css,mjs}'],
    faultsOf: (file: string, source: string) => wordFaults(file, commentLines(source)),
    fewest: 1000,
  },
  {
    files: ['{README,CHANGELOG,CONTRIBUTING,SECURITY}.md', '*/README.md', 'docs/**/*.md', 'models/**/*.md'],
    faultsOf: (file: string, source: string) => wordFaults(file, documentLines(source)),
    fewest: 60,
  },
  {
    files: ['{domain,server,web,sandbox,scripts,bench}/**/*.{ts,tsx,mjs}', 'tests/{load,parity,support}/**/*.ts'],
    faultsOf: (file: string, source: string) => nameFaults(file, readSource(file, source).names),
    fewest: 1500,
  },
  {
    files: ['web/**/*.css'],
    faultsOf: (file: string, source: string) => nameFaults(file, styleNames(source)),
    fewest: 50,
  },
  {
    files: ['{deploy,.github}/**/*.{yaml,yml,json}', 'deploy/Caddyfile', 'Dockerfile', 'compose.yaml', '.env.example'],
    faultsOf: (file: string, source: string) => wordFaults(file, plainLines(source), findCopyWord),
    fewest: 9,
  },
  {
    files: ['{domain,server,web,sandbox,scripts,bench,tests}/**/*.{ts,tsx,mjs}'],
    faultsOf: (file: string, source: string) => {
      const { texts, titles } = readSource(file, source);
      return [...wordFaults(file, [...texts, ...titles], findCopyWord), ...titleFaults(file, titles)];
    },
    // It holds source code as texts.
    except: ['scripts/test-run/mutations.ts'],
    fewest: 1000,
  },
];

const plainLines = (source: string) => source.split('\n').map((text, index) => ({ line: index + 1, text }));

const EXCLUDED = [
  '**/node_modules/**',
  // It lists the words.
  'scripts/checks/words/**',
  // A test compares these files with the hash in the service worker.
  'web/public/**',
  // A list of former test titles.
  'docs/decisions/052-moved-tests.md',
];

for (const { files: patterns, faultsOf, except = [], fewest } of CHECKS) {
  const files = globSync(patterns, { cwd: ROOT, exclude: [...EXCLUDED, ...except] }).sort();
  const faults = files.flatMap((file) => faultsOf(file, readFileSync(join(ROOT, file), 'utf8')));
  if (files.length < fewest) faults.push(`Only ${files.length} files were read of ${patterns.join(', ')}.`);
  for (const fault of faults) console.log(fault);
  if (faults.length > 0) process.exitCode = 1;
}
