/** Databases that tests borrow in turn: each borrower finds the rows and the schema of a new database. */
import { expect, test } from 'vitest';
import { type Database, OWNER } from '../../server/platform/database/database.ts';
import { openTestDatabase } from '../support/database/database.ts';
import { describeEachDatabase } from '../support/database/each-database.ts';
import { fillUser } from '../support/worlds/filled-user.ts';

// Runs on both kinds, because the schema and the rows come from the catalogues.
describeEachDatabase('a lent database', (kind) => {
  async function borrowed<T>(use: (database: Database) => Promise<T>): Promise<T> {
    const database = await openTestDatabase(kind);
    try {
      return await use(database);
    } finally {
      await database.close();
    }
  }
  const query = (database: Database, text: string) => database.query(OWNER, text);
  const idOf = (database: Database) =>
    query(database, 'select system_identifier::text || current_database() as id from pg_control_system()');
  const countUsers = (database: Database) => query(database, 'select count(*)::int as users from auth.users');

  test('is lent again without rows or settings of its last borrower', async () => {
    const first = await borrowed(async (database) => {
      const plans = await query(database, 'select plan from private.plan_limits');
      await fillUser(database, 'ann');
      await query(database, "update private.plan_limits set per_day = 99 where plan = 'free'");
      await query(database, "delete from public.billing_prices where plan = 'lion'");
      await query(database, "insert into private.audit_log (action, subject) values ('alarm.acknowledge', 'x')");
      await query(database, "select set_config('work_mem', '1MB', false)");
      return { id: await idOf(database), users: await countUsers(database), plans };
    });

    const second = await borrowed(async (database) => ({
      id: await idOf(database),
      users: await countUsers(database),
      limits: await query(database, "select per_day from private.plan_limits where plan = 'free'"),
      plans: await query(database, 'select plan from private.plan_limits'),
      prices: await query(database, 'select plan from public.billing_prices order by 1'),
      number: await query(
        database,
        "insert into private.audit_log (action, subject) values ('alarm.acknowledge', 'x') returning id",
      ),
      setting: await query(database, "select current_setting('work_mem') as value"),
    }));

    expect(first.users).toEqual([{ users: 1 }]);
    expect(second).toMatchObject({ id: first.id, users: [{ users: 0 }], number: [{ id: 1 }] });
    expect(second.limits).not.toEqual([{ per_day: 99 }]);
    // In their stored order: a changed row moves to the end of its table.
    expect(second.plans).toEqual(first.plans);
    expect(second.prices).toEqual([{ plan: 'bobcat' }, { plan: 'lion' }]);
    expect(second.setting).not.toEqual([{ value: '1MB' }]);
  });

  test('is not lent again once its schema was changed', async () => {
    await borrowed((database) => query(database, 'create table public.added (id int)'));

    expect(await borrowed((database) => query(database, "select to_regclass('public.added') as added"))).toEqual([
      { added: null },
    ]);
  });

  test("uses its borrower's clock", async () => {
    const dayMs = 86_400_000;
    const daysAheadOf = async (clockOffsetMs: number) => {
      const database = await openTestDatabase(kind, { clockOffsetMs: () => clockOffsetMs });
      const [row] = await query(database, 'select extract(epoch from private.clock_now() - now()) as ahead');
      await database.close();
      return Math.round((Number(row?.ahead) * 1000) / dayMs);
    };

    expect([await daysAheadOf(0), await daysAheadOf(3660 * dayMs), await daysAheadOf(0)]).toEqual([0, 3660, 0]);
  });
});
