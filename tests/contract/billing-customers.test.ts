/** One customer at the payment provider for each user, whatever happens meanwhile. */
import { afterEach, expect, test } from 'vitest';
import { customerStore } from '../../server/billing/checkout/customer-store.ts';
import { openCustomers } from '../../server/billing/checkout/customers.ts';
import { openProviderCall } from '../../server/billing/provider/provider-call.ts';
import { testLog } from '../support/database/database.ts';
import { describeOneDatabase } from '../support/database/each-database.ts';
import type { Person } from '../support/worlds/billing-world.ts';
import { sharedBillingWorld } from '../support/worlds/shared-billing-world.ts';

const PARALLEL = 20;

describeOneDatabase('the payment customer', (kind) => {
  const world = sharedBillingWorld(kind);

  afterEach(() => world().control('DELETE', '/faults'));

  const parallel = (person: Person) =>
    Promise.all(Array.from({ length: PARALLEL }, () => world().call(person, 'stripe-bootstrap')));
  const customersOf = async ({ id }: Person) =>
    (await world().stripe.customers.search({ query: `metadata['user_id']:'${id}'` })).data;
  const fault = (method: string, path: string, kindOf: string, times = 1) =>
    world().control('POST', '/faults', { method, path, kind: kindOf, times });

  test('is made once by twenty first visits at the same time, with name and address', async () => {
    const ada = await world().signUp('Ada');

    const answers = await parallel(ada);

    expect(answers.every(({ status, body }) => status === 200 && body.ok === true)).toBe(true);
    const customers = await customersOf(ada);
    expect(customers).toMatchObject([{ email: ada.email, name: 'Ada' }]);
    expect(await world().row(ada)).toMatchObject({ customer_id: customers[0]?.id, status: null });
  });

  test('is made once, too, when the answer is lost on the way', async () => {
    const ben = await world().signUp('Ben');
    await fault('POST', '/v1/customers', 'reset_after', 2);

    const answers = await parallel(ben);
    await world().call(ben, 'stripe-bootstrap');

    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
    expect(await customersOf(ben)).toHaveLength(1);
    expect(await world().disagreements(ben)).toEqual([]);
  });

  test('is made once by twenty server processes at the same time', async () => {
    const amy = await world().signUp('Amy');
    const { stripe, database } = world();
    const processes = Array.from({ length: PARALLEL }, () =>
      openCustomers({
        stripe,
        call: openProviderCall({ log: testLog }),
        mode: 'sandbox',
        store: customerStore(database, 'sandbox'),
      }),
    );

    const ids = await Promise.all(processes.map(({ ensure }) => ensure(amy.id)));

    expect(new Set(ids).size).toBe(1);
    expect((await customersOf(amy)).map(({ id }) => id)).toEqual([ids[0]]);
  });

  test('is reported as trouble of the provider when refused for a while, and is created with the next visit', async () => {
    const cleo = await world().signUp('Cleo');
    await fault('POST', '/v1/customers', 'http_500', 3);

    const refused = await world().call(cleo, 'stripe-bootstrap');
    const taken = await world().call(cleo, 'stripe-bootstrap');

    expect([refused.status, refused.body.code]).toEqual([503, 'billing/provider-unavailable']);
    expect([taken.status, await customersOf(cleo)]).toEqual([200, [expect.anything()]]);
  });

  test('is requested again where the provider has too much to do', async () => {
    const dan = await world().signUp('Dan');
    await fault('POST', '/v1/customers', 'http_429', 2);

    expect((await world().call(dan, 'stripe-bootstrap')).status).toBe(200);
    expect(await customersOf(dan)).toHaveLength(1);
  });

  test('is replaced by the next visit after it was deleted at the provider', async () => {
    const eve = await world().signUp('Eve');
    await world().buy(eve, 'bobcat');
    const [first] = await customersOf(eve);
    await world().stripe.customers.del(first?.id ?? '');
    await world().settled();

    expect((await world().call(eve, 'stripe-bootstrap')).status).toBe(200);

    const [second, ...others] = await customersOf(eve);
    expect([second?.id === first?.id, others]).toEqual([false, []]);
    expect(await world().row(eve)).toMatchObject({ customer_id: second?.id, status: null });
  });

  test('is found by its given name after its creation broke off', async () => {
    const fay = await world().signUp('Fay');
    const created = await world().stripe.customers.create({ metadata: { user_id: fay.id } });
    await world().rows(
      "insert into public.stripe_customers (user_id, claimed_at) values ($1, now() - interval '21 hours')",
      [fay.id],
    );

    await world().call(fay, 'stripe-bootstrap');

    expect((await customersOf(fay)).map(({ id }) => id)).toEqual([created.id]);
    expect(await world().row(fay)).toMatchObject({ customer_id: created.id });
  });

  test('counts as no customer in another mode, with its plan, and is created by the next visit in this mode', async () => {
    const gus = await world().signUp('Gus');
    await world().buy(gus, 'lion');
    await world().settled();
    const planOf = async () => (await world().rows('select private.plan_of($1) as plan', [gus.id]))[0]?.plan;
    expect(await planOf()).toBe('lion');
    // As in a database that was used with the provider's test mode before: this mode does not know the customer.
    const [customer] = await customersOf(gus);
    await world().stripe.customers.update(customer?.id ?? '', { metadata: { user_id: '' } });
    await world().rows("update public.stripe_customers set mode = 'test' where user_id = $1", [gus.id]);

    expect([await planOf(), await world().row(gus)]).toEqual(['free', null]);
    expect((await world().call(gus, 'stripe-bootstrap')).status).toBe(200);

    expect(await planOf()).toBe('free');
    expect(await world().row(gus)).toMatchObject({ status: null, subscription_id: null });
  });

  test('is found again where this mode had it before another one', async () => {
    const ivy = await world().signUp('Ivy');
    await world().buy(ivy, 'lion');
    await world().settled();
    const before = await world().row(ivy);
    // As after a start with the keys of another mode by mistake.
    await world().rows(
      "update public.stripe_customers set mode = 'test', customer_id = 'cus_of_test_mode' where user_id = $1",
      [ivy.id],
    );

    expect((await world().call(ivy, 'stripe-bootstrap')).status).toBe(200);

    expect(await customersOf(ivy)).toHaveLength(1);
    expect(await world().row(ivy)).toEqual(before);
    expect(await world().disagreements(ivy)).toEqual([]);
  });

  test('follows the name and address of the account', async () => {
    const hal = await world().signUp('Hal');
    await world().call(hal, 'stripe-bootstrap');
    await world().rows("update public.profiles set full_name = 'Hal Second' where id = $1", [hal.id]);

    await world().call(hal, 'stripe-bootstrap');

    expect(await customersOf(hal)).toMatchObject([{ name: 'Hal Second' }]);
  });

  test('is refused without a token', async () => {
    const answer = await fetch(`${world().url}/functions/v1/stripe-bootstrap`, { method: 'POST' });

    expect(answer.status).toBe(401);
  });
});
