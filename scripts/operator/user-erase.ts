/**
 * `npm run user -- erase EMAIL [--yes] [--dry-run]`: permanently deletes an account and everything stored about it; its
 * id works instead of its address. Lists the data first and requires confirmation. The subscription ends at the payment
 * provider immediately, without a refund; while money is owed there, nothing is erased.
 */
import { createInterface } from 'node:readline/promises';
import { parseArgs } from 'node:util';
import { isAppError } from '#domain/errors/app-error.ts';
import { MESSAGES } from '#domain/errors/messages.ts';
import { type ErasureOutcome, eraseAccount, erasureOutcomeSchema } from '../../server/account/erasure/erase-account.ts';
import { ACCOUNT_LIMIT_MS, ERASE_PATH } from '../../server/account/operator-commands.ts';
import { openStoredFiles } from '../../server/backend/storage/files/stored-files.ts';
import { accountEnder } from '../../server/billing/subscriptions/end-account.ts';
import { readConfig } from '../../server/platform/config/config.ts';
import { createLogger } from '../../server/platform/telemetry/log.ts';
import { BadInput } from '../bad-input.ts';
import { readOrExit } from '../command-line.ts';
import { onHeldDatabase } from './held-database.ts';

const { account, isSure, isDry } = readOrExit(() => {
  const { values, positionals } = parseArgs({
    options: { yes: { type: 'boolean', default: false }, 'dry-run': { type: 'boolean', default: false } },
    allowPositionals: true,
  });
  const [one, ...others] = positionals.map((text) => text.trim());
  if (one === undefined || one === '' || others.length > 0) throw new BadInput('Name the account’s email address.');
  return { account: one, isSure: values.yes, isDry: values['dry-run'] };
}, 'npm run user -- erase EMAIL [--yes] [--dry-run]');
try {
  const isDone = print(await erase(true)) && !isDry && (isSure || (await isMeant())) && print(await erase(false));
  if (!isDone && !isDry) process.exitCode = 1;
} catch (error) {
  console.error(isAppError(error) ? MESSAGES[error.code] : error instanceof Error ? error.message : String(error));
  process.exitCode = 1;
}

async function erase(isCounting: boolean): Promise<ErasureOutcome> {
  const config = readConfig(process.env);
  if (config.hosted !== null)
    throw new Error(
      'A hosted project stores the accounts. Remove the files and the account there; the rows here are removed with it.',
    );
  const { keys, choice } = config.payments;
  const wanted = { account, isDry: isCounting };
  return onHeldDatabase(config, {
    path: ERASE_PATH,
    body: wanted,
    limitMs: ACCOUNT_LIMIT_MS,
    parse: (answer) => erasureOutcomeSchema.parse(answer),
    async run(database) {
      const files = openStoredFiles(config);
      try {
        const hasKeys = keys !== null && choice !== 'sandbox';
        const provider = hasKeys ? accountEnder({ ...keys, pagesUrl: null }, { log: createLogger('fatal') }) : null;
        return await eraseAccount({ database, provider, removeFile: (version) => files.remove(version) }, wanted);
      } finally {
        files.close();
      }
    },
  });
}

/** @returns whether it succeeded */
function print(outcome: ErasureOutcome): boolean {
  switch (outcome.kind) {
    case 'unknown':
      console.error(`There is no account ${account}.`);
      return false;
    case 'several':
      console.error(`Several accounts have the address ${account}. Use the id of one of them instead:`);
      for (const id of outcome.ids) console.error(`  ${id}`);
      return false;
    case 'refused':
      console.error(`Nothing was erased. ${outcome.message}`);
      return false;
    case 'would-erase':
      console.log(`${outcome.email ?? outcome.id} (${outcome.id}) has:`);
      for (const { table, rows, stay } of outcome.rows)
        console.log(`  ${String(rows).padStart(7)}  ${table}${stay ? ', which stay without the author’s name' : ''}`);
      console.log(`  ${String(outcome.files).padStart(7)}  stored files`);
      if (outcome.running > 0) console.log('A subscription is running. It will end immediately, without a refund.');
      return true;
    case 'erased':
      console.log(`Erased: ${outcome.rows.reduce((sum, { rows }) => sum + rows, 0)} rows and ${outcome.files} files.`);
      for (const customer of outcome.customers)
        console.log(
          `The payment provider still has ${customer}: delete it there once its invoices are no longer needed.`,
        );
      console.log('Older backups and logs still contain the account until they are deleted.');
      return true;
  }
}

async function isMeant(): Promise<boolean> {
  if (!process.stdin.isTTY) {
    console.error('Nothing was changed. Without a terminal, pass --yes to confirm.');
    return false;
  }
  const prompt = createInterface({ input: process.stdin, output: process.stdout });
  const answer = await prompt.question('This cannot be undone. Type the account’s address or id to erase it: ');
  prompt.close();
  if (answer.trim().toLowerCase() === account.toLowerCase()) return true;
  console.error('Nothing was changed.');
  return false;
}
