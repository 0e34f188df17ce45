/**
 * Sends queued emails, in every server process. An email is sent twice only if a process dies after the mail server
 * accepted it and before that is recorded.
 */
import { type QueueWorker, type QueueWorkerDeps, startQueueWorker } from '../queues/queue-worker.ts';
import { type ClaimedMail, MAIL_CHANNEL, mailQueue } from './mail-store.ts';
import { MailNotSent, type MailTransport } from './mail-transport.ts';

export interface MailWorkerDeps extends QueueWorkerDeps {
  transport: MailTransport;
}

/** Waits between tries; after the last one the email has failed. */
export const RETRY_WAITS_MS = [5000, 30_000, 120_000, 600_000, 3_600_000] as const;
/** Sends in progress at the same time, per process. */
export const MAX_UNDER_WAY = 4;
/** A longer try is aborted. */
const SEND_LIMIT_MS = 60_000;
/** Longer than a try plus recording its result; until it ends, no other process sends this email. */
export const LEASE_MS = 2 * SEND_LIMIT_MS;
/** Rows of sent and failed emails are retained this long, for users' questions about a missing email. */
export const KEPT_MS = 7 * 24 * 3_600_000;

/** Its `close` closes the transport too. */
export async function startMailWorker(deps: MailWorkerDeps): Promise<QueueWorker> {
  const { transport, clock, log } = deps;
  const queue = mailQueue(deps.database);

  /** Never rejects. @returns true when the email was put back */
  async function send(mail: ClaimedMail, stopping: AbortSignal): Promise<boolean> {
    const about = { mail: mail.id, kind: mail.kind, attempt: mail.attempts };
    try {
      const signal = AbortSignal.any([stopping, AbortSignal.timeout(SEND_LIMIT_MS)]);
      await transport.send(mail, { id: mail.id, signal });
    } catch (error) {
      await afterFailure(mail, error, stopping).catch((cause: unknown) => {
        // Its lease expires, and it is tried again.
        log.warn({ ...about, err: cause }, 'a mail could not be put back');
      });
      return true;
    }
    log.info(about, 'mail sent');
    // Tried twice, so that a database that has just restarted does not cause a second send.
    await markSent(mail)
      .catch(() => markSent(mail))
      .catch((error: unknown) => log.error({ ...about, err: error }, 'a sent mail could not be marked as sent'));
    return false;
  }

  const markSent = (mail: ClaimedMail) => queue.markSent(mail, clock.nowMs());

  async function afterFailure(mail: ClaimedMail, error: unknown, stopping: AbortSignal): Promise<void> {
    const about = { mail: mail.id, kind: mail.kind, attempt: mail.attempts };
    // Any other error is a bug. Its text may hold anything, so it is neither stored nor logged.
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
