/** Operator commands for a running process that alone holds the embedded database: admins, backups, accounts. */
import { accountCommands } from '../account/operator-commands.ts';
import { INVITE_PATH, invitationSchema, invite } from '../backend/auth/mail/invite.ts';
import type { RateLimits } from '../backend/limits.ts';
import { openStoredFiles } from '../backend/storage/files/stored-files.ts';
import { BACKUP_PATH, type BackupParts, backupCommand } from '../backup/backup-command.ts';
import type { PaymentsSource } from '../billing/provider/payments-source.ts';
import { accountEnder } from '../billing/subscriptions/end-account.ts';
import type { Core } from '../core.ts';
import { openOperatorPipe } from '../operations/operator-pipe.ts';
import type { Config } from '../platform/config/config.ts';
import { holderOf } from '../platform/database/pglite/data-lock.ts';

export interface CommandDeps extends Pick<Core, 'database' | 'log'> {
  config: Config;
  payments: PaymentsSource | null;
  limits: RateLimits;
  backup: BackupParts;
}

/** Does nothing where any process can open the database, since the commands then need no server. Never rejects. */
export async function openCommands({
  config,
  database,
  payments,
  limits,
  backup,
  log,
}: CommandDeps): Promise<{ close(): unknown }> {
  const held = database.kind === 'pglite' ? holderOf(config.dataDir) : null;
  if (held === null || held.pid !== process.pid) return { close: () => undefined };
  const files = openStoredFiles(config);
  const commands = {
    [BACKUP_PATH]: backupCommand(backup),
    [INVITE_PATH]: (body: unknown) =>
      invite({ database, dataDir: config.dataDir, limits }, invitationSchema.parse(body), new Date().toISOString()),
    ...accountCommands({
      database,
      provider: payments === null ? null : accountEnder(payments, { log }),
      removeFile: (version) => files.remove(version),
    }),
  };
  try {
    const pipe = await openOperatorPipe({ socketDir: held.socketDir, database, log, commands });
    return {
      async close() {
        await pipe.close();
        await files.close();
      },
    };
  } catch (error) {
    // The site works without it.
    log.warn({ err: error }, 'the socket for the operator’s commands could not be opened');
    await files.close();
    return { close: () => undefined };
  }
}
