/** Fails when docs/requirements.md no longer agrees with the files, tests and comments of the repository. */
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../steps.ts';
import { findFaults, readRequirements } from './requirements.ts';

const SOURCES = [
  '{domain,server,web,sandbox,scripts,bench,tests,packages}/**/*.{ts,tsx,css,js,mjs,json}',
  'supabase/**/*.{sql,ts}',
];
/** Its planted numbers belong to no requirement. */
const EXCLUDED = ['**/node_modules/**', 'scripts/checks/requirements.test.ts'];

const paths = globSync(SOURCES, { cwd: ROOT, exclude: EXCLUDED }).map((path) => path.replaceAll('\\', '/'));
const sources = new Map(paths.map((path) => [path, readFileSync(join(ROOT, path), 'utf8')]));
const document = readFileSync(join(ROOT, 'docs/requirements.md'), 'utf8');
const faults = findFaults(document, sources);

for (const fault of faults) console.log(fault);
if (readRequirements(document).length < 200) console.log('Fewer than 200 requirements were read.');
process.exitCode = faults.length > 0 || readRequirements(document).length < 200 ? 1 : 0;
