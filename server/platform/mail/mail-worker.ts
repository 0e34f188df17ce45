/**
 * Sends what waits in the mail queue. Any number of server processes may run one: a mail is claimed before it is sent,
 * and no transaction stays open meanwhile. A mail is sent twice only when a process dies between the mail server's
 * 'taken' and writing that down.
 */
import type { Clock } from '#domain/time/clock.ts';
import type { Database } from '../database.ts';
import type { Logger } from '../log.ts';
import { type ClaimedMail, MAIL_CHANNEL, mailQueue } from './mail-store.ts';
import { MailNotSent, type MailTransport } from './mail-transport.ts';

export interface MailWorkerDeps {
  database: Database;
  transport: MailTransport;
  clock: Clock;
  log: Logger;
  /** Looked for this often at least, should a notification be lost. Default 30 s. */
  pollMs?: number;
}

export interface MailWorker {
  /** Takes no more mails, and waits for those under way. */
  close(): Promise<void>;
}

/** Waits between tries; after the last one a mail has failed. */
export const RETRY_WAITS_MS = [5000, 30_000, 120_000, 600_000, 3_600_000] as const;
/** At once, in one process. */
export const MAX_UNDER_WAY = 4;
/** A try that takes longer is broken off. */
const SEND_LIMIT_MS = 60_000;
/** Longer than a try and writing down how it went: while it lasts, nobody else sends this mail. */
export const LEASE_MS = 2 * SEND_LIMIT_MS;
const POLL_MS = 30_000;
/** A mail that is due may be held by another process for a moment. */
const SHORTEST_WAIT_MS = 50;
/** Rows of mails that were sent or given up are kept for people who ask where theirs is. */
export const KEPT_MS = 7 * 24 * 3_600_000;
const CLEANING_INTERVAL_MS = 3_600_000;
/** A mail under way may go on for this long after the order to stop. */
const CLOSE_GRACE_MS = 5000;

export async function startMailWorker(deps: MailWorkerDeps): Promise<MailWorker> {
  const { transport, clock, log, pollMs = POLL_MS } = deps;
  const queue = mailQueue(deps.database);
  const underWay = new Set<Promise<void>>();
  const stopping = new AbortController();
  let isStopped = false;
  let isAskedAgain = false;
  let looking: Promise<void> | null = null;
  let timer: NodeJS.Timeout | undefined;
  let cleanedAtMs = Number.NEGATIVE_INFINITY;

  function wake(): void {
    if (isStopped) return;
    if (looking !== null) {
      isAskedAgain = true;
      return;
    }
    clearTimeout(timer);
    looking = look().finally(() => {
      looking = null;
      if (isAskedAgain) {
        isAskedAgain = false;
        wake();
      }
    });
  }

  /** Never rejects. */
  async function look(): Promise<void> {
    let waitMs = pollMs;
    try {
      await sendAllDue();
      await cleanUp();
      const dueMs = await queue.nextDueMs();
      if (dueMs !== null) waitMs = Math.min(pollMs, Math.max(SHORTEST_WAIT_MS, dueMs - clock.nowMs()));
    } catch (error) {
      // The database may be restarting: the next look finds the same rows.
      log.warn({ err: error }, 'the mail queue could not be read');
    }
    if (!isStopped) timer = setTimeout(wake, waitMs);
  }

  async function sendAllDue(): Promise<void> {
    while (!isStopped) {
      const nowMs = clock.nowMs();
      const free = MAX_UNDER_WAY - underWay.size;
      const mails = await queue.claim(free, nowMs, nowMs + LEASE_MS);
      for (const mail of mails) {
        const sending = send(mail).finally(() => underWay.delete(sending));
        underWay.add(sending);
      }
      if (mails.length < free) return;
      await Promise.race(underWay);
    }
  }

  /** Never rejects. */
  async function send(mail: ClaimedMail): Promise<void> {
    const about = { mail: mail.id, kind: mail.kind, attempt: mail.attempts };
    try {
      const signal = AbortSignal.any([stopping.signal, AbortSignal.timeout(SEND_LIMIT_MS)]);
      await transport.send(mail, { id: mail.id, signal });
    } catch (error) {
      await afterFailure(mail, error).catch((cause: unknown) => {
        // Its lease ends, and it is tried again.
        log.warn({ ...about, err: cause }, 'a mail could not be put back');
      });
      wake();
      return;
    }
    log.info(about, 'mail sent');
    // A second time: a database that has just restarted must not make us send the mail twice.
    await markSent(mail)
      .catch(() => markSent(mail))
      .catch((error: unknown) => log.error({ ...about, err: error }, 'a sent mail could not be marked as sent'));
  }

  const markSent = (mail: ClaimedMail) => queue.markSent(mail, clock.nowMs());

  async function afterFailure(mail: ClaimedMail, error: unknown): Promise<void> {
    const about = { mail: mail.id, kind: mail.kind, attempt: mail.attempts };
    // What is no refusal is a fault of ours. Its text may hold anything: it is neither stored nor told.
    const { message: reason, isPermanent } = error instanceof MailNotSent ? error : UNKNOWN_FAULT;
    const waitMs = RETRY_WAITS_MS[mail.attempts - 1];
    if (isPermanent || waitMs === undefined) {
      log.error({ ...about, reason }, 'mail given up');
      await queue.giveUp(mail, reason);
    } else {
      log.warn({ ...about, reason, nextTryInS: waitMs / 1000 }, 'mail not sent yet');
      await queue.putBack(mail, clock.nowMs() + (stopping.signal.aborted ? 0 : waitMs), reason);
    }
  }

  async function cleanUp(): Promise<void> {
    const nowMs = clock.nowMs();
    if (nowMs - cleanedAtMs < CLEANING_INTERVAL_MS) return;
    cleanedAtMs = nowMs;
    const removed = await queue.removeOld(nowMs - KEPT_MS);
    if (removed > 0) log.info({ removed }, 'old mails removed');
  }

  const unlisten = await deps.database.listen(MAIL_CHANNEL, wake);
  wake();

  return {
    async close() {
      isStopped = true;
      clearTimeout(timer);
      await unlisten();
      const breakOff = setTimeout(() => stopping.abort(), CLOSE_GRACE_MS);
      await looking;
      await Promise.all(underWay);
      clearTimeout(breakOff);
      transport.close();
    },
  };
}

const UNKNOWN_FAULT = { message: 'unknown fault', isPermanent: false };
