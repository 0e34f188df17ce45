/** Empties the public record, so that tests can share a database. Its triggers forbid that: they are off meanwhile. */
import { type Database, OWNER } from '../../../server/platform/database/database.ts';

export async function emptyRecord(database: Database): Promise<void> {
  await database.transaction(OWNER, async (tx) => {
    await tx.query('set local session_replication_role = replica');
    await tx.query(`do $$ begin
      execute (select 'truncate ' || string_agg(format('private.%I', relname), ', ') from pg_class
                where relnamespace = 'private'::regnamespace and relname like 'track\\_%'
                  and relkind in ('r', 'p') and not relispartition);
    end $$`);
  });
}
