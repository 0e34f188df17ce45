/** The mail queue in the database. */
import { asOwner, type Database, type Queries } from '../database.ts';

export interface OutgoingMail {
  /** `confirmation`, `receipt` ... */
  kind: string;
  to: string;
  subject: string;
  text: string;
  html: string;
}

/** Told on every new mail, so that it leaves at once. */
export const MAIL_CHANNEL = 'kat_mail';

/**
 * Queues a mail within the caller's transaction: it leaves when that is committed, and never when it is rolled back.
 *
 * @param options.isSuppressed  written like any other, without its text, and never sent
 */
export async function queueMail(
  queries: Queries,
  mail: OutgoingMail,
  options: { nowIso: string; isSuppressed?: boolean },
): Promise<void> {
  const isSuppressed = options.isSuppressed ?? false;
  await queries.query(
    `with queued as (
       insert into private.outgoing_mail (kind, to_address, subject, text_body, html_body, state, next_try_at, created_at)
       values ($1::text, $2::text, $3::text, $4::text, $5::text, $6::text, $7::text::timestamptz, $7::text::timestamptz)
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
    ],
  );
}

export interface ClaimedMail extends OutgoingMail {
  id: string;
  /** This one included. */
  attempts: number;
}

export interface MailQueue {
  /**
   * Takes mails that are due, the longest due first. Until `leaseEndsMs` nobody else gets them; should this process die,
   * somebody does after that.
   */
  claim(count: number, nowMs: number, leaseEndsMs: number): Promise<ClaimedMail[]>;
  /** Empties its bodies. */
  markSent(mail: ClaimedMail, nowMs: number): Promise<void>;
  /** For another try, unless somebody else has taken it meanwhile. */
  putBack(mail: ClaimedMail, nextTryMs: number, reason: string): Promise<void>;
  /** Empties its bodies. */
  giveUp(mail: ClaimedMail, reason: string): Promise<void>;
  /** When the next mail is due, or its lease over; null while none waits. */
  nextDueMs(): Promise<number | null>;
  /** Removes what is done with and was written before a time. @returns how many */
  removeOld(beforeMs: number): Promise<number>;
}

/** At a time, so that no statement takes long. */
const REMOVED_AT_ONCE = 1000;

export function mailQueue(database: Database): MailQueue {
  const queries = asOwner(database);
  const iso = (timeMs: number) => new Date(timeMs).toISOString();
  return {
    async claim(count, nowMs, leaseEndsMs) {
      // Materialised: a plan that runs the limited part more than once would take more than `count`.
      const rows = await queries.query<{
        id: string;
        kind: string;
        to_address: string;
        subject: string;
        text_body: string | null;
        html_body: string | null;
        attempts: number;
      }>(
        `with due as materialized (
           select id from private.outgoing_mail
            where state = 'waiting' and next_try_at <= $1::text::timestamptz
            order by next_try_at limit $2::int for update skip locked)
         update private.outgoing_mail m set attempts = m.attempts + 1, next_try_at = $3::text::timestamptz
           from due where m.id = due.id
         returning m.id, m.kind, m.to_address, m.subject, m.text_body, m.html_body, m.attempts`,
        [iso(nowMs), count, iso(leaseEndsMs)],
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
            set state = 'sent', sent_at = $2::text::timestamptz, text_body = null, html_body = null, last_error = null
          where id = $1::text::uuid and state = 'waiting'`,
        [mail.id, iso(nowMs)],
      );
    },
    async putBack(mail, nextTryMs, reason) {
      await queries.query(
        `update private.outgoing_mail set next_try_at = $3::text::timestamptz, last_error = $4::text
          where id = $1::text::uuid and state = 'waiting' and attempts = $2::int`,
        [mail.id, mail.attempts, iso(nextTryMs), reason],
      );
    },
    async giveUp(mail, reason) {
      await queries.query(
        `update private.outgoing_mail set state = 'failed', text_body = null, html_body = null, last_error = $3::text
          where id = $1::text::uuid and state = 'waiting' and attempts = $2::int`,
        [mail.id, mail.attempts, reason],
      );
    },
    async nextDueMs() {
      const [row] = await queries.query<{ due: number | null }>(
        `select extract(epoch from min(next_try_at))::double precision * 1000 as due
           from private.outgoing_mail where state = 'waiting'`,
      );
      return row?.due ?? null;
    },
    async removeOld(beforeMs) {
      let removed = 0;
      for (;;) {
        const rows = await queries.query(
          `delete from private.outgoing_mail where id in (
             select id from private.outgoing_mail
              where state <> 'waiting' and created_at < $1::text::timestamptz
              order by created_at limit $2::int for update skip locked)
           returning id`,
          [iso(beforeMs), REMOVED_AT_ONCE],
        );
        removed += rows.length;
        if (rows.length < REMOVED_AT_ONCE) return removed;
      }
    },
  };
}
