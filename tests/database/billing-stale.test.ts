/** Which subscriptions are checked first when one round cannot check all. */
import { expect, test } from 'vitest';
import { subscriptionStore } from '../../server/billing/subscriptions/subscription-store.ts';
import { SERVICE } from '../../server/platform/database/database.ts';
import { openTestDatabase } from '../support/database/database.ts';
import { createDatabaseUser } from '../support/database/database-users.ts';
import { describeBothAtNight } from '../support/database/day-database.ts';
import { openedForTests } from '../support/run/opened-for-tests.ts';

describeBothAtNight('stale subscriptions', (kind) => {
  const database = openedForTests(() => openTestDatabase(kind));

  test('begin with those whose period is over, so that a missed renewal waits for no daily check', async () => {
    const ada = await createDatabaseUser(database(), 'ada@example.com');
    await database().query(
      SERVICE,
      "insert into public.stripe_customers (user_id, customer_id, mode) values ($1, 'cus_ada', 'sandbox')",
      [ada.id],
    );
    const write = (id: string, endsIn: string, writtenBefore: string) =>
      database().query(
        SERVICE,
        `insert into public.stripe_subscriptions
           (subscription_id, customer_id, price_id, status, current_period_end, stripe_created, updated_at)
         values ($1, 'cus_ada', 'price', 'active', extract(epoch from now() + $2::text::interval)::bigint, 1,
                 now() - $3::text::interval)`,
        [id, endsIn, writtenBefore],
      );
    await write('sub_daily', '3 days', '30 hours');
    await write('sub_oldest', '3 days', '40 hours');
    await write('sub_over', '-10 minutes', '5 hours');
    await write('sub_fresh', '3 days', '1 hour');

    expect(await subscriptionStore(database(), 'sandbox').stale(9)).toEqual(['sub_over', 'sub_oldest', 'sub_daily']);
  });
});
