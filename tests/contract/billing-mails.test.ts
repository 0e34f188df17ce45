/** Mails about payments and plan: each arrives once, whatever the provider's events do, and none for what was rolled back. */
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { BRAND } from '../../server/backend/auth/mail/account-mails.ts';
import { openNotices } from '../../server/billing/notices/notices.ts';
import { OWNER } from '../../server/platform/database/database.ts';
import { testLog } from '../support/database/database.ts';
import { describeOneDatabase } from '../support/database/each-database.ts';
import { type Mail, siteMails } from '../support/wire/mailbox.ts';
import { CARDS, eventually, type Person, PRICES } from '../support/worlds/billing-world.ts';
import { sharedBillingWorld } from '../support/worlds/shared-billing-world.ts';

const DAY_S = 86_400;
const clock = { nowMs: () => Date.now() };

describeOneDatabase('mails about payments and plan', (kind) => {
  const world = sharedBillingWorld(kind);

  /** Of a person's billing mails, oldest first. */
  async function mailsOf({ email }: Person): Promise<Mail[]> {
    const all = await siteMails(world().url, email);
    return all.filter(({ text }) => text.includes('/account/subscription')).toReversed();
  }

  /** Waits for so many, and until everything that is under way is over. */
  async function mails(person: Person, count: number): Promise<Mail[]> {
    await eventually(async () => ((await mailsOf(person)).length >= count ? true : null));
    await quiet();
    const found = await mailsOf(person);
    expect(found.map(({ subject }) => subject)).toHaveLength(count);
    return found;
  }

  /** Every event was worked on, and the mail queue is empty. */
  async function quiet(): Promise<void> {
    await world().settled();
    await eventually(async () => {
      const rows = await world().database.query(OWNER, `select 1 from private.outgoing_mail where state = 'waiting'`);
      return rows.length === 0 ? true : null;
    });
    await sleep(100);
  }

  /** Sends every event of a person twice more: as a repetition, then as if none had ever come, in reverse. */
  async function replayAll(person: Person): Promise<void> {
    const customer = String((await world().row(person))?.customer_id);
    const ids = (await world().stripe.events.list({ limit: 100 })).data
      .filter((event) => JSON.stringify(event).includes(customer))
      .map(({ id }) => id);
    expect(ids.length).toBeGreaterThan(3);
    for (const id of ids) await world().control('POST', `/events/${id}/resend`);
    await world().rows('update public.stripe_events set processed_at = null where event_id = any ($1::text[])', [ids]);
    for (const id of ids.toReversed()) await world().control('POST', `/events/${id}/resend`);
  }

  /** The event of a subscription's paid invoice, once work on it has failed. */
  async function failedEvent(subscriptionId: string): Promise<string> {
    return eventually(async () => {
      const [row] = await world().rows(
        `select event_id from public.stripe_events where type = 'invoice.paid' and object_id = $1 and attempts > 0`,
        [subscriptionId],
      );
      return row === undefined ? null : String(row.event_id);
    });
  }

  /** A user whose customer has a separate clock. */
  async function onOwnClock(name: string) {
    const startS = Math.floor(Date.now() / 1000);
    const { id } = await world().stripe.testHelpers.testClocks.create({ frozen_time: startS });
    await world().control('POST', '/clock', { default_test_clock: id });
    const person = await world().signUp(name);
    expect(await world().call(person, 'stripe-bootstrap')).toMatchObject({ status: 200 });
    await world().control('POST', '/clock', { default_test_clock: null });
    const moveTo = (timeS: number) => world().stripe.testHelpers.testClocks.advance(id, { frozen_time: timeS });
    return { person, startS, moveTo };
  }

  async function endOf(person: Person): Promise<number> {
    return Number((await world().row(person))?.current_period_end);
  }

  test('send one receipt of a purchase, however often its events come', async () => {
    const ada = await world().signUp();
    await world().buy(ada, 'bobcat');

    const [receipt] = await mails(ada, 1);

    expect(receipt?.subject).toMatch(/^Your receipt from Kat, TEST-\d+$/);
    expect(receipt?.text).toContain('You’re now on the Bobcat plan');
    expect(receipt?.text).toContain('We received $29.99.');
    expect(receipt?.text).toContain('Card: Visa ending in 4242');
    expect(receipt?.text).toContain('Test payment – no real money');
    expect(receipt?.links).toEqual([`${world().url}/account/subscription`]);
    await replayAll(ada);
    await mails(ada, 1);
  });

  test('are sent before the provider’s event, which brings no second one', async () => {
    await world().control('POST', '/webhooks', { mode: 'hold' });
    const ada = await world().signUp();
    const { url, sessionId } = await world().checkout(ada, 'lion');
    await world().pay(url, CARDS.mastercard);
    expect(await world().call(ada, 'checkout-confirm', { session_id: sessionId })).toMatchObject({
      body: { status: 'complete', plan: 'lion' },
    });
    const receipt = await eventually(async () => (await mailsOf(ada))[0] ?? null);

    await world().control('POST', '/webhooks', { mode: 'deliver', copies: 3, order: 'reverse' });
    await world().control('POST', '/webhooks/release');

    expect(receipt.text).toContain('Card: Mastercard ending in 4444');
    await mails(ada, 1);
    await world().control('POST', '/webhooks', { mode: 'deliver' });
  });

  test('report a cancellation and its undo once each, in the owner’s zone', async () => {
    const ada = await world().signUp();
    await world().database.query(
      OWNER,
      `update public.profiles set timezone = 'Asia/Tokyo' where id = $1::text::uuid`,
      [ada.id],
    );
    const subscription_id = await world().buy(ada, 'lion');
    await mails(ada, 1);

    await Promise.all([1, 2, 3].map(() => world().call(ada, 'cancel-subscription', { subscription_id })));
    const [, scheduled] = await mails(ada, 2);
    await world().call(ada, 'resume-subscription', { subscription_id });
    const [, , undone] = await mails(ada, 3);

    expect(scheduled?.subject).toBe('Your subscription will end');
    expect(scheduled?.text).toMatch(/You keep the Lion plan until \d+ \w+ \d{4}, \d\d:\d\d GMT\+9/);
    expect(undone?.subject).toBe('Your subscription continues');
    await replayAll(ada);
    await mails(ada, 3);
  });

  test('report each failed try of a renewal with the next one, and only the end that follows', async () => {
    const { person, moveTo } = await onOwnClock('Poor');
    await world().buy(person, 'bobcat', CARDS.failsLater);
    await mails(person, 1);
    const endS = await endOf(person);

    await moveTo(endS + 2 * 3600);
    const [, first] = await mails(person, 2);
    await moveTo(endS + 4 * DAY_S);
    await mails(person, 3);
    await moveTo(endS + 6 * DAY_S);
    await mails(person, 4);
    await moveTo(endS + 8 * DAY_S);
    const all = await mails(person, 5);

    expect(first?.subject).toBe('Your payment did not go through');
    expect(first?.text).toContain('We couldn’t charge $29.99 for your Bobcat plan.');
    expect(first?.text).toMatch(/We’ll try again on \d+ \w+ \d{4}/);
    expect(all.at(-1)?.subject).toBe('Your subscription has ended');
    expect(all.at(-1)?.text).toContain('We couldn’t charge the renewal of the Bobcat plan');
  });

  test('report to a user who bought twice by mistake that the second one was ended and refunded', async () => {
    const ada = await world().signUp();
    await world().buy(ada, 'bobcat');
    await mails(ada, 1);
    const customer = String((await world().row(ada))?.customer_id);
    const card = await world().stripe.paymentMethods.attach('pm_card_visa', { customer });

    await world().stripe.subscriptions.create({
      customer,
      items: [{ price: PRICES.lion }],
      default_payment_method: card.id,
    });

    const all = await mails(ada, 3);
    expect(new Set(all.slice(1).map(({ subject }) => subject.replace(/\d+$/, '')))).toEqual(
      new Set(['Your receipt from Kat, TEST-', 'We ended your second subscription']),
    );
    await replayAll(ada);
    await mails(ada, 3);
  });

  test('mention no refund when a person ends one of two plans', async () => {
    const { person: ada, startS, moveTo } = await onOwnClock('Ada');
    await world().buy(ada, 'bobcat');
    await moveTo(startS + DAY_S);
    const customer = String((await world().row(ada))?.customer_id);
    const card = await world().stripe.paymentMethods.attach('pm_card_visa', { customer });
    const { id } = await world().stripe.subscriptions.create({
      customer,
      items: [{ price: PRICES.lion }],
      default_payment_method: card.id,
    });
    await mails(ada, 2);

    await world().stripe.subscriptions.cancel(id);

    const [, , ended] = await mails(ada, 3);
    expect(ended?.text).toContain('Your subscription to the Lion plan has ended.');
    expect(ended?.text).not.toContain('goes back');
  });

  test('report nothing of what was rolled back, and the next event once', async () => {
    const { database } = world();
    const run = (text: string) => database.query(OWNER, text);
    const mailsTo = (person: Person) =>
      database.query(OWNER, 'select kind from private.billing_notices where user_id = $1::text::uuid', [person.id]);
    onTestFinished(async () => {
      await run('alter table private.outgoing_mail drop constraint if exists no_receipts');
      await run('drop trigger if exists refuse_late on private.billing_notices');
      await run('drop function private.refuse');
    });
    // First the mail cannot be written, then the transaction ends badly after it was.
    await run(`alter table private.outgoing_mail add constraint no_receipts check (kind <> 'receipt') not valid`);
    const ada = await world().signUp();
    const subscription = await world().buy(ada, 'bobcat');
    const event = await failedEvent(subscription);
    expect(await mailsTo(ada)).toEqual([{ kind: 'first_seen' }]);

    await run(`create function private.refuse() returns trigger language plpgsql as $$ begin raise 'refused'; end $$`);
    await run(`create constraint trigger refuse_late after insert on private.billing_notices
      deferrable initially deferred for each row execute function private.refuse()`);
    await run('alter table private.outgoing_mail drop constraint no_receipts');
    await world().control('POST', `/events/${event}/resend`);
    expect(await mailsTo(ada)).toEqual([{ kind: 'first_seen' }]);
    expect(await mailsOf(ada)).toEqual([]);

    await run('drop trigger refuse_late on private.billing_notices');
    await world().control('POST', `/events/${event}/resend`);
    await mails(ada, 1);
  });

  test('are sent once by several processes that check at the same time', async () => {
    const ada = await world().signUp();
    const id = await world().buy(ada, 'bobcat');
    await mails(ada, 1);
    await world().stripe.subscriptions.update(id, { cancel_at_period_end: true });
    await mails(ada, 2);
    // As if no notice had been sent yet.
    await world().database.query(OWNER, 'delete from private.billing_notices where user_id = $1::text::uuid', [ada.id]);
    const subscription = await world().stripe.subscriptions.retrieve(id, {
      expand: ['default_payment_method', 'schedule', 'latest_invoice'],
    });
    const [row] = await world().rows('select * from public.stripe_subscriptions where subscription_id = $1', [id]);
    const after = {
      subscriptionId: id,
      customerId: String(row?.customer_id),
      priceId: PRICES.bobcat,
      status: 'active',
      currentPeriodStart: Number(row?.current_period_start),
      currentPeriodEnd: Number(row?.current_period_end),
      cancelAtPeriodEnd: true,
      cancelAt: Number(row?.cancel_at),
      endedAt: null,
      pendingSubscriptionId: null,
      pendingPriceId: null,
      latestInvoiceId: String(row?.latest_invoice_id),
    };
    const processes = [1, 2, 3, 4].map(() =>
      openNotices({
        database: world().database,
        clock,
        log: testLog,
        mode: 'sandbox',
        stripe: world().stripe,
        brand: BRAND,
        siteUrl: () => world().url,
        sendsMails: true,
      }),
    );

    await Promise.all(processes.map((notices) => notices.afterSync({ before: null, after, subscription })));

    await mails(ada, 4);
    const stale = { ...after, cancelAtPeriodEnd: false };
    await processes[0]?.afterSync({ before: null, after: stale, subscription });
    await mails(ada, 4);
  });
});
