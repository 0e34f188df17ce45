/**
 * `npm run admin:grant -- EMAIL`: makes an account an admin; `--revoke` takes the role away. An account's id works
 * instead of its address. It uses the database of the settings (DATABASE_URL, else DATA_DIR), whether the server runs
 * or not. Only one process can open the embedded database, so a server that holds it does the work, through its
 * operator socket.
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { callOperatorPipe, isPipeClosed } from '../../server/operations/operator-pipe.ts';
import { describeRoleChange } from '../../server/operations/role-messages.ts';
import { changeRole, type RoleChange, type RoleOutcome } from '../../server/operations/stores/admin-role-store.ts';
import { type Config, readConfig } from '../../server/platform/config/config.ts';
import { SqlError } from '../../server/platform/database/database.ts';
import { openDatabase } from '../../server/platform/database/open-database.ts';
import { DataFolderInUse, holderOf } from '../../server/platform/database/pglite/data-lock.ts';
import { createLogger } from '../../server/platform/telemetry/log.ts';
import { BadInput } from '../bad-input.ts';
import { readOrExit } from '../command-line.ts';

const TOO_OLD = 'This database is from another version. Start the server once to update it.';

const change = readOrExit(readChange, 'npm run admin:grant -- EMAIL [--revoke]');
try {
  const outcome = describeRoleChange(change, await apply(readConfig(process.env), change));
  for (const line of outcome.lines) (outcome.isOk ? console.log : console.error)(line);
  if (!outcome.isOk) process.exitCode = 1;
} catch (error) {
  console.error(isOfOldSchema(error) ? TOO_OLD : error instanceof Error ? error.message : String(error));
  process.exitCode = 1;
}

function readChange(): RoleChange {
  const { values, positionals } = parseArgs({
    options: { revoke: { type: 'boolean', default: false } },
    allowPositionals: true,
  });
  const [account, ...others] = positionals.map((text) => text.trim());
  if (account === undefined || account === '') throw new BadInput('Name the account’s email address.');
  if (others.length > 0) throw new BadInput('Name only one account.');
  return { account, role: values.revoke ? 'user' : 'admin' };
}

async function apply({ databaseUrl, dataDir, isDurable }: Config, wanted: RoleChange): Promise<RoleOutcome> {
  const holder = databaseUrl === null ? holderOf(dataDir) : null;
  if (holder !== null) {
    return callOperatorPipe(holder.socketDir, wanted).catch((error: unknown) => {
      throw isPipeClosed(error) ? new DataFolderInUse(dataDir, holder.pid) : error;
    });
  }
  if (databaseUrl === null && !existsSync(join(dataDir, 'database', 'PG_VERSION')))
    throw new Error(
      `There is no database in ${dataDir} yet. Start the server once, and create the account on the site.`,
    );
  const database = await openDatabase({
    databaseUrl,
    dataDir,
    isDurable: isDurable ?? true,
    clockOffsetMs: () => 0,
    log: createLogger('fatal'),
  });
  try {
    return await changeRole(database, wanted);
  } finally {
    await database.close();
  }
}

/** Undefined table, column, function or schema. */
function isOfOldSchema(error: unknown): boolean {
  return error instanceof SqlError && ['42P01', '42703', '42883', '3F000'].includes(error.code);
}
