/** What a statement, its role and its values may leave behind: only what it was meant to change. */
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { AppError } from '../../domain/errors/app-error.ts';
import { type Database, OWNER, SERVICE, SqlError } from '../../server/platform/database/database.ts';
import { openTestDatabase } from '../support/database/database.ts';
import { createDatabaseUser, type TestUser } from '../support/database/database-users.ts';
import { describeEachDatabase } from '../support/database/each-database.ts';
import { sampleSize } from '../support/run/test-size.ts';

const ANON = { role: 'anon', claims: null } as const;
const WHO = `select current_user::text as role, auth.uid() as uid, auth.role() as claimed`;

const ROUNDS = sampleSize(12, 40);

// Runs on both kinds, because roles, transactions and values go through a different driver.
describeEachDatabase('statements', (kind) => {
  let database: Database;
  let clockOffsetMs = 0;
  let ada: TestUser;
  let bob: TestUser;

  beforeAll(async () => {
    database = await openTestDatabase(kind, { clockOffsetMs: () => clockOffsetMs });
    ada = await createDatabaseUser(database, 'ada@example.com');
    bob = await createDatabaseUser(database, 'bob@example.com');
    await database.query(OWNER, 'create table public.notes (id int primary key, body jsonb)');
  });
  afterAll(() => database?.close());

  test('run under their own role and claims, which end with each', async () => {
    const asAda = await database.query(ada.caller, WHO);
    const asAnon = await database.query(ANON, WHO);
    const asService = await database.query(SERVICE, WHO);
    const asOwner = await database.query(OWNER, WHO);

    expect(asAda).toEqual([{ role: 'authenticated', uid: ada.id, claimed: 'authenticated' }]);
    expect(asAnon).toEqual([{ role: 'anon', uid: null, claimed: 'anon' }]);
    expect(asService).toEqual([{ role: 'service_role', uid: null, claimed: 'service_role' }]);
    expect(asOwner).toEqual([{ role: 'postgres', uid: null, claimed: null }]);
  });

  test("never show 32 simultaneous callers of four roles another's rows", async () => {
    const profiles = 'select id from public.profiles order by id';
    const all = [ada.id, bob.id].sort();
    const request = {
      ada: async () => expect(await database.query(ada.caller, profiles)).toEqual([{ id: ada.id }]),
      bob: async () => expect(await database.query(bob.caller, profiles)).toEqual([{ id: bob.id }]),
      anon: async () => expect(await codeOf(database.query(ANON, profiles))).toBe('42501'),
      service: async () => expect(await database.query(SERVICE, profiles)).toEqual(all.map((id) => ({ id }))),
      inTransaction: () =>
        database.transaction(bob.caller, async (tx) => {
          expect(await tx.query(profiles)).toEqual([{ id: bob.id }]);
          expect(await tx.query('select auth.uid() as uid')).toEqual([{ uid: bob.id }]);
        }),
      failing: async () => expect(await codeOf(database.query(SERVICE, 'select 1 / 0'))).toBe('22012'),
      failingTransaction: () =>
        expect(database.transaction(SERVICE, () => Promise.reject(new Error('mine')))).rejects.toThrow('mine'),
      withValues: async () =>
        expect(await database.query(ada.caller, `select id from public.profiles where id = $1`, [bob.id])).toEqual([]),
    };
    const kinds = Object.values(request);

    const callers = Array.from({ length: 32 }, async (_, caller) => {
      for (let round = 0; round < ROUNDS; round += 1) await kinds[(caller * 7 + round * 3) % kinds.length]?.();
    });

    await Promise.all(callers);
  });

  test('leave neither role nor transaction behind when refused', async () => {
    const codes = [
      await codeOf(database.query(ANON, 'select * from auth.users')),
      await codeOf(database.query(ada.caller, 'selec')),
      await codeOf(database.query(ada.caller, 'select $1::int', ['x'])),
      await codeOf(database.query({ role: 'authenticated', claims: { sub: 'no uuid' } }, 'select auth.uid()')),
    ];

    expect(codes).toEqual(['42501', '42601', '22P02', '22P02']);
    expect(await database.query(OWNER, WHO)).toEqual([{ role: 'postgres', uid: null, claimed: null }]);
    expect(await database.query(OWNER, "select current_setting('request.jwt.claims', true) as claims")).toEqual([
      { claims: '' },
    ]);
  });

  test("read a changed table again under the caller's role, not the login's", async () => {
    const text = 'select *, current_user::text as who from public.billing_prices where price_id = $1';
    const values = ['price_kat_lion_monthly'];
    const before = await database.query(ANON, text, values);
    await database.query(OWNER, 'alter table public.billing_prices add column note text');

    const after = await database.query(ANON, text, values);

    expect(before[0]).toMatchObject({ who: 'anon' });
    expect(after[0]).toEqual({ ...before[0], note: null });
  });

  test('are refused as two in one text, so that none can end the transaction and go on', async () => {
    expect(await codeOf(database.query(ANON, 'commit; select * from auth.users'))).toBe('42601');
  });

  test('keep the code, details and hint of an SQL error', async () => {
    const raise = `do $$ begin raise exception 'no' using errcode = 'PT409', detail = 'd', hint = 'h'; end $$`;

    const refusal = await database.query(OWNER, raise).catch((error: unknown) => error);

    expect(refusal).toBeInstanceOf(SqlError);
    expect(refusal).toMatchObject({ code: 'PT409', message: 'no', details: 'd', hint: 'h' });
  });

  test('report a full disk as database/full', async () => {
    const full = "do $$ begin raise exception 'could not extend file' using errcode = '53100'; end $$";

    await expect(database.query(OWNER, full)).rejects.toMatchObject({ code: 'database/full' });
  });

  test('pass values in and out unchanged', async () => {
    const [row] = await database.query(
      OWNER,
      `select $1::jsonb as document, $2::text[] as words, $3::boolean as flag, $4::int[] as numbers, $5::bytea as bytes,
              $6::timestamptz as moment, $7::bigint as safe, $8::bigint as huge, $9::text as nothing, $10::float8 as price,
              $11::jsonb as text, $12::uuid[] as ids`,
      [
        JSON.stringify({ a: [1, { b: 'ü"\\' }] }),
        ['x"y', 'back\\slash', 'a,b', '{}', ''],
        true,
        [1, -2],
        new Uint8Array([0, 1, 255]),
        new Date('2026-11-20T10:11:12.345Z'),
        Number.MAX_SAFE_INTEGER,
        9007199254740993n,
        null,
        0.1,
        JSON.stringify('plain'),
        [ada.id],
      ],
    );

    expect(row).toEqual({
      document: { a: [1, { b: 'ü"\\' }] },
      words: ['x"y', 'back\\slash', 'a,b', '{}', ''],
      flag: true,
      numbers: [1, -2],
      bytes: Buffer.from([0, 1, 255]),
      moment: '2026-11-20T10:11:12.345+00:00',
      safe: Number.MAX_SAFE_INTEGER,
      huge: '9007199254740993',
      nothing: null,
      price: 0.1,
      text: 'plain',
      ids: [ada.id],
    });
  });

  test('store a JSON document once, not as a text within a document', async () => {
    await database.query(OWNER, 'insert into public.notes values (1, $1)', [JSON.stringify({ a: 1 })]);

    const [row] = await database.query(OWNER, "select jsonb_typeof(body) as kind, body ->> 'a' as a from public.notes");

    expect(row).toEqual({ kind: 'object', a: '1' });
  });

  test('refuse an object and a NUL byte before sending them', async () => {
    await expect(database.query(OWNER, 'select $1::jsonb', [{ a: 1 }])).rejects.toThrow(TypeError);
    await expect(database.query(OWNER, 'select $1::text', ['a\0b'])).rejects.toMatchObject({ code: '22021' });
    await expect(database.query(OWNER, 'select 1 -- \0')).rejects.toMatchObject({ code: '22021' });
  });

  test('leave no row of a failed transaction, whatever made it fail', async () => {
    const insert = 'insert into public.notes (id) values ($1)';
    const thrown = () =>
      database.transaction(OWNER, async (tx) => {
        await tx.query(insert, [10]);
        throw new Error('changed my mind');
      });
    const refused = () =>
      database.transaction(OWNER, async (tx) => {
        await tx.query(insert, [11]);
        await tx.query('select 1 / 0');
      });
    const swallowed = () =>
      database.transaction(OWNER, async (tx) => {
        await tx.query(insert, [12]);
        await tx.query('select 1 / 0').catch(() => {});
        return 'all is well';
      });

    await expect(thrown()).rejects.toThrow('changed my mind');
    await expect(refused()).rejects.toMatchObject({ code: '22012' });
    await expect(swallowed()).rejects.toMatchObject({ code: '22012' });
    expect(await database.query(OWNER, 'select id from public.notes where id >= 10')).toEqual([]);
  });

  test('commit a transaction that ends well, and refuse late statements in it', async () => {
    const late = await database.transaction(SERVICE, async (tx) => {
      await tx.query("insert into public.billing_prices values ('price_kept', 'lion', 1, true, 'test')");
      return () => tx.query('select 1');
    });

    const stored = await database.query(
      SERVICE,
      "select 1 as one from public.billing_prices where price_id = 'price_kept'",
    );

    expect(stored).toEqual([{ one: 1 }]);
    await expect(late()).rejects.toThrow('has ended');
  });

  test('use a product clock that moves without affecting now()', async () => {
    clockOffsetMs = 3_600_000;
    const [moved] = await database.query(OWNER, 'select extract(epoch from private.clock_now() - now())::int as by');
    clockOffsetMs = 0;
    const [back] = await database.query(OWNER, 'select extract(epoch from private.clock_now() - now())::int as by');

    expect(moved).toEqual({ by: 3600 });
    expect(back).toEqual({ by: 0 });
  });

  test('notify a listener of what is committed, until it stops', async () => {
    const received: string[] = [];
    const stop = await database.listen('test_channel', (payload) => received.push(payload));
    const notify = (text: string) => database.query(SERVICE, "select pg_notify('test_channel', $1)", [text]);

    await notify('one');
    await database
      .transaction(OWNER, async (tx) => {
        await tx.query("select pg_notify('test_channel', 'rolled back')");
        throw new Error('no');
      })
      .catch(() => {});
    await notify('two');
    await vi.waitFor(() => expect(received).toEqual(['one', 'two']));
    await stop();
    const later: string[] = [];
    const stopLater = await database.listen('test_channel', (payload) => later.push(payload));
    await notify('three');
    await vi.waitFor(() => expect(later).toEqual(['three']));
    await stopLater();

    expect(received).toEqual(['one', 'two']);
  });

  test('fail with database/unavailable after closing', async () => {
    const other = await openTestDatabase(kind);
    const pending = other.query(OWNER, 'select 1 as one');
    await other.close();

    expect(await pending).toEqual([{ one: 1 }]);
    expect(await codeOf(other.query(OWNER, 'select 1'))).toBe('database/unavailable');
  });
});

async function codeOf(work: Promise<unknown>): Promise<string> {
  try {
    await work;
  } catch (error) {
    if (error instanceof SqlError || error instanceof AppError) return error.code;
    throw error;
  }
  return 'none';
}
