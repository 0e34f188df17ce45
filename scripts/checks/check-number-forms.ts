/** Fails when a text or a document writes a number, a range or a date in another form than ours (words/number-forms.ts). */
import { type FileCheck, runFileChecks } from './file-check.ts';
import { documentLines } from './words/document-lines.ts';
import { findNumberForm, percentFaults } from './words/number-forms.ts';
import { readSource } from './words/source-words.ts';
import { formFaults } from './words/text-lines.ts';

const CHECKS: readonly FileCheck[] = [
  {
    files: ['{README,AGENTS,CHANGELOG,CONTRIBUTING,SECURITY}.md', '*/README.md', 'docs/**/*.md', 'models/**/*.md'],
    faultsOf: (file, source) => formFaults(file, documentLines(source), findNumberForm),
    fewest: 60,
  },
  {
    files: ['{domain,server,web,sandbox,scripts}/**/*.{ts,tsx}'],
    faultsOf: (file, source) => [
      ...percentFaults(file, source),
      ...formFaults(file, readSource(file, source).texts, findNumberForm),
    ],
    fewest: 1000,
  },
];

const EXCLUDED = [
  '**/node_modules/**',
  '**/*.test.{ts,tsx}',
  '**/testing/**',
  // Heads of a CSV file, and spans of the manifests.
  'server/record/figures/day-csv.ts',
  'lab/training/model-folder.ts',
  // It lists the forms.
  'scripts/checks/words/**',
  // It holds source code as texts, and commands.
  'scripts/test-run/mutations.ts',
  'scripts/checks/shown-commands.ts',
];

runFileChecks(CHECKS, EXCLUDED);
