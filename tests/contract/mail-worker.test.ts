/**
 * How the mail worker behaves in its process: how many emails it sends at a time, how it stops, what it logs and
 * deletes.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { type Database, OWNER } from '../../server/platform/database/database.ts';
import {
  MAX_UNDER_WAY,
  MailNotSent,
  type MailTransport,
  RETENTION_MS,
  startMailWorker,
} from '../../server/platform/mail/mail-queue.ts';
import { createLogger } from '../../server/platform/telemetry/log.ts';
import { openTestDatabase, testLog } from '../support/database/database.ts';
import { describeOneDatabase } from '../support/database/each-database.ts';
import { CODE, isFailed, isSent, type MailWorld, mailWorld, wasTriedOnce } from './support/services/mail-queue.ts';

const withoutNumbers = (_key: string, value: unknown) => (typeof value === 'number' ? undefined : value);

describeOneDatabase('the mail worker', (kind) => {
  let database: Database;
  let world: MailWorld;
  beforeAll(async () => {
    database = await openTestDatabase(kind);
    world = mailWorld(database);
  });
  afterAll(() => database.close());
  beforeEach(() => database.query(OWNER, 'delete from private.outgoing_mail'));

  const worker = (transport: MailTransport, log = testLog) =>
    startMailWorker({ database, transport, clock: world.clock, log, pollMs: 50 });

  test('sends at most MAX_UNDER_WAY emails at the same time', async () => {
    const transport = heldTransport();
    const running = await worker(transport);
    const addresses = Array.from({ length: MAX_UNDER_WAY + 3 }, (_, i) => `crowd${i}@example.com`);

    for (const address of addresses) await world.queue(address);
    await until(() => transport.underWay() === MAX_UNDER_WAY);
    await sleep(200);
    const most = transport.underWay();
    transport.release();
    for (const address of addresses) await world.until(address, isSent);
    await running.close();

    expect(most).toBe(MAX_UNDER_WAY);
    expect(transport.sent().sort()).toEqual([...addresses].sort());
  });

  test('waits for the email being sent when it closes, and claims no other', async () => {
    const transport = heldTransport();
    const running = await worker(transport);
    await world.queue('last@example.com');
    await until(() => transport.underWay() === 1);

    let isClosed = false;
    const closing = running.close().then(() => {
      isClosed = true;
    });
    await world.queue('too-late@example.com');
    await sleep(200);
    const wasClosedEarly = isClosed;
    transport.release();
    await closing;

    expect(wasClosedEarly).toBe(false);
    expect(transport.sent()).toEqual(['last@example.com']);
    expect(await world.rowOf('last@example.com')).toMatchObject({ state: 'sent', text_body: null });
    expect(await world.rowOf('too-late@example.com')).toMatchObject({ state: 'waiting', attempts: 0 });
  });

  test('sends emails that were queued while no worker ran', async () => {
    await world.queue('waited@example.com');
    const transport = heldTransport();
    transport.release();

    const running = await worker(transport);
    await world.until('waited@example.com', isSent);
    await running.close();

    expect(transport.sent()).toContain('waited@example.com');
  });

  test('logs emails by id, without address, subject or code', async () => {
    const lines: string[] = [];
    const log = createLogger('trace', { write: (line) => lines.push(line) });
    const running = await worker(failingTransport(), log);

    await world.queue('fine@secret.example');
    await world.queue('busy@secret.example');
    await world.queue('broken@secret.example');
    await world.queue('refused@secret.example');
    await world.until('fine@secret.example', isSent);
    await world.until('busy@secret.example', wasTriedOnce);
    await world.until('broken@secret.example', wasTriedOnce);
    await world.until('refused@secret.example', isFailed);
    await running.close();

    // Drops the numbers, because a time may contain any six digits.
    const logged = lines.map((line) => JSON.stringify(JSON.parse(line, withoutNumbers))).join('');
    expect(lines.length).toBeGreaterThanOrEqual(4);
    expect(logged).toContain('450 EENVELOPE');
    expect(logged).not.toMatch(new RegExp(`secret\\.example|Confirm your address|${CODE}`));
    expect((await world.rowOf('broken@secret.example')).last_error).toBe('unknown fault');
  });

  test('deletes sent and failed emails after a week, and never one still waiting', async () => {
    const transport = heldTransport();
    transport.release();
    await world.queue('old@example.com');
    await world.queue('old-unknown@example.com', { isSuppressed: true });
    const first = await worker(transport);
    await world.until('old@example.com', isSent);
    await first.close();
    await world.queue('still-waiting@example.com');

    world.advance(RETENTION_MS + 1000);
    await world.queue('new@example.com');
    const second = await worker(failingTransport());
    await world.until('new@example.com', isSent);
    await until(async () => (await storedAddresses()).every((address) => !address.startsWith('old')));
    await second.close();

    expect(await storedAddresses()).toEqual(expect.arrayContaining(['new@example.com', 'still-waiting@example.com']));
  });

  async function storedAddresses(): Promise<string[]> {
    const rows = await database.query<{ to_address: string }>(OWNER, 'select to_address from private.outgoing_mail');
    return rows.map((row) => row.to_address);
  }
});

/** Holds every email until it is released; after that it holds none. */
function heldTransport() {
  const sent: string[] = [];
  let underWay = 0;
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  return {
    async send(mail: { to: string }) {
      underWay += 1;
      await released;
      underWay -= 1;
      sent.push(mail.to);
    },
    close: () => undefined,
    release,
    underWay: () => underWay,
    sent: () => sent,
  };
}

/** Fails as the address demands. */
function failingTransport(): MailTransport {
  return {
    async send({ to, subject, text }) {
      if (to.startsWith('busy') || to.startsWith('still'))
        throw new MailNotSent('450 EENVELOPE', { isPermanent: false });
      if (to.startsWith('refused')) throw new MailNotSent('550 EENVELOPE', { isPermanent: true });
      if (to.startsWith('broken')) throw new TypeError(`cannot send ${subject} to ${to}: ${text}`);
    },
    close: () => undefined,
  };
}

async function until(isSo: () => boolean | Promise<boolean>): Promise<void> {
  await expect.poll(isSo, { interval: 20 }).toBe(true);
}
