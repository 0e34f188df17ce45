/** Fails when a text or a document writes a number, a range or a date in another form than ours (words/number-forms.ts). */
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../steps.ts';
import { documentLines } from './words/document-lines.ts';
import { findNumberForm, percentFaults } from './words/number-forms.ts';
import { wordFaults } from './words/private-words.ts';
import { readSource } from './words/source-words.ts';

/** Fewer files than `fewest` mean that a pattern no longer matches. */
const CHECKS = [
  {
    files: ['{README,CHANGELOG,CONTRIBUTING,SECURITY}.md', '*/README.md', 'docs/**/*.md', 'models/**/*.md'],
    faultsOf: (file: string, source: string) => wordFaults(file, documentLines(source), findNumberForm),
    fewest: 60,
  },
  {
    files: ['{domain,server,web,sandbox,scripts}/**/*.{ts,tsx}'],
    faultsOf: (file: string, source: string) => [
      ...percentFaults(file, source),
      ...wordFaults(file, readSource(file, source).texts, findNumberForm),
    ],
    fewest: 1000,
  },
];

const EXCLUDED = [
  '**/node_modules/**',
  '**/*.test.{ts,tsx}',
  '**/testing/**',
  // Former test titles.
  'docs/decisions/052-moved-tests.md',
  // Heads of a CSV file, and spans of the manifests.
  'server/record/figures/day-csv.ts',
  'scripts/training/model-folder.ts',
  // It lists the forms.
  'scripts/checks/words/**',
  // It holds source code as texts.
  'scripts/test-run/mutations.ts',
];

for (const { files: patterns, faultsOf, fewest } of CHECKS) {
  const files = globSync(patterns, { cwd: ROOT, exclude: EXCLUDED }).sort();
  const faults = files.flatMap((file) => faultsOf(file, readFileSync(join(ROOT, file), 'utf8')));
  if (files.length < fewest) faults.push(`Only ${files.length} files were read of ${patterns.join(', ')}.`);
  for (const fault of faults) console.log(fault);
  if (faults.length > 0) process.exitCode = 1;
}
