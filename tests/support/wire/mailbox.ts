/** Mails as users get them: the product's own worker sends to the development mailbox, and tests read them there. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Clock } from '#domain/time/clock.ts';
import { mailListSchema, type ReceivedMail } from '../../../sandbox/mailbox/mails.ts';
import { startSandboxMailbox } from '../../../sandbox/mailbox/sandbox-mailbox.ts';
import type { Database } from '../../../server/platform/database/database.ts';
import { startMailWorker } from '../../../server/platform/mail/mail-queue.ts';
import { smtpTransport } from '../../../server/platform/mail/smtp-transport.ts';
import type { QueueWorker } from '../../../server/platform/queues/queue-worker.ts';
import { testLog } from '../database/database.ts';
import { WAIT_MS } from '../run/wait-limit.ts';

export type Mail = ReceivedMail;

export interface TestMailbox {
  /** A mail that an earlier call returned is not returned again. @throws Error if none arrives in time */
  mailTo(address: string, timeoutMs?: number): Promise<Mail>;
  /** All mails so far, newest first. @param address  default: everyone's mails */
  mails(address?: string): Mail[];
  /** For additional workers. */
  smtpUrl: string;
  /** Stops the worker, as if the server were down. */
  pause(): Promise<void>;
  resume(): Promise<void>;
  close(): Promise<void>;
}

const POLL_MS = 20;

/** A mailbox and a worker that sends this database's mails to it. @param clock  of the worker; default: real time */
export async function startTestMailbox(
  database: Database,
  clock: Clock = { nowMs: () => Date.now() },
): Promise<TestMailbox> {
  const mailbox = await startSandboxMailbox({ clock });
  const start = () => startTestMailWorker(database, mailbox.smtpUrl, { clock });
  let worker = await start();
  const read = new Set<string>();
  return {
    async mailTo(address, timeoutMs = WAIT_MS) {
      const mail = await untilFound(() => mailbox.mails(address).find((one) => !read.has(one.id)), timeoutMs);
      if (mail === null) throw new Error(`no mail to ${address} within ${timeoutMs} ms`);
      for (const one of mailbox.mails(address)) read.add(one.id);
      return mail;
    },
    mails: (address) => mailbox.mails(address),
    smtpUrl: mailbox.smtpUrl,
    pause: () => worker.close(),
    async resume() {
      worker = await start();
    },
    async close() {
      await worker.close();
      await mailbox.close();
    },
  };
}

export interface TestWorkerOptions {
  clock?: Clock;
  /** Poll interval without a notification; default 100 ms, so that a moved clock is noticed. */
  pollMs?: number;
}

export function startTestMailWorker(
  database: Database,
  smtpUrl: string,
  options: TestWorkerOptions = {},
): Promise<QueueWorker> {
  const { clock = { nowMs: () => Date.now() }, pollMs = 100 } = options;
  const transport = smtpTransport({ smtpUrl, from: 'Kat <no-reply@kat.test>', maxConnections: 4 });
  return startMailWorker({ database, transport, clock, log: testLog, pollMs });
}

/** The newest mail to an address in the mailbox of a running site. @param subject  if another mail may arrive first */
export async function siteMailTo(url: string, address: string, subject = /^/): Promise<Mail> {
  const find = async () => (await siteMails(url, address)).find((mail) => subject.test(mail.subject));
  const mail = await untilFound(find, WAIT_MS);
  if (mail === null) throw new Error(`no mail to ${address} of ${subject} within ${WAIT_MS} ms`);
  return mail;
}

export async function siteMails(url: string, address: string): Promise<Mail[]> {
  const answer = await fetch(`${url}/dev/mailbox.json?to=${encodeURIComponent(address)}`);
  return mailListSchema.parse(await answer.json());
}

/** The six digits in a mail. @throws Error if it has none */
export function codeIn(mail: Mail): string {
  const text = mail.links.reduce((text, link) => text.replaceAll(link, ''), mail.text);
  const code = /(?<!\d)\d{6}(?!\d)/.exec(text)?.[0];
  if (code === undefined) throw new Error(`no code in the mail '${mail.subject}'`);
  return code;
}

/** The first link in a mail. @throws Error if it has none */
export function linkIn(mail: Mail): string {
  const link = mail.links[0];
  if (link === undefined) throw new Error(`no link in the mail '${mail.subject}'`);
  return link;
}

async function untilFound<T>(poll: () => T | undefined | Promise<T | undefined>, timeoutMs: number): Promise<T | null> {
  const endsMs = Date.now() + timeoutMs;
  for (;;) {
    const found = await poll();
    if (found !== undefined) return found;
    if (Date.now() >= endsMs) return null;
    await sleep(POLL_MS);
  }
}
