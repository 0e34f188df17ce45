/** The email queue in the database. */
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

export interface OutgoingMail {
  /** `confirmation`, `receipt` ... */
  kind: string;
  to: string;
  subject: string;
  text: string;
  html: string;
}

/** Notified on every new email, so that it is sent immediately. */
export const MAIL_CHANNEL = 'kat_mail';

/**
 * Queues an email in the caller's transaction: it is sent after a commit, and never after a rollback.
 *
 * @param options.userId  the owner, by which the email is found when the account is erased, even after an address
 * change
 * @param options.isSuppressed  stored without its text, and never sent
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

export interface ClaimedMail extends OutgoingMail, ClaimedRow {}

export interface MailQueue extends QueueRows<ClaimedMail> {
  /**
   * Claims emails that are due, longest overdue first. No other process gets them until `leaseEndsMs`; if this process
   * dies, another one retries after that.
   */
  claim(count: number, nowMs: number, leaseEndsMs: number): Promise<ClaimedMail[]>;
  /** Marks it as sent and erases its bodies. */
  markSent(mail: ClaimedMail, nowMs: number): Promise<void>;
}

export function mailQueue(database: Database): MailQueue {
  const queries = asOwner(database);
  return {
    ...queueRows(queries, TABLE),
    async claim(count, nowMs, leaseEndsMs) {
      const rows = await queries.query<{
        id: string;
        kind: string;
        to_address: string;
        subject: string;
        text_body: string | null;
        html_body: string | null;
        attempts: number;
      }>(
        `${dueRows(TABLE)}
         update private.outgoing_mail m set attempts = m.attempts + 1, next_try_at = $3::text::timestamptz
           from due where m.id = due.id
         returning m.id, m.kind, m.to_address, m.subject, m.text_body, m.html_body, m.attempts`,
        [isoOf(nowMs), count, isoOf(leaseEndsMs)],
      );
      return rows.map((row) => ({
        id: row.id,
        kind: row.kind,
        to: row.to_address,
        subject: row.subject,
        text: row.text_body ?? '',
        html: row.html_body ?? '',
        attempts: row.attempts,
      }));
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
