/**
 * Fails when a comment, a document, a text, a test title or a name uses a private word (words/private-words.ts,
 * words/name-words.ts), with the line and what to write instead.
 */
import { type FileCheck, runFileChecks } from './file-check.ts';
import { commentLines, scriptComments } from './words/comment-lines.ts';
import { documentLines } from './words/document-lines.ts';
import { nameFaults } from './words/name-words.ts';
import { findCopyWord, wordFaults } from './words/private-words.ts';
import { readSource } from './words/source-words.ts';
import { styleNames } from './words/style-names.ts';
import { titleFaults } from './words/test-titles.ts';

type Check = FileCheck['faultsOf'];

const comments: Check = (file, source) => wordFaults(file, commentLines(source));
const prose: Check = (file, source) => wordFaults(file, documentLines(source));
const styles: Check = (file, source) => nameFaults(file, styleNames(source));
const everyLine: Check = (file, source) => {
  const lines = source.split('\n').map((text, index) => ({ line: index + 1, text }));
  return wordFaults(file, lines, findCopyWord);
};
const scripts: Check = (file, source) => wordFaults(file, scriptComments(source, file.endsWith('.sql') ? '--' : '#'));
const code: Check = (file, source) => {
  const { names, texts, titles } = readSource(file, source);
  // Its texts are source code.
  const copy = file === 'scripts/test-run/mutations.ts' ? [] : [...texts, ...titles];
  return [...nameFaults(file, names), ...wordFaults(file, copy, findCopyWord), ...titleFaults(file, titles)];
};

const CHECKS: readonly FileCheck[] = [
  {
    files: ['{domain,server,web,sandbox,scripts,bench,tests,packages}/**/*.{ts,tsx,css,mjs}'],
    faultsOf: comments,
    fewest: 1000,
  },
  {
    files: ['{README,CHANGELOG,CONTRIBUTING,SECURITY}.md', '*/README.md', 'docs/**/*.md', 'models/**/*.md'],
    faultsOf: prose,
    fewest: 60,
  },
  {
    files: ['{domain,server,web,sandbox,scripts,bench,tests,packages}/**/*.{ts,tsx,mjs}'],
    faultsOf: code,
    fewest: 1500,
  },
  { files: ['web/**/*.css'], faultsOf: styles, fewest: 50 },
  // Applied migrations have a checksum and are not reworded.
  { files: ['supabase/tests/**/*.sql', 'training/**/*.py'], faultsOf: scripts, fewest: 20 },
  {
    files: ['{deploy,.github}/**/*.{yaml,yml,json}', 'deploy/Caddyfile', 'Dockerfile', 'compose.yaml', '.env.example'],
    faultsOf: everyLine,
    fewest: 9,
  },
];

const EXCLUDED = [
  '**/node_modules/**',
  // It lists the words.
  'scripts/checks/words/**',
  // A test compares these files with the hash in the service worker.
  'web/public/**',
];

runFileChecks(CHECKS, EXCLUDED);
