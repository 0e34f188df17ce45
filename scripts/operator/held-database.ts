/** The database of the settings for an operator command: opened here, or used through the server that holds it. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { callOperatorCommand, isPipeClosed } from '../../server/operations/operator-pipe.ts';
import type { Config } from '../../server/platform/config/config.ts';
import type { Database } from '../../server/platform/database/database.ts';
import { openDatabase } from '../../server/platform/database/open-database.ts';
import { DataFolderInUse, holderOf } from '../../server/platform/database/pglite/data-lock.ts';
import { createLogger } from '../../server/platform/telemetry/log.ts';

export interface HeldCommand<T> {
  path: `/${string}`;
  body: unknown;
  limitMs: number;
  parse(answer: unknown): T;
  /** The same work, in this process. */
  run(database: Database): Promise<T>;
}

/** @throws DataFolderInUse if a process without an operator socket holds the database; Error if there is no database */
export async function onHeldDatabase<T>(
  { databaseUrl, dataDir, isDurable }: Pick<Config, 'databaseUrl' | 'dataDir' | 'isDurable'>,
  command: HeldCommand<T>,
): Promise<T> {
  const holder = databaseUrl === null ? holderOf(dataDir) : null;
  if (holder !== null) {
    const { path, body, limitMs } = command;
    const answer = await callOperatorCommand(holder.socketDir, path, body, limitMs).catch((error: unknown) => {
      throw isPipeClosed(error) ? new DataFolderInUse(dataDir, holder.pid) : error;
    });
    return command.parse(answer);
  }
  if (databaseUrl === null && !existsSync(join(dataDir, 'database', 'PG_VERSION')))
    throw new Error(`There is no database in ${dataDir}.`);
  const log = createLogger('fatal');
  const database = await openDatabase({
    databaseUrl,
    dataDir,
    isDurable: isDurable ?? true,
    clockOffsetMs: () => 0,
    log,
    poolSize: 1,
  });
  try {
    return await command.run(database);
  } finally {
    await database.close();
  }
}
