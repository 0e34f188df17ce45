/** A verification that is cut short resumes where it stopped, in whichever process runs next. */
import { beforeEach, expect, test } from 'vitest';
import { AppError } from '#domain/errors/app-error.ts';
import { type VerificationDeps, verifySubscriptions } from '../../server/billing/subscriptions/verification.ts';
import { verificationStore } from '../../server/billing/subscriptions/verification-store.ts';
import { OWNER } from '../../server/platform/database/database.ts';
import { jobStore } from '../../server/platform/processes/job-store.ts';
import { openTestDatabase, testLog } from '../support/database/database.ts';
import { createDatabaseUser } from '../support/database/database-users.ts';
import { describeBothAtNight } from '../support/database/day-database.ts';
import { openedForTests } from '../support/run/opened-for-tests.ts';
import { stillClock } from '../support/run/still-clock.ts';

const ACTOR = '00000000-0000-4000-8000-00000000a7e1';
const CUSTOMERS = 8;

describeBothAtNight('a verification', (kind) => {
  const database = openedForTests(() => openTestDatabase(kind));
  const sql = (text: string, params: readonly unknown[] = []) => database().query(OWNER, text, params);

  beforeEach(async () => {
    await sql('delete from private.verified_customers');
    await sql("delete from private.jobs where name = 'billing-verify'");
    await sql('delete from auth.users');
    await sql('delete from public.stripe_subscriptions');
    for (let i = 0; i < CUSTOMERS; i += 1) {
      const { id } = await createDatabaseUser(database(), `buyer-${i}@example.com`);
      await sql('insert into public.stripe_customers (user_id, customer_id) values ($1::text::uuid, $2::text)', [
        id,
        `cus_${i}`,
      ]);
    }
    await sql(
      `insert into public.stripe_subscriptions (subscription_id, customer_id, status, stripe_created)
       values ('sub_7', 'cus_7', 'active', 1), ('sub_1', 'cus_1', 'canceled', 1)`,
    );
  });

  /** @param verify what the provider returns for a customer */
  function run(verify: (customerId: string) => Promise<void>, limitMs = 10_000) {
    const deps: VerificationDeps = {
      sync: {
        async ofCustomer(customerId) {
          await verify(customerId);
          return [];
        },
      },
      store: verificationStore(database(), 'sandbox'),
      jobs: jobStore(database()),
      log: testLog,
      limitMs,
    };
    return verifySubscriptions(deps, ACTOR);
  }

  test('checks every customer once over several calls, live subscriptions first', async () => {
    const verified: string[] = [];
    const clock = stillClock();
    // The time limit passes with the first, when each of the three workers has taken one.
    const slowly = async (id: string) => {
      verified.push(id);
      clock.advance(150);
    };
    const first = await run(slowly, 150);

    expect(first).toMatchObject({ remaining: CUSTOMERS - 3 });
    expect(verified).toContain('cus_7');
    for (let calls = 0; calls < 10 && (await run(slowly, 150))?.remaining !== 0; calls += 1);
    expect(verified.toSorted()).toEqual(Array.from({ length: CUSTOMERS }, (_, i) => `cus_${i}`));

    expect(await run(async () => undefined)).toEqual({ updated: 0, checked: 2, remaining: 0, failed: 0 });
  });

  test('starts over when the last one stopped two hours ago', async () => {
    const clock = stillClock();
    await run(async () => clock.advance(150), 150);
    await sql("update private.verified_customers set verified_at = now() - interval '2 hours'");
    const verified: string[] = [];

    await run(async (id) => void verified.push(id));

    expect(verified).toHaveLength(CUSTOMERS);
  });

  test('counts a customer that the provider refuses, and continues with the others', async () => {
    const figures = await run(async (id) => {
      if (id === 'cus_3') throw new AppError('billing/provider-refused');
    });

    expect(figures).toEqual({ updated: 0, checked: 2, remaining: 0, failed: 1 });
  });

  test('leaves an unreachable customer for the next call', async () => {
    const figures = await run(async (id) => {
      if (id === 'cus_3') throw new AppError('billing/provider-unavailable');
    });

    expect(figures).toMatchObject({ checked: 2, remaining: 1 });
  });

  test('releases its lease after an internal fault, and records that in the audit log', async () => {
    await expect(run(async () => Promise.reject(new Error('a bug')))).rejects.toThrow('a bug');

    const [row] = await sql(
      "select details from private.audit_log where action = 'billing.verify' order by id desc limit 1",
    );
    expect(row).toMatchObject({ details: { error: 'internal' } });
    expect(await run(async () => undefined)).toMatchObject({ remaining: 0 });
  });

  test('does not run while another process has begun one', async () => {
    await jobStore(database()).claim('billing-verify', crypto.randomUUID(), 60_000);

    expect(await run(async () => undefined)).toBeNull();
  });
});
