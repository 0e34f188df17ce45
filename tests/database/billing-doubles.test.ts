/** Which of two subscriptions is older: the code that ends the newer one and the code that reports it must agree. */
import { expect, test } from 'vitest';
import { otherLive } from '../../server/billing/notices/notice-store.ts';
import { byAge } from '../../server/billing/subscriptions/settle-doubles.ts';
import { asOwner, SERVICE } from '../../server/platform/database/database.ts';
import { openTestDatabase } from '../support/database/database.ts';
import { createDatabaseUser } from '../support/database/database-users.ts';
import { describeEachDatabase } from '../support/database/each-database.ts';
import { openedForTests } from '../support/run/opened-for-tests.ts';

// Runs on both kinds: SQL sorts texts by the database's collation, TypeScript by code units.
describeEachDatabase('the older of two subscriptions', (kind) => {
  const database = openedForTests(() => openTestDatabase(kind));

  test.each([
    ['by its time', { id: 'sub_b', created: 1 }, { id: 'sub_a', created: 2 }],
    ['of one second, a letter of each kind', { id: 'sub_SRg', created: 1 }, { id: 'sub_rhI', created: 1 }],
    ['of one second, the other way round', { id: 'sub_rhI', created: 1 }, { id: 'sub_SRg', created: 1 }],
    ['of one second, a figure', { id: 'sub_aB1', created: 1 }, { id: 'sub_ab0', created: 1 }],
  ])('is the same in code and database: %s', async (name, a, b) => {
    const { id } = await createDatabaseUser(database(), `${name.replaceAll(/\W/g, '')}@example.com`);
    const customerId = `cus_${id}`;
    const write = (text: string, values: unknown[]) => database().query(SERVICE, text, values);
    await write('insert into public.stripe_customers (user_id, customer_id) values ($1, $2)', [id, customerId]);
    const idIn = (one: string) => `${one}_${id}`;
    for (const one of [a, b])
      await write(
        `insert into public.stripe_subscriptions (subscription_id, customer_id, status, stripe_created)
         values ($1, $2, 'active', $3)`,
        [idIn(one.id), customerId, one.created],
      );

    const other = await otherLive(asOwner(database()), { customerId, subscriptionId: idIn(a.id) });

    expect(other).toBe(byAge({ ...a, id: idIn(a.id) }, { ...b, id: idIn(b.id) }) < 0 ? 'newer' : 'older');
  });
});
