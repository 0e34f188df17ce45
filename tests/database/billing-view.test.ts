/** Which of several subscriptions is shown as the user's: the paid one that grants a plan. */
import { beforeEach, expect, test } from 'vitest';
import { OWNER, SERVICE } from '../../server/platform/database/database.ts';
import { openTestDatabase } from '../support/database/database.ts';
import { createDatabaseUser } from '../support/database/database-users.ts';
import { describeEachDatabase } from '../support/database/each-database.ts';
import { openedForTests } from '../support/run/opened-for-tests.ts';

const [BOBCAT, LION] = ['price_kat_bobcat_monthly', 'price_kat_lion_monthly'];

// Runs on both kinds, because the view's order decides which plan a user has.
describeEachDatabase('the choice among several subscriptions', (kind) => {
  const opened = openedForTests(async () => {
    const database = await openTestDatabase(kind);
    const ada = await createDatabaseUser(database, 'ada@example.com');
    await database.query(
      SERVICE,
      "insert into public.stripe_customers (user_id, customer_id, mode) values ($1, 'cus_ada', 'sandbox')",
      [ada.id],
    );
    return { database, ada, close: () => database.close() };
  });
  beforeEach(() => opened().database.query(OWNER, 'delete from public.stripe_subscriptions'));

  const subscribed = (id: string, priceId: string, status: string, endsIn: string) =>
    opened().database.query(
      SERVICE,
      `insert into public.stripe_subscriptions (subscription_id, customer_id, price_id, status, current_period_end, stripe_created)
       values ($1, 'cus_ada', $2, $3, extract(epoch from now() + $4::text::interval)::bigint, 1)`,
      [id, priceId, status, endsIn],
    );
  const shown = async () => {
    const { database, ada } = opened();
    const rows = await database.query(
      SERVICE,
      'select subscription_id, private.plan_of(user_id) as plan from public.stripe_user_subscriptions where user_id = $1',
      [ada.id],
    );
    expect(rows).toHaveLength(1);
    return rows[0];
  };

  test('prefers the plan to another product paid by the year', async () => {
    await subscribed('sub_plan', LION, 'active', '10 days');
    await subscribed('sub_else', 'price_of_something_else', 'active', '300 days');

    expect(await shown()).toEqual({ subscription_id: 'sub_plan', plan: 'lion' });
  });

  test('prefers a paid subscription to an overdue one', async () => {
    await subscribed('sub_overdue', BOBCAT, 'past_due', '30 days');
    await subscribed('sub_paid', LION, 'active', '29 days');

    expect(await shown()).toEqual({ subscription_id: 'sub_paid', plan: 'lion' });
  });

  test('prefers a live one to an ended one, and of two paid ones the later end', async () => {
    await subscribed('sub_ended', LION, 'canceled', '40 days');
    await subscribed('sub_live', BOBCAT, 'past_due', '1 day');
    expect(await shown()).toEqual({ subscription_id: 'sub_live', plan: 'bobcat' });

    await subscribed('sub_short', BOBCAT, 'active', '1 day');
    await subscribed('sub_long', LION, 'trialing', '9 days');
    expect(await shown()).toEqual({ subscription_id: 'sub_long', plan: 'lion' });
  });
});
