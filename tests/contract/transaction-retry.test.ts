/** A transaction that loses against another is retried once, in one place for the whole server. */
import { describe, expect, test } from 'vitest';
import { OWNER, type Transaction } from '../../server/platform/database/database.ts';
import { openTestDatabase, testDatabaseKinds } from '../support/database/database.ts';
import { describeEachDatabase } from '../support/database/each-database.ts';
import { openedForTests } from '../support/run/opened-for-tests.ts';

const refuse = (code: string) => `do $$ begin raise exception 'refused' using errcode = '${code}'; end $$`;

// Runs on both kinds, although only several sessions can lock each other.
describeEachDatabase('a transaction', (kind) => {
  const database = openedForTests(() => openTestDatabase(kind));

  /** Fails with these codes, one per attempt. */
  async function triedWith(codes: readonly string[]) {
    let tries = 0;
    const outcome = database()
      .transaction(OWNER, async (tx) => {
        const code = codes[tries];
        tries += 1;
        await tx.query('create table if not exists public.tried (at int)');
        await tx.query('insert into public.tried values ($1::int)', [tries]);
        if (code !== undefined) await tx.query(refuse(code), []);
        const [row] = await tx.query<{ rows: number }>('select count(*)::int as rows from public.tried');
        await tx.query('drop table public.tried');
        return row?.rows;
      })
      .catch((error: { code: string }) => error.code);
    return { outcome: await outcome, tries };
  }

  test.each(['40P01', '40001'])(
    'runs once more after a refusal with %s, with nothing left of the first attempt',
    async (code) => {
      expect(await triedWith([code])).toEqual({ outcome: 1, tries: 2 });
    },
  );

  test('fails after a second refusal', async () => {
    expect(await triedWith(['40P01', '40P01'])).toEqual({ outcome: '40P01', tries: 2 });
  });

  test('is not retried when refused for another reason', async () => {
    expect(await triedWith(['23505'])).toEqual({ outcome: '23505', tries: 1 });
  });
});

// PGlite has one connection, so no transactions collide there.
describe.each(testDatabaseKinds().filter((kind) => kind === 'postgres'))('two transactions on %s', (kind) => {
  const database = openedForTests(() => openTestDatabase(kind));

  test('both finish when they lock the same rows in opposite order', async () => {
    await database().query(OWNER, 'create table public.met (id int primary key)');
    await database().query(OWNER, 'insert into public.met values (1), (2)');
    const take = (tx: Transaction, id: number) =>
      tx.query('select 1 from public.met where id = $1::int for update', [id]);
    const { promise: bothBegan, resolve: release } = Promise.withResolvers<void>();
    let began = 0;
    const takeBoth = (first: number, second: number) =>
      database().transaction(OWNER, async (tx) => {
        await take(tx, first);
        began += 1;
        if (began === 2) release();
        await bothBegan;
        await take(tx, second);
        return 'taken';
      });

    const outcomes = await Promise.all([takeBoth(1, 2), takeBoth(2, 1)]);

    expect(outcomes).toEqual(['taken', 'taken']);
    expect(began).toBe(3);
  });
});
