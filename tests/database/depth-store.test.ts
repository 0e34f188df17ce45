/** The depths of queues as reported to machines, counted by the statements that run in production. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readDepths } from '../../server/operations/site-figures.ts';
import { type Database, OWNER } from '../../server/platform/database/database.ts';
import { openTestDatabase } from '../support/database/database.ts';
import { describeEachDatabase } from '../support/database/each-database.ts';

const NOW_MS = Date.UTC(2026, 10, 22, 12, 30);
const HOUR_MS = 3_600_000;

// Runs on both kinds; in a running server they are asserted on PostgreSQL only (contract/operations-state).
describeEachDatabase('queue depths', (kind) => {
  let database: Database;
  const sql = (text: string, params: readonly unknown[] = []) => database.query(OWNER, text, params);
  beforeAll(async () => {
    database = await openTestDatabase(kind);
  });
  afterAll(() => database.close());

  test('are zero in an empty database', async () => {
    const empty = await openTestDatabase(kind);
    const depths = await readDepths(empty, NOW_MS).finally(() => empty.close());
    expect(depths).toEqual({
      push: 0,
      outcomes: 0,
      scores: 0,
      seals: 0,
      pushOldestS: null,
      votesUp: 0,
      votesDown: 0,
    });
  });

  test('count votes of the last 24 hours, and no older ones', async () => {
    for (const [direction, hours] of [
      ['up', 1],
      ['up', 23],
      ['down', 2],
      ['down', 25],
    ] as const)
      await sql(
        "insert into private.votes (currency, direction, created_at) values ('btc', $1::text, $2::text::timestamptz)",
        [direction, new Date(NOW_MS - hours * HOUR_MS).toISOString()],
      );

    expect(await readDepths(database, NOW_MS)).toMatchObject({ votesUp: 2, votesDown: 1 });
  });

  test('count unsealed records once their hour is over, and unscored ones once due', async () => {
    const hourMs = Date.UTC(2026, 10, 22, 12);
    // Another test covers chain and texts; here only the rows matter.
    await database.transaction(OWNER, async (tx) => {
      await tx.query("set local session_replication_role = 'replica'");
      const issued = [hourMs - 3 * HOUR_MS, hourMs - 2 * HOUR_MS, hourMs - 1000, hourMs, hourMs + 60_000];
      for (const [n, issuedMs] of issued.entries()) {
        await tx.query(
          `insert into private.track_records (seq, slot_s, sym, model, model_version, role, market_kind, issued_ms, body, hash)
           values ($1::bigint, $1::bigint * 300, 'BTC', 'lion', '1', 'serving', 'live', $2::bigint, $1::text,
                   sha256(convert_to($1::text, 'UTF8')))`,
          [n + 1, issuedMs],
        );
        await tx.query(
          'insert into private.track_waiting values ($1::bigint, $2::text, $3::text, $4::bigint, $5::bigint)',
          [...[n + 1, 'BTC', 'live', issuedMs], issuedMs / 1000 + 3000],
        );
      }
    });
    expect(await readDepths(database, NOW_MS)).toMatchObject({ seals: 3, scores: 2 });

    await database.transaction(OWNER, async (tx) => {
      await tx.query("set local session_replication_role = 'replica'");
      await tx.query(
        "insert into private.track_hours (hour_s, first_seq, count, root) values ($1::bigint, 1, 2, sha256('x'::bytea))",
        [hourMs / 1000 - 3 * 3600],
      );
    });
    expect(await readDepths(database, NOW_MS)).toMatchObject({ seals: 1 });
  });

  test('count notifications and outcomes from their due time', async () => {
    const at = (minutes: number) => new Date(NOW_MS + minutes * 60_000).toISOString();
    await database.transaction(OWNER, async (tx) => {
      await tx.query("set local session_replication_role = 'replica'");
      for (const [key, minutes, state] of [
        ['a', -2, 'waiting'],
        ['b', 5, 'waiting'],
        ['c', -9, 'sent'],
      ] as const)
        await tx.query(
          `insert into private.outgoing_pushes
             (subscription_id, key, title, text_body, path, state, next_try_at, expires_at, created_at)
           values (gen_random_uuid(), $1::text, 't', 't', '/', $3::text, $2::text::timestamptz, $2::text::timestamptz, now())`,
          [key, at(minutes), state],
        );
      for (const minutes of [-1, 1])
        await tx.query(
          `insert into public.prediction_outcomes (prediction_id, user_id, market_kind, sym, join_s, due_at, next_try_at)
           values (gen_random_uuid(), gen_random_uuid(), 'live', 'BTC', 0, now(), $1::text::timestamptz)`,
          [at(minutes)],
        );
    });
    expect(await readDepths(database, NOW_MS)).toMatchObject({ push: 2, pushOldestS: 120, outcomes: 1 });
  });
});
