/** Refresh tokens used long ago are deleted, found by their index without reading all. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { deleteLongUsedTokens } from '../../server/backend/auth/expiry-sweep.ts';
import { type Database, OWNER, type Queries } from '../../server/platform/database/database.ts';
import { openTestDatabase } from '../support/database/database.ts';
import { describeEachDatabase } from '../support/database/each-database.ts';

const NOW_ISO = '2026-11-22T12:00:00Z';
/** Of each ten one is unused, one was used 31 days ago and eight within the month. */
const FILL = `
  with ann as (insert into auth.users (id, email) values (gen_random_uuid(), 'ann@example.com') returning id),
  session as (insert into auth.sessions (user_id) select id from ann returning id, user_id)
  insert into auth.refresh_tokens (token_hash, user_id, session_id, used_at)
  select 'token ' || n, user_id, id, timestamptz '${NOW_ISO}' - case n % 10 when 0 then null when 1 then interval '31 days' else interval '1 day' * n / 100 end
    from session, generate_series(1, 2000) n`;

// Runs on both kinds, because query plans depend on the database.
describeEachDatabase('used refresh tokens', (kind) => {
  let database: Database;
  beforeAll(async () => {
    database = await openTestDatabase(kind);
    await database.query(OWNER, FILL);
  });
  afterAll(() => database?.close());

  const count = async (where: string): Promise<unknown> => {
    const [row] = await database.query(OWNER, `select count(*)::int as count from auth.refresh_tokens where ${where}`);
    return row?.count;
  };

  test('are deleted after thirty days without a sequential scan', async () => {
    const plan: unknown[] = [];
    const mayBeMore = await database.transaction(OWNER, async (tx) => {
      // PostgreSQL reads small tables whole, unless sequential scans are disabled where there is another way.
      await tx.query('set local enable_seqscan = off');
      const explained: Queries = {
        query: async (text, params) => {
          plan.push(...(await tx.query(`explain ${text}`, params)).map((row) => row['QUERY PLAN']));
          return tx.query(text, params);
        },
      };
      return deleteLongUsedTokens(explained, NOW_ISO);
    });

    expect(mayBeMore).toBe(false);
    expect(plan.join('\n')).toContain('refresh_tokens_used_at_idx');
    expect(plan.join('\n')).not.toContain('Seq Scan');
    expect(await count(`used_at < timestamptz '${NOW_ISO}' - interval '30 days'`)).toBe(0);
    expect([await count('used_at is null'), await count('used_at is not null')]).toEqual([200, 1600]);
  });
});
