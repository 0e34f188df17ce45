/**
 * `npm test -- coverage`: lines and branches that unit, web, database and contract tests run, by top-level folder (V8's
 * own count). Browser tests drive a server in a separate process, which is not counted. `-- --in DIR` measures another
 * checkout, to compare two versions.
 */
import { readFileSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import * as z from 'zod/mini';
import { readOrExit } from '../command-line.ts';
import { bin, NODE, ROOT, run } from '../steps.ts';
import { openTestPostgres } from '../test-run/prepare.ts';
import { openRunFolder } from '../test-run/run-folder.ts';

const ROOFS = ['domain', 'server', 'web', 'sandbox', 'scripts'] as const;
const countSchema = z.object({ total: z.number(), covered: z.number() });
const summarySchema = z.record(z.string(), z.object({ lines: countSchema, branches: countSchema }));
type Summary = z.infer<typeof summarySchema>;

const { values } = readOrExit(
  () => parseArgs({ options: { in: { type: 'string' } } }),
  'npm test -- coverage [--in FOLDER]',
);
const root = resolve(values.in ?? ROOT);
const folder = openRunFolder();
// Vitest empties it before the tests run, so nothing else may be in it.
const reports = join(folder.path, 'coverage');
const postgres = await openTestPostgres();
try {
  const kinds = ['unit', 'web', 'database', 'contract'].flatMap((kind) => ['--project', kind]);
  const coverage = [
    '--coverage.enabled',
    '--coverage.provider=v8',
    '--coverage.reporter=json-summary',
    `--coverage.reportsDirectory=${reports}`,
    '--coverage.reportOnFailure',
    ...ROOFS.map((roof) => `--coverage.include=${roof}/**/*.{ts,tsx}`),
    '--coverage.exclude=**/*.test.{ts,tsx}',
    '--coverage.exclude=**/testing/**',
  ];
  const { code } = await run(NODE, [bin('vitest'), 'run', ...kinds, ...coverage], { cwd: root, env: postgres.env });
  if (code !== 0) console.log(`the tests ended with code ${code}; coverage of what ran is still reported`);
  const summary = summarySchema.parse(JSON.parse(readFileSync(join(reports, 'coverage-summary.json'), 'utf8')));
  for (const roof of ROOFS) console.log(coverageLine(roof, summary));
} finally {
  await postgres.stop();
  folder.remove();
}

/** @example `server: lines 91.2% of 20143, branches 85.0% of 8122` */
function coverageLine(roof: string, summary: Summary): string {
  const files = Object.entries(summary).filter(([path]) => relative(root, path).startsWith(`${roof}/`));
  const share = (part: 'lines' | 'branches'): string => {
    const sum = (count: 'total' | 'covered') => files.reduce((total, [, figures]) => total + figures[part][count], 0);
    return `${part} ${((100 * sum('covered')) / sum('total')).toFixed(1)}% of ${sum('total')}`;
  };
  return `${roof}: ${share('lines')}, ${share('branches')}`;
}
