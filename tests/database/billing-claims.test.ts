/** Which customer belongs to a user, in a database that has seen another mode of the payment provider. */
import { expect, test } from 'vitest';
import { customerStore } from '../../server/billing/checkout/customer-store.ts';
import { openTestDatabase } from '../support/database/database.ts';
import { createDatabaseUser } from '../support/database/database-users.ts';
import { describeBothAtNight } from '../support/database/day-database.ts';
import { openedForTests } from '../support/run/opened-for-tests.ts';

/** From this age on, a customer is looked up at the provider before one is created. */
const LOOKUP_AGE_S = 20 * 3600;

describeBothAtNight('a claim', (kind) => {
  const database = openedForTests(() => openTestDatabase(kind));

  test('looks up the customer again after a claim in another mode', async () => {
    const ada = await createDatabaseUser(database(), 'ada@example.com');
    const [live, byMistake] = [customerStore(database(), 'live'), customerStore(database(), 'test')];
    const first = await live.claim(ada.id);
    expect(first).toMatchObject({ customerId: null });
    expect(first.ageS).toBeLessThan(LOOKUP_AGE_S);
    expect(await live.assign(ada.id, first.creatingKey, 'cus_paying')).toBe('cus_paying');

    await byMistake.claim(ada.id);
    const again = await live.claim(ada.id);

    expect(again).toMatchObject({ customerId: null });
    expect(again.ageS).toBeGreaterThan(LOOKUP_AGE_S);
  });
});
