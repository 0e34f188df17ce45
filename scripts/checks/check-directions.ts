/**
 * Also checks that the check works: one violation of each kind is planted in a copy, and exactly those must be found.
 * (A checker that reads no modules reports success too.)
 */
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import * as z from 'zod/mini';
import { bin, NODE, ROOT, run } from '../steps.ts';
import { SOURCE_FOLDERS } from './checks.ts';

interface Fault {
  rule: string;
  file: string;
  text: string;
}

const FAULTS: readonly Fault[] = [
  { rule: 'domain-zod-mini-only', file: 'domain/planted-zod.ts', text: `export { z } from 'zod';` },
  { rule: 'domain-is-pure', file: 'domain/planted-node.ts', text: `export { readFileSync } from 'node:fs';` },
  { rule: 'ground-stays-ground', file: 'domain/time/planted.ts', text: `export * from '../billing/plans.ts';` },
  {
    rule: 'platform-knows-no-product',
    file: 'server/platform/planted.ts',
    text: `export type * from '../market/venues/venue.ts';`,
  },
  {
    rule: 'market-below-forecast',
    file: 'server/market/planted.ts',
    text: `export type * from '../forecast/forecast.ts';`,
  },
  {
    rule: 'forecast-on-market-and-billing',
    file: 'server/forecast/planted.ts',
    text: `export * from '../billing/planted.ts';`,
  },
  {
    rule: 'billing-below-forecast',
    file: 'server/billing/planted.ts',
    text: `export type * from '../market/venues/venue.ts';`,
  },
  {
    rule: 'auth-extensions-by-their-list',
    file: 'server/backend/auth/planted.ts',
    text: `export * from './extensions/id-token.ts';`,
  },
  {
    rule: 'account-on-backend',
    file: 'server/account/planted.ts',
    text: `export type * from '../market/venues/venue.ts';`,
  },
  {
    rule: 'programs-on-record',
    file: 'server/programs/planted.ts',
    text: `export type * from '../account/account-deps.ts';`,
  },
  {
    rule: 'nobody-imports-programs',
    file: 'server/record/planted-programs.ts',
    text: `export type * from '../programs/key-gate.ts';`,
  },
  {
    rule: 'alerts-on-record',
    file: 'server/alerts/planted.ts',
    text: `export type * from '../account/account-deps.ts';`,
  },
  {
    rule: 'push-on-platform',
    file: 'server/push/planted.ts',
    text: `export type * from '../account/account-deps.ts';`,
  },
  {
    rule: 'push-for-alerts',
    file: 'server/chat/planted-push.ts',
    text: `export type * from '../push/open-push.ts';`,
  },
  {
    rule: 'operations-above-all',
    file: 'server/operations/planted.ts',
    text: `export type * from '../billing/billing-function.ts';`,
  },
  {
    rule: 'nobody-imports-operations',
    file: 'server/record/planted.ts',
    text: `export type * from '../operations/operations-deps.ts';`,
  },
  { rule: 'server-alone', file: 'server/planted-web.ts', text: `export * from '../web/planted.ts';` },
  {
    rule: 'web-alone',
    file: 'web/planted.ts',
    text: `export type * from '../server/platform/database/database.ts';`,
  },
  {
    rule: 'sandbox-alone',
    file: 'sandbox/planted.ts',
    text: `export type * from '../server/platform/database/database.ts';`,
  },
  {
    rule: 'packages-alone',
    file: 'packages/verify/source/planted.ts',
    text: `export type * from '../../../server/platform/database/database.ts';`,
  },
  {
    rule: 'client-no-node',
    file: 'packages/client/source/planted.ts',
    text: `export { readFileSync } from 'node:fs';`,
  },
  {
    rule: 'packages-for-others',
    file: 'server/planted-package.ts',
    text: `export type * from '../packages/client/source/client.ts';`,
  },
  { rule: 'features-apart', file: 'web/features/planted-a/a.ts', text: `export * from '../planted-b/b.ts';` },
  {
    rule: 'only-api-files-call-out',
    file: 'web/features/planted-b/b.ts',
    text: `export * from '../../platform/planted.ts';`,
  },
  { rule: 'web-platform-lowest', file: 'web/platform/planted.ts', text: `export * from '../ui/planted.ts';` },
  {
    rule: 'web-site-below-session',
    file: 'web/site/planted.ts',
    text: `export * from '../session/session.ts';`,
  },
  { rule: 'web-brand-on-ui', file: 'web/brand/planted.ts', text: `export * from '../platform/config.ts';` },
  { rule: 'icons-by-file', file: 'web/ui/planted-icon.ts', text: `export { Check } from 'lucide-react';` },
  { rule: 'chart-library-home', file: 'web/ui/planted.ts', text: `export * from 'lightweight-charts';` },
  { rule: 'mail-library-home', file: 'server/platform/mail/planted.ts', text: `export * from 'nodemailer';` },
  { rule: 'payment-library-home', file: 'sandbox/community/planted.ts', text: `export * from 'stripe';` },
  {
    rule: 'telemetry-library-home',
    file: 'server/operations/planted-telemetry.ts',
    text: `export * from '@opentelemetry/api';`,
  },
  {
    rule: 'broker-client-home',
    file: 'server/market/planted-broker.ts',
    text: `export * from '@nats-io/transport-node';`,
  },
  {
    rule: 'mcp-library-home',
    file: 'server/record/planted-mcp.ts',
    text: `export * from '@modelcontextprotocol/server';`,
  },
  { rule: 'mail-sink-home', file: 'sandbox/market/planted.ts', text: `export * from 'postal-mime';` },
  { rule: 'picture-library-home', file: 'server/backend/storage/planted.ts', text: `export * from 'file-type';` },
  { rule: 'file-store-client-home', file: 'server/backend/planted.ts', text: `export * from '@aws-sdk/client-s3';` },
  { rule: 'inference-runtime-home', file: 'server/forecast/planted-run.ts', text: `export * from 'onnxruntime-node';` },
  { rule: 'no-circles', file: 'sandbox/planted-circle-2.ts', text: `export * from './planted-circle.ts';` },
  {
    rule: 'testing-for-tests-only',
    file: 'server/market/planted-testing.ts',
    text: `export * from './testing/scripted-venue.ts';`,
  },
  {
    rule: 'nothing-imports-the-lab',
    file: 'scripts/planted-lab.ts',
    text: `export * from '../lab/measure/measure.ts';`,
  },
  { rule: 'test-support-in-testing', file: 'server/billing/planted-fixture.ts', text: 'export const FIXTURE = 1;' },
  { rule: 'database-driver-home', file: 'server/market/planted-sql.ts', text: `export { default } from 'postgres';` },
];

const reportSchema = z.object({
  summary: z.object({
    totalCruised: z.number(),
    violations: z.array(z.object({ from: z.string(), to: z.string(), rule: z.object({ name: z.string() }) })),
  }),
});

/** Gigabytes of windows, and Python's packages. */
const LEFT_BY_TRAINING = /\/lab\/training\/(\.venv|cache|runs)$/;

const copy = mkdtempSync(join(tmpdir(), 'kat-directions-'));
try {
  const filter = (path: string): boolean => !LEFT_BY_TRAINING.test(path);
  for (const name of SOURCE_FOLDERS) cpSync(join(ROOT, name), join(copy, name), { recursive: true, filter });
  for (const name of ['package.json', 'tsconfig.base.json', '.dependency-cruiser.cjs', 'vitest.config.ts'])
    cpSync(join(ROOT, name), join(copy, name));
  symlinkSync(join(ROOT, 'node_modules'), join(copy, 'node_modules'));
  for (const fault of FAULTS) {
    const path = join(copy, fault.file);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, `${fault.text}\n`);
  }
  // The other half of the cycle; the cruiser names one of the two.
  writeFileSync(join(copy, 'sandbox/planted-circle.ts'), `export * from './planted-circle-2.ts';\n`);
  // Only a test imports the planted fixture.
  writeFileSync(join(copy, 'server/billing/planted-fixture.test.ts'), `import './planted-fixture.ts';\n`);
  // The cruiser cannot see `typeof import()`; the compiler's projects can.
  writeFileSync(
    join(copy, 'web/planted-typeof.ts'),
    `export type Side = typeof import('../server/platform/database/database.ts');\n`,
  );
  // The same project with only this file: reading all of it would take seconds.
  const { references } = JSON.parse(readFileSync(join(copy, 'web/tsconfig.json'), 'utf8'));
  writeFileSync(
    join(copy, 'web/tsconfig.planted.json'),
    JSON.stringify({ extends: './tsconfig.json', references, files: ['planted-typeof.ts'], include: [] }),
  );

  const problems = (await Promise.all([wrongImports(), missedByCompiler()])).flat();
  for (const problem of problems) console.error(problem);
  process.exitCode = problems.length > 0 ? 1 : 0;
} finally {
  rmSync(copy, { recursive: true, force: true });
}

async function wrongImports(): Promise<string[]> {
  const args = ['--config', '.dependency-cruiser.cjs', '--output-type', 'json', ...SOURCE_FOLDERS];
  const result = await run(NODE, [bin('depcruise'), ...args], { cwd: copy, isQuiet: true });
  const { summary } = reportSchema.parse(
    JSON.parse(result.output.slice(result.output.indexOf('{'), result.output.lastIndexOf('}') + 1)),
  );
  const found = summary.violations.map(({ from, to, rule }) => ({ from, to, rule: rule.name }));
  const missed = FAULTS.filter(({ rule, file }) => !found.some((one) => one.rule === rule && one.from === file)).map(
    ({ rule, file }) => `planted fault not caught: ${rule} in ${file} (${summary.totalCruised} modules read)`,
  );
  const real = found
    .filter(({ from }) => !/\/planted\b/.test(from))
    .map(({ rule, from, to }) => `${rule}: ${from} imports ${to}`);
  return [...missed, ...real];
}

async function missedByCompiler(): Promise<string[]> {
  const args = ['-p', 'web/tsconfig.planted.json', '--noEmit'];
  const { output } = await run(NODE, [bin('tsc'), ...args], { cwd: copy, isQuiet: true });
  // The file is in no project that web references.
  const isCaught = /planted-typeof\.ts.*TS6307.*server\/platform/.test(output);
  return isCaught ? [] : ['planted fault not caught by tsc: typeof import() in web'];
}
