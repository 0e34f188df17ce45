/** The mail queue, its worker and a real SMTP conversation: what people get, how often, and what is left behind. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Database, OWNER } from '../../server/platform/database.ts';
import { queueMail } from '../../server/platform/mail/mail-store.ts';
import { openTestDatabase } from '../support/database.ts';
import { describeEachDatabase } from '../support/each-database.ts';
import { startTestMailbox, type TestMailbox } from '../support/mailbox.ts';

describeEachDatabase('mails', (kind) => {
  let database: Database;
  let mailbox: TestMailbox;
  beforeAll(async () => {
    database = await openTestDatabase(kind);
    mailbox = await startTestMailbox(database);
  });
  afterAll(async () => {
    await mailbox.close();
    await database.close();
  });

  test('a queued mail arrives at once', async () => {
    await database.transaction(OWNER, (tx) =>
      queueMail(
        tx,
        {
          kind: 'confirmation',
          to: 'ada@example.com',
          subject: 'Hello',
          text: 'Your code: 123456 https://a.b/c',
          html: '<p>x</p>',
        },
        { nowIso: new Date().toISOString() },
      ),
    );
    const mail = await mailbox.mailTo('ada@example.com');
    expect(mail).toMatchObject({ subject: 'Hello', links: ['https://a.b/c'] });
  });
});
