/**
 * `npm run lab -- measure lines`: lines of the product's source (TypeScript, CSS, SQL) and of its tests, by roof. Tests
 * are test files, their support and `tests/`.
 */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../../scripts/steps.ts';

const ROOFS = ['domain', 'server', 'web', 'sandbox', 'supabase', 'packages', 'scripts', 'tests', 'lab'] as const;
const SOURCE = /\.(ts|tsx|mts|mjs|cjs|css|sql)$/;
const TEST = /\.test\.tsx?$|\/testing\/|^tests\/|^supabase\/tests\/|test-setup/;

const files = execFileSync('git', ['ls-files', ...ROOFS], { cwd: ROOT, encoding: 'utf8' })
  .split('\n')
  .filter((file) => SOURCE.test(file));
const counts = ROOFS.map((roof) => {
  const own = files.filter((file) => file.startsWith(`${roof}/`));
  const linesOf = (isTest: boolean): number =>
    own
      .filter((file) => TEST.test(file) === isTest)
      .reduce((sum, file) => sum + readFileSync(join(ROOT, file), 'utf8').split('\n').length - 1, 0);
  return { roof, files: own.length, source: linesOf(false), tests: linesOf(true) };
});
console.table(counts);
const product = counts.filter(({ roof }) => roof !== 'lab' && roof !== 'tests');
console.log(`product source: ${product.reduce((sum, { source }) => sum + source, 0)} lines`);
