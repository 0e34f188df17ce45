/** Which mode's customers count, in a database where a user pays real money. */
import { expect, test } from 'vitest';
import { setPaymentMode } from '../../server/billing/provider/payment-mode.ts';
import { SERVICE } from '../../server/platform/database/database.ts';
import { openTestDatabase } from '../support/database/database.ts';
import { createDatabaseUser } from '../support/database/database-users.ts';
import { describeBothAtNight } from '../support/database/day-database.ts';
import { openedForTests } from '../support/run/opened-for-tests.ts';

describeBothAtNight('the payment mode', (kind) => {
  const database = openedForTests(() => openTestDatabase(kind));
  const modeNow = () => database().query(SERVICE, 'select private.payment_mode() as mode');

  test('changes to live, and stays live while a live subscription runs', async () => {
    const ada = await createDatabaseUser(database(), 'ada@example.com');
    expect(await setPaymentMode(database(), 'live')).toBe('sandbox');
    await database().query(
      SERVICE,
      "insert into public.stripe_customers (user_id, customer_id, mode) values ($1, 'cus_ada', 'live')",
      [ada.id],
    );
    await database().query(
      SERVICE,
      `insert into public.stripe_subscriptions (subscription_id, customer_id, price_id, status, stripe_created)
       values ('sub_ada', 'cus_ada', 'price', 'past_due', 1)`,
    );

    await expect(setPaymentMode(database(), 'test')).rejects.toThrow(/live subscriptions/);
    await expect(setPaymentMode(database(), 'sandbox')).rejects.toThrow(/live subscriptions/);
    expect(await modeNow()).toEqual([{ mode: 'live' }]);
    expect(await setPaymentMode(database(), 'live')).toBe('live');

    await database().query(SERVICE, "update public.stripe_subscriptions set status = 'canceled'");
    expect(await setPaymentMode(database(), 'test')).toBe('live');
    expect(await modeNow()).toEqual([{ mode: 'test' }]);
  });
});
