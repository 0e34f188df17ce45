/** An admin starts a comparison of all subscriptions with the payment provider. */
import { afterEach, beforeAll, expect, test } from 'vitest';
import { OWNER } from '../../server/platform/database/database.ts';
import { describeOneDatabase } from '../support/database/each-database.ts';
import { openedForTests } from '../support/run/opened-for-tests.ts';
import { type BillingWorld, openBillingWorld, type Person } from '../support/worlds/billing-world.ts';

const VERIFY = 'admin-verify-subscriptions';

describeOneDatabase('the verification of all subscriptions', (kind) => {
  const world = openedForTests(() => openBillingWorld(kind));
  let admin: Person;
  let buyer: Person;

  beforeAll(async () => {
    admin = await world().signUp('Chief');
    await makeAdmin(world(), admin);
    buyer = await world().signUp('Ada');
    await world().call(buyer, 'stripe-bootstrap');
    await world().buy(buyer, 'lion');
    await world().settled();
  });
  afterEach(async () => {
    await world().control('DELETE', '/faults');
  });

  const lastAudit = async () => {
    const rows = await world().database.query(
      OWNER,
      `select actor_id, details from private.audit_log where action = 'billing.verify' order by id desc limit 1`,
    );
    return rows[0];
  };

  test('repairs a row that differs from the provider, counts it and leaves an audit row', async () => {
    await world().rows(
      `update public.stripe_subscriptions set status = 'canceled', payment_method_last4 = '0000'
        where customer_id = (select customer_id from public.stripe_customers where user_id = $1)`,
      [buyer.id],
    );

    const first = await world().call(admin, VERIFY);
    const second = await world().call(admin, VERIFY);

    expect(first).toEqual({ status: 200, body: { ok: true, updated: 1, checked: 1, remaining: 0, failed: 0 } });
    expect(second).toEqual({ status: 200, body: { ok: true, updated: 0, checked: 1, remaining: 0, failed: 0 } });
    expect(await world().disagreements(buyer)).toEqual([]);
    expect(await lastAudit()).toEqual({
      actor_id: admin.id,
      details: { updated: 0, checked: 1, remaining: 0, failed: 0 },
    });
  });

  test('refuses everyone else without calling the provider', async () => {
    const before = (await world().requests()).length;

    const refused = await world().call(buyer, VERIFY);

    expect([refused.status, refused.body.code]).toEqual([403, 'auth/forbidden']);
    expect((await fetch(`${world().url}/functions/v1/${VERIFY}`, { method: 'POST' })).status).toBe(401);
    expect((await world().requests()).length).toBe(before);
  });

  test('reports an unavailable provider, and works again once it is back', async () => {
    await world().control('POST', '/faults', { method: 'GET', path: '/v1/', kind: 'http_500', times: 1000 });

    const away = await world().call(admin, VERIFY);

    expect([away.status, away.body.code]).toEqual([503, 'billing/provider-unavailable']);
    expect(await lastAudit()).toMatchObject({
      details: { checked: 0, remaining: 1, error: 'billing/provider-unavailable' },
    });
    await world().control('DELETE', '/faults');
    expect((await world().call(admin, VERIFY)).body).toMatchObject({ ok: true, checked: 1, remaining: 0 });
  });

  test('runs only one at a time', async () => {
    await world().control('POST', '/faults', { method: 'GET', path: '/v1/', kind: 'slow', ms: 600, times: 5 });

    const answers = await Promise.all([world().call(admin, VERIFY), world().call(admin, VERIFY)]);

    const bodies = answers.map(({ body }) => body).toSorted((a, b) => Number(a.ok) - Number(b.ok));
    expect(bodies).toMatchObject([
      {
        ok: false,
        code: 'billing/busy',
        reason: 'Another verification is already running. Please try again once it has finished.',
      },
      { ok: true, checked: 1 },
    ]);
    expect((await world().call(admin, VERIFY)).body).toMatchObject({ ok: true });
  });
});

async function makeAdmin({ database }: BillingWorld, { id }: Person): Promise<void> {
  await database.query(OWNER, "update public.profiles set role = 'admin' where id = $1::text::uuid", [id]);
}
