/** Runs commands as the documents show them: `scripts/checks/shown-commands.ts` lists which, and what runs the others. */
import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fromMarkdown } from 'mdast-util-from-markdown';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { commandDocuments, commandsIn, PRODUCT, typedCommands } from '../../scripts/checks/document-commands.ts';
import { SHOWN_COMMANDS } from '../../scripts/checks/shown-commands.ts';
import { resolveCommand } from '../../scripts/resolve-command.mjs';
import { BACKUP_PATH, backupCommand } from '../../server/backup/backup-command.ts';
import { openOperatorPipe } from '../../server/operations/operator-pipe.ts';
import { OWNER } from '../../server/platform/database/database.ts';
import { holderOf } from '../../server/platform/database/pglite/data-lock.ts';
import { openPgliteDatabase, type PgliteDatabase } from '../../server/platform/database/pglite/pglite-database.ts';
import { makeRecordKeys, recordKeyPath, rotateRecordKey } from '../../server/record/ledger/record-key-file.ts';
import {
  createTestPostgres,
  POSTGRES_SKIPPED,
  pgliteTemplate,
  testDatabaseKinds,
  testLimits,
  testLog,
} from '../support/database/database.ts';
import { isNight } from '../support/run/test-size.ts';
import { runFile, runProgram, type ScriptResult } from '../support/servers/run-script.ts';
import { startPayments } from './support/services/payments.ts';

const ROOT = resolve(import.meta.dirname, '../..');
const HAS_POSTGRES = testDatabaseKinds().includes('postgres');
const WITHOUT = HAS_POSTGRES ? '' : ` (${POSTGRES_SKIPPED})`;
const RUN = Object.entries(SHOWN_COMMANDS).flatMap(([text, proof]) =>
  'runs' in proof && (isNight || proof.nightly !== true) ? [[text, proof.runs] as const] : [],
);

const ARGUMENTS: Readonly<Record<string, readonly string[]>> = {
  'npm test -- FILE': ['domain/account/device-name.test.ts'],
};

/** Replaces the repository's folder: commands write here. */
const folder = mkdtempSync(join(tmpdir(), 'kat-shown-'));
const dataDir = join(folder, '.data');

const NOW_S = Math.floor(Date.now() / 1000);
/** Makes the record's keys as a command requires them, whichever commands ran before. */
const PREPARATIONS: Readonly<Record<string, () => Promise<unknown>>> = {
  'npm run keys -- record --begin-anew': async () => rmSync(recordKeyPath(dataDir), { force: true }),
  'npm run keys -- record --rotate': () => makeRecordKeys(dataDir, NOW_S),
  'npm run keys -- record': async () => {
    await makeRecordKeys(dataDir, NOW_S);
    await rotateRecordKey(dataDir, NOW_S);
  },
};
/** Checks the files that a command writes. */
const RESULTS: Readonly<Record<string, () => void>> = {
  'npm run format': () =>
    expect(readFileSync(join(folder, 'badly-formatted.ts'), 'utf8')).toBe('export const one = 1;\n'),
  'npm run backup': () => expect(readdirSync(folder).filter((name) => /^kat-.*\.tar\.gz$/.test(name))).toHaveLength(1),
};

let database: PgliteDatabase;
let pipe: Awaited<ReturnType<typeof openOperatorPipe>>;

beforeAll(async () => {
  database = await openEmbedded(dataDir);
  const commands = { [BACKUP_PATH]: backupCommand({ database, dataDir, hasBucket: false, version: 'test' }) };
  pipe = await openOperatorPipe({ socketDir: holderOf(dataDir)?.socketDir ?? '', database, log: testLog, commands });
  spawnSync('git', ['init', '--quiet'], { cwd: folder });
  for (const name of ['biome.json', 'scripts/checks/lint', '.gitignore'])
    cpSync(join(ROOT, name), join(folder, name), { recursive: true });
  writeFileSync(join(folder, 'badly-formatted.ts'), 'export const one   =  1');
});
afterAll(async () => {
  await pipe?.close();
  await database?.close();
  rmSync(folder, { recursive: true, force: true });
});

async function openEmbedded(data: string): Promise<PgliteDatabase> {
  return openPgliteDatabase({ ...testLimits(), dataDir: data, dumpFile: await pgliteTemplate() });
}

/** @param more  arguments in the place of the example's, or after the command's */
function runShown(text: string, more: readonly string[] = [], data = dataDir): Promise<ScriptResult> {
  const options = { cwd: folder, env: { DATA_DIR: data } };
  const [command] = commandsIn(text);
  if (command === undefined) {
    const [program = '', ...args] = text.split(' ');
    return runProgram(program, args, options);
  }
  const found = resolveCommand(command.name, [...command.args.filter((arg) => arg !== 'FILE'), ...more], PRODUCT);
  if ('error' in found) throw new Error(found.error);
  return runFile({ ...found, ...options });
}

test.each(RUN)('runs %s', async (text, output) => {
  await PREPARATIONS[text]?.();

  const { code, text: printed } = await runShown(text, ARGUMENTS[text]);

  expect(printed).toMatch(output);
  expect(code).toBe(0);
  RESULTS[text]?.();
});

/** The examples that a reader replaces by names of his own site. */
const SQL_EXAMPLES: readonly [RegExp, string][] = [
  [/user_id = \.\.\./g, "user_id = '00000000-0000-4000-8000-000000000000'"],
  [/tablespace old/g, 'tablespace pg_default'],
];

test('runs every SQL statement of the documents', async () => {
  const [partition] = await database.query(
    OWNER,
    "select partition::text as name from private.partition_ends('private.market_candles') order by ends_at limit 1",
  );
  const week = String(partition?.name);
  expect(week).toMatch(/^private\.market_candles_w\d{8}$/);
  const statements = commandDocuments().flatMap(statementsOf);
  expect(statements.length).toBeGreaterThan(9);
  const undone = new Error('The database stays as it was.');
  const all = database.transaction(OWNER, async (tx) => {
    await tx.query('create schema archive');
    for (const statement of statements) {
      const own = SQL_EXAMPLES.reduce((sql, [example, value]) => sql.replace(example, value), statement);
      await tx.query(own.replaceAll(/private\.market_candles_w\d{8}/g, week));
    }
    throw undone;
  });
  await expect(all).rejects.toBe(undone);
});

/** Single statements: what a document joins by semicolons is several. */
function statementsOf(document: string): string[] {
  return typedCommands(readFileSync(join(ROOT, document), 'utf8'))
    .filter(({ text }) => /^(?:select|insert|delete|alter|grant) /.test(text))
    .flatMap(({ text }) => text.split(/;(?: |$)/))
    .filter((statement) => statement !== '');
}

test('makes the secrets of the containers by the block that shows it', async () => {
  const block = blockWith('docs/operating/production.md', 'mkdir secrets');
  const withoutStart = block.split('\n').filter((line) => !line.includes('docker compose'));
  const { code, text } = await runProgram('bash', ['-ec', withoutStart.join('\n')], { cwd: folder, env: {} });
  const secret = (name: string): string => readFileSync(join(folder, 'secrets', name), 'utf8');

  expect([code, text]).toEqual([0, '']);
  expect(secret('database_url')).toBe(`postgres://kat:${secret('database_password')}@database:5432/kat`);
  expect(secret('database_password')).toMatch(/^[0-9a-f]{48}$/);
  const token = /^nats:\/\/([0-9a-f]{48})@nats:4222$/.exec(secret('nats_url'))?.[1];
  expect(secret('nats_config')).toContain(`authorization { token: "${token}" }\n`);
  expect(statSync(join(folder, 'secrets')).mode & 0o777).toBe(0o700);
  expect(statSync(join(folder, 'secrets/smtp_url')).mode & 0o777).toBe(0o444);
});

test('moves the time of the payment sandbox by the block that shows it', async () => {
  const payments = await startPayments();
  try {
    const [control = ''] = readdirSync(payments.folder).filter((name) => name.includes('control'));
    cpSync(join(payments.folder, control), join(dataDir, 'payments-control.json'));
    const block = blockWith('docs/payments-sandbox.md', 'control POST');
    const { code, text } = await runProgram('bash', ['-ec', block], { cwd: folder, env: {} });

    expect([code, JSON.parse(text)]).toEqual([0, expect.any(Object)]);
    expect(text).not.toContain('error');
  } finally {
    await payments.stop();
  }
});

/** @returns the text of the code block in a document that contains `part` */
function blockWith(document: string, part: string): string {
  const blocks = fromMarkdown(readFileSync(join(ROOT, document), 'utf8')).children;
  const found = blocks.flatMap((node) => (node.type === 'code' && node.value.includes(part) ? [node.value] : []));
  expect(found).toHaveLength(1);
  return found[0] ?? '';
}

test.skipIf(!HAS_POSTGRES)(`copies the embedded database to PostgreSQL${WITHOUT}`, async () => {
  const { url, drop } = await createTestPostgres(false);
  try {
    const moving = join(folder, 'moving/.data');
    await (await openEmbedded(moving)).close();
    const moved = await runShown('npm run backup -- to-postgres --to', [url], moving);

    expect(moved.text).toMatch(/^same {2}[\s\S]*Copied in \d/);
    expect(moved.code).toBe(0);
  } finally {
    await drop();
  }
});
