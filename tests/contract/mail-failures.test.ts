/** Mail servers that are unavailable, busy or refuse: what is retried, when, and what is given up. */
import { createServer, type Server } from 'node:net';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { type SandboxMailbox, startSandboxMailbox } from '../../sandbox/mailbox/sandbox-mailbox.ts';
import { type Database, OWNER } from '../../server/platform/database/database.ts';
import { RETRY_WAITS_MS } from '../../server/platform/mail/mail-queue.ts';
import type { QueueWorker } from '../../server/platform/queues/queue-worker.ts';
import { openTestDatabase } from '../support/database/database.ts';
import { describeOneDatabase } from '../support/database/each-database.ts';
import { startTestMailWorker } from '../support/wire/mailbox.ts';
import { CODE, isFailed, isSent, type MailWorld, mailWorld, wasTriedOnce } from './support/services/mail-queue.ts';

describeOneDatabase('a mail server', (kind) => {
  let database: Database;
  let world: MailWorld;
  const open: { close(): Promise<unknown> }[] = [];
  beforeAll(async () => {
    database = await openTestDatabase(kind);
    world = mailWorld(database, { isStill: true });
  });
  afterEach(async () => {
    for (const one of open.splice(0).reverse()) await one.close();
    await database.query(OWNER, 'delete from private.outgoing_mail');
  });
  afterAll(() => database.close());

  async function mailbox(options: { smtpPort?: number; refusalOf?: (to: string) => number | null } = {}) {
    const started: SandboxMailbox = await startSandboxMailbox({ clock: world.clock, ...options });
    open.push(started);
    return started;
  }

  async function worker(smtpUrl: string): Promise<QueueWorker> {
    const started = await startTestMailWorker(database, smtpUrl, { clock: world.clock });
    open.push(started);
    return started;
  }

  /** Runs a worker until it has tried everything due, and another email with it. */
  async function triedOnce(smtpUrl: string, beside: string): Promise<void> {
    const running = await startTestMailWorker(database, smtpUrl, { clock: world.clock });
    await world.queue(beside);
    await world.until(beside, wasTriedOnce);
    await running.close();
  }

  test('receives the email after the first retry wait once it is available again', async () => {
    const smtpPort = await freePort();
    await worker(`smtp://127.0.0.1:${smtpPort}`);
    await world.queue('ada@example.com');
    const whileAway = await world.until('ada@example.com', wasTriedOnce);

    const { mails } = await mailbox({ smtpPort });
    const beforeTheWait = await world.rowOf('ada@example.com');
    world.advance(RETRY_WAITS_MS[0]);
    const after = await world.until('ada@example.com', isSent);

    expect(whileAway).toMatchObject({ state: 'waiting', last_error: 'ESOCKET' });
    expect(whileAway.text_body).toContain(CODE);
    expect(beforeTheWait.attempts).toBe(1);
    expect(after).toMatchObject({ attempts: 2, text_body: null, html_body: null, last_error: null });
    expect(mails('ada@example.com')).toHaveLength(1);
  });

  test('fails an email immediately when it refuses the address with 550, and its codes are erased', async () => {
    const { smtpUrl, mails } = await mailbox({ refusalOf: (to) => (to === 'unknown@example.com' ? 550 : null) });
    await worker(smtpUrl);

    await world.queue('unknown@example.com');
    await world.queue('known@example.com');
    const refused = await world.until('unknown@example.com', isFailed);
    await world.until('known@example.com', isSent);

    expect(refused).toMatchObject({ attempts: 1, text_body: null, html_body: null, last_error: '550 EENVELOPE' });
    expect(mails().map((mail) => mail.to)).toEqual(['known@example.com']);
  });

  test('is retried after increasing waits while it answers 451, then the email fails', async () => {
    const { smtpUrl } = await mailbox({ refusalOf: () => 451 });
    await world.queue('ada@example.com');

    for (const [i, waitMs] of RETRY_WAITS_MS.entries()) {
      await triedOnce(smtpUrl, `round${i}@example.com`);
      const tried = await world.rowOf('ada@example.com');
      world.advance(waitMs - 1);
      await triedOnce(smtpUrl, `early${i}@example.com`);
      const tooEarly = await world.rowOf('ada@example.com');
      world.advance(1);

      expect([tried.attempts, tooEarly.attempts]).toEqual([i + 1, i + 1]);
    }
    await worker(smtpUrl);
    const failed = await world.until('ada@example.com', isFailed);

    expect(failed).toMatchObject({ attempts: RETRY_WAITS_MS.length + 1, text_body: null, last_error: '451 EENVELOPE' });
  });

  test('leaves emails waiting when it refuses our login', async () => {
    const server = await loginRefusingServer();
    open.push({ close: () => new Promise((done) => server.close(done)) });
    await worker(`smtp://user:wrong@127.0.0.1:${portOf(server)}`);

    await world.queue('ada@example.com');
    const row = await world.until('ada@example.com', wasTriedOnce);

    expect(row).toMatchObject({ state: 'waiting', last_error: '535 EAUTH' });
  });

  test.each([
    ['a line end in the address', { to: 'ada@example.com\r\nBcc: eve@example.com' }],
    ['a second address', { to: 'ada@example.com, eve@example.com' }],
    ['a name before the address', { to: 'Eve <eve@example.com>' }],
    ['a line end in the subject', { subject: 'Hello\r\nBcc: eve@example.com' }],
  ])(
    'receives no email with %s',
    async (_what, { to = 'ada@example.com', ...changes }: { to?: string; subject?: string }) => {
      const { smtpUrl, mails } = await mailbox();
      await worker(smtpUrl);

      await world.queue(to, changes);
      const row = await world.until(to, isFailed);
      await world.queue('after@example.com');
      await world.until('after@example.com', isSent);

      expect(row.last_error).toMatch(/^unsafe (address|subject)$/);
      expect(mails().map((mail) => mail.to)).toEqual(['after@example.com']);
    },
  );
});

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const port = portOf(server);
  await new Promise((closed) => server.close(closed));
  return port;
}

/** Implements just enough SMTP to refuse a password. */
async function loginRefusingServer(): Promise<Server> {
  const server = createServer((socket) => {
    socket.on('error', () => undefined);
    socket.write('220 mail.test ESMTP\r\n');
    socket.on('data', (data) => {
      const isGreeting = data.toString().startsWith('EHLO');
      socket.write(isGreeting ? '250-mail.test\r\n250 AUTH PLAIN\r\n' : '535 5.7.8 Bad credentials\r\n');
    });
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  return server;
}

function portOf(server: Server): number {
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  return address.port;
}
