/** The mail queue, its worker and a real SMTP conversation: what users receive, how often, and what stays behind. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Database, OWNER } from '../../server/platform/database/database.ts';
import { LEASE_MS, mailQueue, queueMail } from '../../server/platform/mail/mail-queue.ts';
import { openTestDatabase } from '../support/database/database.ts';
import { describeEachDatabase } from '../support/database/each-database.ts';
import { codeIn, linkIn, startTestMailbox, startTestMailWorker, type TestMailbox } from '../support/wire/mailbox.ts';
import { aMail, CODE, isSent, type MailWorld, mailWorld } from './support/services/mail-queue.ts';

// Runs on both kinds, because workers claim emails with `skip locked`.
describeEachDatabase('the mail queue', (kind) => {
  let database: Database;
  let world: MailWorld;
  let mailbox: TestMailbox;
  beforeAll(async () => {
    database = await openTestDatabase(kind);
    world = mailWorld(database);
    mailbox = await startTestMailbox(database, world.clock);
  });
  afterAll(async () => {
    await mailbox.close();
    await database.close();
  });

  test('delivers an email with both parts and erases its codes from the database', async () => {
    await world.queue('ada@example.com');

    const mail = await mailbox.mailTo('ADA@example.com');
    const row = await world.until('ada@example.com', isSent);

    expect(mail).toMatchObject({ to: 'ada@example.com', from: 'no-reply@kat.test', subject: 'Confirm your address' });
    expect(codeIn(mail)).toBe(CODE);
    expect(linkIn(mail)).toBe('https://kat.test/verify?a=1&b=2');
    expect(mail.links).toHaveLength(1);
    expect(mail.html).toContain('<a href=');
    expect(row).toMatchObject({ attempts: 1, text_body: null, html_body: null, last_error: null });
    expect(row.sent_at).not.toBeNull();
  });

  test('never sends an email whose transaction was rolled back', async () => {
    const rolledBack = database.transaction(OWNER, async (tx) => {
      await queueMail(
        tx,
        { ...aMail('bob@example.com'), subject: 'Rolled back' },
        { userId: null, nowIso: world.nowIso() },
      );
      throw new Error('changed my mind');
    });
    await expect(rolledBack).rejects.toThrow('changed my mind');
    await world.queue('bob@example.com', { subject: 'Committed' });
    await world.until('bob@example.com', isSent);

    expect(mailbox.mails('bob@example.com').map((mail) => mail.subject)).toEqual(['Committed']);
  });

  test('stores a suppressed email without its text and never sends it', async () => {
    await world.queue('nobody@example.com', { isSuppressed: true });
    await world.queue('after@example.com');
    await mailbox.mailTo('after@example.com');

    expect(mailbox.mails('nobody@example.com')).toEqual([]);
    expect(await world.rowOf('nobody@example.com')).toMatchObject({
      state: 'suppressed',
      attempts: 0,
      text_body: null,
      html_body: null,
    });
  });

  test('sends each of 40 emails once with several workers', async () => {
    const sink = mailbox.smtpUrl;
    const others = await Promise.all([1, 2, 3].map(() => startTestMailWorker(database, sink, { clock: world.clock })));
    const addresses = Array.from({ length: 40 }, (_, i) => `many${i}@example.com`);

    await Promise.all(addresses.map((address) => world.queue(address)));
    for (const address of addresses) await world.until(address, isSent);
    await Promise.all(others.map((worker) => worker.close()));

    expect(addresses.map((address) => mailbox.mails(address).length)).toEqual(addresses.map(() => 1));
  });

  test('sends a claimed email whose sender died after its lease ends, not before', async () => {
    const queue = mailQueue(database);
    await mailbox.pause();
    await world.queue('killed@example.com');
    const nowMs = world.clock.nowMs();
    const [taken] = await queue.claim(1, nowMs, nowMs + LEASE_MS);
    await mailbox.resume();

    await world.queue('next@example.com');
    await mailbox.mailTo('next@example.com');
    const before = mailbox.mails('killed@example.com');
    world.advance(LEASE_MS);
    await mailbox.mailTo('killed@example.com');

    expect(taken?.to).toBe('killed@example.com');
    expect(before).toEqual([]);
    expect(await world.until('killed@example.com', isSent)).toMatchObject({ attempts: 2 });
  });

  test('ignores changes from a sender whose lease has ended', async () => {
    const queue = mailQueue(database);
    await mailbox.pause();
    await world.queue('slow@example.com');
    const startMs = world.clock.nowMs();
    const [late] = await queue.claim(1, startMs, startMs);
    const [current] = await queue.claim(1, startMs, startMs + LEASE_MS);
    if (late === undefined || current === undefined) throw new Error('not taken');

    await queue.giveUp(late, 'late');
    await queue.putBack(late, startMs, 'late');
    const after = await world.rowOf('slow@example.com');
    await queue.markSent(current, startMs);
    await mailbox.resume();

    expect(late.id).toBe(current.id);
    expect(after).toMatchObject({ state: 'waiting', attempts: 2, last_error: null });
    expect(await queue.claim(1, startMs, startMs)).toEqual([]);
  });
});
