import { asOwner, type Database, type Queries } from '../database/database.ts';
import {
  type ClaimedRow,
  dueRows,
  emptied,
  isoOf,
  type QueueRows,
  type QueueTable,
  queueRows,
} from '../queues/queue-rows-store.ts';
import { type QueueWorker, type QueueWorkerDeps, startQueueWorker } from '../queues/queue-worker.ts';

export interface OutgoingMail {
  /** `confirmation`, `receipt` ... */
  kind: string;
  to: string;
  subject: string;
  text: string;
  html: string;
}

/** Notified on every new email, so that it is sent immediately. */
const MAIL_CHANNEL = 'kat_mail';

/**
 * Queues an email in the caller's transaction: it is sent after a commit, and never after a rollback.
 * @param options.userId the owner, by which the email is found when the account is erased, even after an address change
 * @param options.isSuppressed stored without its text, and never sent
 */
export async function queueMail(
  queries: Queries,
  mail: OutgoingMail,
  options: { userId: string | null; nowIso: string; isSuppressed?: boolean },
): Promise<void> {
  const isSuppressed = options.isSuppressed ?? false;
  await queries.query(
    `with queued as (
       insert into private.outgoing_mail (kind, to_address, subject, text_body, html_body, state, next_try_at, created_at, user_id)
       values ($1::text, $2::text, $3::text, $4::text, $5::text, $6::text, $7::text::timestamptz, $7::text::timestamptz, $9::text::uuid)
       returning id)
     select pg_notify($8::text, '') from queued`,
    [
      mail.kind,
      mail.to,
      mail.subject,
      isSuppressed ? null : mail.text,
      isSuppressed ? null : mail.html,
      isSuppressed ? 'suppressed' : 'waiting',
      options.nowIso,
      MAIL_CHANNEL,
      options.userId,
    ],
  );
}

const TABLE: QueueTable = { table: 'private.outgoing_mail', contents: ['text_body', 'html_body'] };

interface ClaimedMail extends OutgoingMail, ClaimedRow {}

export interface MailQueue extends QueueRows<ClaimedMail> {
  /** Longest overdue first. No other process gets them until `leaseEndsMs`, even if this process dies. */
  claim(count: number, nowMs: number, leaseEndsMs: number): Promise<ClaimedMail[]>;
  markSent(mail: ClaimedMail, nowMs: number): Promise<void>;
}

export function mailQueue(database: Database): MailQueue {
  const queries = asOwner(database);
  return {
    ...queueRows(queries, TABLE),
    claim(count, nowMs, leaseEndsMs) {
      return queries.query<ClaimedMail & Record<string, unknown>>(
        `${dueRows(TABLE)}
         update private.outgoing_mail m set attempts = m.attempts + 1, next_try_at = $3::text::timestamptz
           from due where m.id = due.id
         returning m.id, m.kind, m.to_address as "to", m.subject, coalesce(m.text_body, '') as text,
           coalesce(m.html_body, '') as html, m.attempts`,
        [isoOf(nowMs), count, isoOf(leaseEndsMs)],
      );
    },
    async markSent(mail, nowMs) {
      await queries.query(
        `update private.outgoing_mail
            set state = 'sent', sent_at = $2::text::timestamptz, ${emptied(TABLE)}, last_error = null
          where id = $1::text::uuid and state = 'waiting'`,
        [mail.id, isoOf(nowMs)],
      );
    },
  };
}

export interface MailWorkerDeps extends QueueWorkerDeps {
  transport: MailTransport;
}

/** Waits between tries; after the last one the email has failed. */
export const RETRY_WAITS_MS = [5000, 30_000, 120_000, 600_000, 3_600_000] as const;
/** Sends in progress at the same time, per process. */
export const MAX_UNDER_WAY = 4;
const SEND_LIMIT_MS = 60_000;
/** Longer than a try plus recording its result; until it ends, no other process sends this email. */
export const LEASE_MS = 2 * SEND_LIMIT_MS;
/** Rows of sent and failed emails are retained this long, for users' questions about a missing email. */
export const RETENTION_MS = 7 * 24 * 3_600_000;

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
        log.warn({ ...about, err: cause }, 'an email could not be put back in the queue');
      });
      return true;
    }
    log.info(about, 'email sent');
    // Tried twice, so that a database that has just restarted does not cause a second send.
    await markSent(mail)
      .catch(() => markSent(mail))
      .catch((error: unknown) => log.error({ ...about, err: error }, 'a sent email could not be marked as sent'));
    return false;
  }

  const markSent = (mail: ClaimedMail) => queue.markSent(mail, clock.nowMs());

  async function afterFailure(mail: ClaimedMail, error: unknown, stopping: AbortSignal): Promise<void> {
    const about = { mail: mail.id, kind: mail.kind, attempt: mail.attempts };
    // Any other error is a bug. Its text may hold anything, so it is neither stored nor logged.
    const { message: reason, isPermanent } = error instanceof MailNotSent ? error : UNKNOWN_FAULT;
    const waitMs = RETRY_WAITS_MS[mail.attempts - 1];
    if (isPermanent || waitMs === undefined) {
      log.error({ ...about, reason }, 'email failed permanently');
      await queue.giveUp(mail, reason);
    } else {
      log.warn({ ...about, reason, nextTryInS: waitMs / 1000 }, 'email not sent yet, retrying later');
      await queue.putBack(mail, clock.nowMs() + (stopping.aborted ? 0 : waitMs), reason);
    }
  }

  const worker = await startQueueWorker(
    {
      name: 'mail',
      channel: MAIL_CHANNEL,
      queue,
      handle: send,
      maxUnderWay: MAX_UNDER_WAY,
      leaseMs: LEASE_MS,
      retentionMs: RETENTION_MS,
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

export interface MailTransport {
  /** @param id id of the row, so that the same email sent twice has the same Message-ID. @throws MailNotSent */
  send(mail: OutgoingMail, options: { id: string; signal: AbortSignal }): Promise<void>;
  close(): void;
}

export class MailNotSent extends Error {
  override readonly name = 'MailNotSent';
  /** True if the same email would be refused again. */
  readonly isPermanent: boolean;

  /** @param reason  codes only, without addresses or the server's text, because it is stored and logged */
  constructor(reason: string, options: { isPermanent: boolean }) {
    super(reason);
    this.isPermanent = options.isPermanent;
  }
}
