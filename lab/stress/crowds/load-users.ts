/** Subscribers with open sessions, stored before the server starts: signing in thousands is another load. */

import { openSigningKeys } from '../../../server/backend/auth/keys/keys.ts';
import { asOwner } from '../../../server/platform/database/database.ts';
import { migrate } from '../../../server/platform/database/migrate.ts';
import { openDatabase } from '../../../server/platform/database/open-database.ts';
import { createLogger } from '../../../server/platform/telemetry/log.ts';

export interface LoadDatabase {
  /** Null: PGlite in the folder. */
  databaseUrl: string | null;
  dataDir: string;
}

const TOKEN_S = 6 * 3600;
const log = createLogger('silent');
const userId = (nth: string): string => `md5('load user ' || ${nth})::uuid`;
const sessionId = (nth: string): string => `md5('load session ' || ${nth})::uuid`;

/** @returns an access token for each user; all have the largest plan */
export async function seedSubscribers({ databaseUrl, dataDir }: LoadDatabase, users: number): Promise<string[]> {
  const keys = await openSigningKeys(dataDir);
  const database = await openDatabase({
    databaseUrl,
    dataDir,
    isDurable: false,
    clockOffsetMs: () => 0,
    log,
    statementLimitMs: 120_000,
  });
  try {
    await migrate(database, { log });
    const owner = asOwner(database);
    await owner.query(
      `insert into auth.users (id, email, email_confirmed_at, aud, role)
       select ${userId('n')}, 'load-' || n || '@example.com', now(), 'authenticated', 'authenticated'
         from generate_series(1, $1::int) n`,
      [users],
    );
    await owner.query(
      `insert into auth.sessions (id, user_id, created_at, updated_at)
       select ${sessionId('n')}, ${userId('n')}, now(), now() from generate_series(1, $1::int) n`,
      [users],
    );
    await owner.query(
      `insert into public.stripe_customers (user_id, customer_id)
       select ${userId('n')}, 'cus_load_' || n from generate_series(1, $1::int) n`,
      [users],
    );
    await owner.query(
      `insert into public.stripe_subscriptions (subscription_id, customer_id, price_id, status, current_period_start,
         current_period_end, cancel_at_period_end, stripe_created)
       select 'sub_load_' || n, 'cus_load_' || n, 'price_kat_lion_monthly', 'active', extract(epoch from now())::bigint - 864000,
         extract(epoch from now())::bigint + 1728000, false, 0
         from generate_series(1, $1::int) n`,
      [users],
    );
    const rows = await owner.query(
      `select ${userId('n')}::text as user_id, ${sessionId('n')}::text as session_id
         from generate_series(1, $1::int) n order by n`,
      [users],
    );
    const issuedAtS = Math.floor(Date.now() / 1000) - 60;
    return await Promise.all(
      rows.map((row) =>
        keys.sign(
          {
            sub: row.user_id,
            session_id: row.session_id,
            aud: 'authenticated',
            role: 'authenticated',
            aal: 'aal1',
            is_anonymous: false,
          },
          issuedAtS,
          issuedAtS + TOKEN_S,
        ),
      ),
    );
  } finally {
    await database.close();
  }
}
