/** The mail queue in the database. */
import type { Queries } from '../database.ts';

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
