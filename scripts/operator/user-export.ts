/** `npm run user -- export EMAIL FILE`: everything stored about an account, as its owner would download it, as JSON. */
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { exportOutcomeSchema, exportToFile } from '../../server/account/export/export-file.ts';
import { ACCOUNT_LIMIT_MS, EXPORT_PATH } from '../../server/account/operator-commands.ts';
import { readConfig } from '../../server/platform/config/config.ts';
import { BadInput } from '../bad-input.ts';
import { readOrExit } from '../command-line.ts';
import { onHeldDatabase } from './held-database.ts';

const wanted = readOrExit(() => {
  const { positionals } = parseArgs({ allowPositionals: true });
  const [account, file, ...others] = positionals;
  if (account === undefined || file === undefined || others.length > 0)
    throw new BadInput('Name the account’s email address and a file.');
  return { account: account.trim(), file: resolve(file) };
}, 'npm run user -- export EMAIL FILE');
try {
  const outcome = await onHeldDatabase(readConfig(process.env), {
    path: EXPORT_PATH,
    body: wanted,
    limitMs: ACCOUNT_LIMIT_MS,
    parse: (answer) => exportOutcomeSchema.parse(answer),
    run: (database) => exportToFile(database, { ...wanted, nowMs: Date.now() }),
  });
  if (outcome.kind === 'written') console.log(`${outcome.file}: everything about ${outcome.email ?? wanted.account}.`);
  else if (outcome.kind === 'unknown') throw new Error(`There is no account ${wanted.account}.`);
  else
    throw new Error(`Several accounts have that address. Use the id of one of them instead: ${outcome.ids.join(', ')}`);
} catch (error) {
  console.error(error instanceof Error ? error.message : String(error));
  process.exitCode = 1;
}
