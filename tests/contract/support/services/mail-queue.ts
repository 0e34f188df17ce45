/** The mail queue as a test sees it: a clock that moves, mails put in, and what the table says of them. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Clock } from '#domain/time/clock.ts';
import { type Database, OWNER } from '../../../../server/platform/database/database.ts';
import { type OutgoingMail, queueMail } from '../../../../server/platform/mail/mail-queue.ts';
import { WAIT_MS } from '../../../support/run/wait-limit.ts';

export interface MailRow {
  state: string;
  attempts: number;
  text_body: string | null;
  html_body: string | null;
  last_error: string | null;
  sent_at: string | null;
}

export interface MailWorld {
  clock: Clock;
  advance(ms: number): void;
  nowIso(): string;
  /** Queues a mail in a separate transaction. */
  queue(to: string, changes?: Partial<OutgoingMail> & { isSuppressed?: boolean }): Promise<void>;
  /** The newest row of an address. @throws Error when there is none */
  rowOf(to: string): Promise<MailRow>;
  /** Waits until the newest row of an address is as required. @throws Error when it is not in time */
  until(to: string, isSo: (row: MailRow) => boolean): Promise<MailRow>;
}

export const CODE = '493027';

/** @param isStill  true: time passes only when the test advances it, however slow the machine is */
export function mailWorld(database: Database, { isStill = false } = {}): MailWorld {
  let offsetMs = 0;
  const startMs = Date.now();
  const clock = { nowMs: () => (isStill ? startMs : Date.now()) + offsetMs };
  const nowIso = () => new Date(clock.nowMs()).toISOString();

  async function rowOf(to: string): Promise<MailRow> {
    const [row] = await database.query<MailRow & Record<string, unknown>>(
      OWNER,
      `select state, attempts, text_body, html_body, last_error, sent_at from private.outgoing_mail
        where to_address = $1::text order by created_at desc limit 1`,
      [to],
    );
    if (row === undefined) throw new Error(`no row for ${to}`);
    return row;
  }

  return {
    clock,
    advance(ms) {
      offsetMs += ms;
    },
    nowIso,
    queue: (to, { isSuppressed = false, ...changes } = {}) =>
      database.transaction(OWNER, (tx) =>
        queueMail(tx, { ...aMail(to), ...changes }, { userId: null, nowIso: nowIso(), isSuppressed }),
      ),
    rowOf,
    async until(to, isSo) {
      const endsMs = Date.now() + WAIT_MS;
      for (;;) {
        const row = await rowOf(to);
        if (isSo(row)) return row;
        if (Date.now() > endsMs) throw new Error(`the mail stayed as it is: ${row.state}, attempt ${row.attempts}`);
        await sleep(20);
      }
    },
  };
}

export function aMail(to: string): OutgoingMail {
  return {
    kind: 'confirmation',
    to,
    subject: 'Confirm your address',
    text: `Your code: ${CODE}\nhttps://kat.test/verify?a=1&b=2`,
    html: `<p>${CODE}</p><a href="https://kat.test/verify?a=1&amp;b=2">Confirm</a>`,
  };
}

export const isSent = (row: MailRow) => row.state === 'sent';
export const isFailed = (row: MailRow) => row.state === 'failed';
/** Tried for the first time, and put back. */
export const wasTriedOnce = (row: MailRow) => row.attempts === 1 && row.last_error !== null;
