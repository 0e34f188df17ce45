/** A statement with its role is one message and one transaction; its plan may be stored in the session. */
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { type Database, OWNER, SERVICE } from '../../server/platform/database/database.ts';
import { openTestDatabase } from '../support/database/database.ts';
import { createDatabaseUser, type TestUser } from '../support/database/database-users.ts';
import { describeEachDatabase } from '../support/database/each-database.ts';

const PREPARED = { isPrepared: true };
const NOTES = 'select * from public.plan_notes order by id';

// Runs on both kinds, because PGlite gets each message of the batch separately.
describeEachDatabase('stored plans', (kind) => {
  let database: Database;
  let ada: TestUser;
  let bob: TestUser;

  beforeAll(async () => {
    database = await openTestDatabase(kind, { isOwn: true });
    ada = await createDatabaseUser(database, 'ada@example.com');
    bob = await createDatabaseUser(database, 'bob@example.com');
  });
  beforeEach(async () => {
    await database.transaction(OWNER, (tx) =>
      tx.query(`drop table if exists public.plan_notes;
        create table public.plan_notes (id int primary key, owner uuid);
        alter table public.plan_notes enable row level security;
        create policy "own" on public.plan_notes to authenticated using (owner = auth.uid());
        grant all on public.plan_notes to authenticated, service_role;
        insert into public.plan_notes values (1, '${ada.id}'), (2, '${bob.id}');`),
    );
  });
  afterAll(() => database?.close());

  test('give each caller only its own rows, in turns on the same sessions', async () => {
    for (let round = 0; round < 8; round += 1) {
      const [ofAda, ofBob, ofService] = await Promise.all(
        [ada.caller, bob.caller, SERVICE].map((caller) => database.query(caller, NOTES, [], PREPARED)),
      );
      expect(ofAda).toEqual([{ id: 1, owner: ada.id }]);
      expect(ofBob).toEqual([{ id: 2, owner: bob.id }]);
      expect(ofService).toHaveLength(2);
    }
  });

  test('return the new columns after the table changed', async () => {
    const before = await database.query(SERVICE, NOTES, [], PREPARED);

    await database.query(OWNER, "alter table public.plan_notes add column title text default 'new'");
    const after = await database.query(SERVICE, NOTES, [], PREPARED);

    expect(Object.keys(before[0] ?? {})).toEqual(['id', 'owner']);
    expect(after[0]).toEqual({ id: 1, owner: ada.id, title: 'new' });
  });

  test('follow a policy and a right that changed since', async () => {
    await database.query(ada.caller, NOTES, [], PREPARED);

    await database.query(OWNER, 'alter policy "own" on public.plan_notes using (false)');
    const hidden = await database.query(ada.caller, NOTES, [], PREPARED);
    await database.query(OWNER, 'revoke select on public.plan_notes from authenticated');

    expect(hidden).toEqual([]);
    await expect(database.query(ada.caller, NOTES, [], PREPARED)).rejects.toMatchObject({ code: '42501' });
  });

  test('are as many as the session stores, and others still run', async () => {
    for (let n = 0; n < 100; n += 1) {
      const value = n % 60;
      const rows = await database.query(SERVICE, `select $1::int as n${value}`, [n], PREPARED);
      expect(rows).toEqual([{ [`n${value}`]: n }]);
    }
  });

  test('run again after their text, a value or the commit was refused', async () => {
    const insert = 'insert into public.plan_notes values ($1, $2)';
    await database.query(OWNER, 'alter table public.plan_notes add unique (owner) deferrable initially deferred');

    for (let round = 0; round < 3; round += 1) {
      await expect(database.query(SERVICE, 'select no_such_column', [], PREPARED)).rejects.toMatchObject({
        code: '42703',
      });
      await expect(database.query(SERVICE, insert, ['three', null], PREPARED)).rejects.toMatchObject({ code: '22P02' });
      await expect(database.query(SERVICE, insert, [3, ada.id], PREPARED)).rejects.toMatchObject({ code: '23505' });
    }
    await database.query(SERVICE, insert, [3, null], PREPARED);

    expect(await database.query(SERVICE, 'select id from public.plan_notes order by id')).toEqual([
      { id: 1 },
      { id: 2 },
      { id: 3 },
    ]);
  });

  test('return every kind of value as a statement in a transaction does', async () => {
    const text = `select 1::int2 as small, 2::bigint as big, 9007199254740993::bigint as huge, 1.50::numeric as exact,
      0.1::float8 as half, true as yes, null::text as none, 'ö€😀' as text, '2026-11-20 10:00:00.5+00'::timestamptz as at,
      '{"a":[1]}'::jsonb as object, '\\x00ff'::bytea as bytes, '{a,"b,c",null}'::text[] as list, '{{1,2},{3,4}}'::int[] as grid,
      '{t,f}'::bool[] as flags, '2026-11-20'::date as day, gen_random_uuid() is not null as random`;

    const [plain] = await database.query(SERVICE, text);
    const [stored] = await database.query(SERVICE, text, [], PREPARED);
    const [again] = await database.query(SERVICE, text, [], PREPARED);
    const [inside] = await database.transaction(SERVICE, (tx) => tx.query(text, []));

    expect([plain, stored, again]).toEqual([inside, inside, inside]);
  });

  test('deliver a notification that arrives between two answers', async () => {
    const received: string[] = [];
    const stop = await database.listen('plans', (payload) => void received.push(payload));

    for (let n = 0; n < 5; n += 1) {
      await database.query(SERVICE, `select pg_notify('plans', $1)`, [String(n)], PREPARED);
    }

    await expect.poll(() => received).toEqual(['0', '1', '2', '3', '4']);
    await stop();
  });

  test('return an answer of several megabytes', async () => {
    const [row] = await database.query<{ text: string }>(SERVICE, `select repeat('ö', $1) as text`, [2_000_000]);

    expect(row?.text.length).toBe(2_000_000);
  });
});
