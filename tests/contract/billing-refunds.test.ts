/** Money that a person pays back at the provider: its owner hears of it once, and the plan stays. */
import { expect, test } from 'vitest';
import { BRAND } from '../../server/backend/auth/mail/account-mails.ts';
import { openNotices } from '../../server/billing/notices/notices.ts';
import { OWNER } from '../../server/platform/database/database.ts';
import { testLog } from '../support/database/database.ts';
import { describeBothAtNight } from '../support/database/day-database.ts';
import { type Mail, siteMails } from '../support/wire/mailbox.ts';
import { eventually, type Person } from '../support/worlds/billing-world.ts';
import { sharedBillingWorld } from '../support/worlds/shared-billing-world.ts';

const DAY_MS = 86_400_000;

// On one kind by day: both have the check of what may be remembered from the same migration.
describeBothAtNight('refunds', (kind) => {
  const world = sharedBillingWorld(kind);

  async function refundMails({ email }: Person): Promise<Mail[]> {
    const all = await siteMails(world().url, email);
    return all.filter(({ subject }) => subject === 'Your refund from Kat').toReversed();
  }

  /** Waits for so many, and until all that is under way is over. */
  async function untilMails(person: Person, count: number): Promise<Mail[]> {
    await eventually(async () => ((await refundMails(person)).length >= count ? true : null));
    await world().settled();
    await eventually(async () => {
      const rows = await world().database.query(OWNER, `select 1 from private.outgoing_mail where state = 'waiting'`);
      return rows.length === 0 ? true : null;
    });
    const found = await refundMails(person);
    expect(found).toHaveLength(count);
    return found;
  }

  async function buyer() {
    const person = await world().signUp();
    const subscription = await world().stripe.subscriptions.retrieve(await world().buy(person, 'bobcat'));
    const { data } = await world().stripe.invoicePayments.list({
      invoice: String(subscription.latest_invoice),
      expand: ['data.payment.payment_intent'],
    });
    const intent = data[0]?.payment.payment_intent;
    if (typeof intent !== 'object') throw new Error('The subscription has no payment.');
    return { person, payment_intent: intent.id, charge: String(intent.latest_charge) };
  }

  test('tells the owner of each refund once, however often its event comes', async () => {
    const { person, payment_intent } = await buyer();

    await world().stripe.refunds.create({ payment_intent, amount: 1000, reason: 'requested_by_customer' });
    await untilMails(person, 1);
    await world().stripe.refunds.create({ payment_intent });
    const [part, rest] = await untilMails(person, 2);

    expect(part?.text).toContain('We refunded $10.00 of your payment of $29.99');
    expect(rest?.text).toContain('We refunded $19.99 of your payment of $29.99');
    expect(await world().row(person)).toMatchObject({ status: 'active' });
    const events = await world().stripe.events.list({ type: 'charge.refunded' });
    const ids = events.data.map(({ id }) => id);
    await world().rows('update public.stripe_events set processed_at = null where event_id = any ($1::text[])', [ids]);
    for (const id of ids) await world().control('POST', `/events/${id}/resend`);
    await untilMails(person, 2);
  });

  test('remembers a refund that was made more than a week before, without a mail', async () => {
    const { person, payment_intent, charge } = await buyer();
    await world().control('POST', '/webhooks', { mode: 'hold' });
    await world().stripe.refunds.create({ payment_intent });
    const notices = openNotices({
      database: world().database,
      log: testLog,
      mode: 'sandbox',
      stripe: world().stripe,
      brand: BRAND,
      siteUrl: () => world().url,
      sendsMails: true,
      clock: { nowMs: () => Date.now() + 8 * DAY_MS },
    });

    await notices.ofRefunds(
      await world().stripe.charges.retrieve(charge),
      (await world().stripe.refunds.list({ charge })).data,
    );
    await world().control('POST', '/webhooks', { mode: 'deliver' });
    await world().control('POST', '/webhooks/release');

    await untilMails(person, 0);
    const rows = await world().database.query(
      OWNER,
      `select is_mailed from private.billing_notices where kind = 'refund' and user_id = $1::text::uuid`,
      [person.id],
    );
    expect(rows).toEqual([{ is_mailed: false }]);
  });
});
