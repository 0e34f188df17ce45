/**
 * Sends what waits in the mail queue, in every server process. A mail is sent twice only when a process dies between the
 * mail server's 'taken' and writing that down.
 */
import { type QueueWorker, type QueueWorkerDeps, startQueueWorker } from '../queues/queue-worker.ts';
import { type ClaimedMail, MAIL_CHANNEL, mailQueue } from './mail-store.ts';
import { MailNotSent, type MailTransport } from './mail-transport.ts';

export interface MailWorkerDeps extends QueueWorkerDeps {
  transport: MailTransport;
}

/** Waits between tries; after the last one a mail has failed. */
export const RETRY_WAITS_MS = [5000, 30_000, 120_000, 600_000, 3_600_000] as const;
/** At once, in one process. */
export const MAX_UNDER_WAY = 4;
/** A try that takes longer is broken off. */
const SEND_LIMIT_MS = 60_000;
/** Longer than a try and writing down how it went: while it lasts, nobody else sends this mail. */
export const LEASE_MS = 2 * SEND_LIMIT_MS;
/** Rows of mails that were sent or given up are kept for people who ask where theirs is. */
export const KEPT_MS = 7 * 24 * 3_600_000;

/** Its `close` ends the transport too. */
export async function startMailWorker(deps: MailWorkerDeps): Promise<QueueWorker> {
  const { transport, clock, log } = deps;
  const queue = mailQueue(deps.database);

  /** Never rejects. @returns true when it was put back */
  async function send(mail: ClaimedMail, stopping: AbortSignal): Promise<boolean> {
    const about = { mail: mail.id, kind: mail.kind, attempt: mail.attempts };
    try {
      const signal = AbortSignal.any([stopping, AbortSignal.timeout(SEND_LIMIT_MS)]);
      await transport.send(mail, { id: mail.id, signal });
    } catch (error) {
      await afterFailure(mail, error, stopping).catch((cause: unknown) => {
        // Its lease ends, and it is tried again.
        log.warn({ ...about, err: cause }, 'a mail could not be put back');
      });
      return true;
    }
    log.info(about, 'mail sent');
    // A second time: a database that has just restarted must not make us send the mail twice.
    await markSent(mail)
      .catch(() => markSent(mail))
      .catch((error: unknown) => log.error({ ...about, err: error }, 'a sent mail could not be marked as sent'));
    return false;
  }

  const markSent = (mail: ClaimedMail) => queue.markSent(mail, clock.nowMs());

  async function afterFailure(mail: ClaimedMail, error: unknown, stopping: AbortSignal): Promise<void> {
    const about = { mail: mail.id, kind: mail.kind, attempt: mail.attempts };
    // What is no refusal is a fault of ours. Its text may hold anything: it is neither stored nor told.
    const { message: reason, isPermanent } = error instanceof MailNotSent ? error : UNKNOWN_FAULT;
    const waitMs = RETRY_WAITS_MS[mail.attempts - 1];
    if (isPermanent || waitMs === undefined) {
      log.error({ ...about, reason }, 'mail given up');
      await queue.giveUp(mail, reason);
    } else {
      log.warn({ ...about, reason, nextTryInS: waitMs / 1000 }, 'mail not sent yet');
      await queue.putBack(mail, clock.nowMs() + (stopping.aborted ? 0 : waitMs), reason);
    }
  }

  const worker = await startQueueWorker(
    {
      ...{ name: 'mail', channel: MAIL_CHANNEL, queue, handle: send },
      ...{ maxUnderWay: MAX_UNDER_WAY, leaseMs: LEASE_MS, keptMs: KEPT_MS },
    },
    deps,
  );
  return {
    async close() {
      await worker.close();
      transport.close();
    },
  };
}

const UNKNOWN_FAULT = { message: 'unknown fault', isPermanent: false };
