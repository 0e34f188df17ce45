/** Fails when the title of a test begins with no verb, or that of a group names no subject. */
import { runFileChecks } from './file-check.ts';
import { readSource } from './words/source-words.ts';
import { titleFaults } from './words/test-titles.ts';

runFileChecks(
  [
    {
      files: ['{domain,server,web,sandbox,scripts,bench,tests,packages}/**/*.test.{ts,tsx}'],
      faultsOf: (file, source) => titleFaults(file, readSource(file, source).titles),
      fewest: 500,
    },
  ],
  ['**/node_modules/**'],
);
