/** The mails that the auth service has queued, as their reader would see them. */
import * as z from 'zod/mini';
import { OWNER } from '../../../../server/platform/database/database.ts';
import type { BackendTestServer } from '../backend.ts';

export interface QueuedMail {
  kind: string;
  to: string;
  state: string;
  /** Six digits. */
  code: string;
  /** Empty where there is none. */
  link: string;
}

const mailRow = z.object({
  kind: z.string(),
  to: z.string(),
  state: z.string(),
  text: z.nullable(z.string()),
});

/** @param server the backend of the running test */
export function mailCalls(server: () => BackendTestServer) {
  /** Newest first. */
  async function mailsTo(address: string): Promise<QueuedMail[]> {
    const rows = await server().database.query(
      OWNER,
      `select kind, to_address as "to", state, text_body as text from private.outgoing_mail
       where to_address = $1 order by created_at desc, ctid desc`,
      [address],
    );
    return rows.map((row) => toMail(mailRow.parse(row)));
  }

  /** @throws Error when there is none that was sent */
  async function mailTo(address: string, kind?: string): Promise<QueuedMail> {
    const sent = (await mailsTo(address)).filter((mail) => mail.state !== 'suppressed');
    const mail = sent.find((one) => kind === undefined || one.kind === kind);
    if (mail === undefined) throw new Error(`no ${kind ?? ''} mail to ${address}`);
    return mail;
  }

  /** Follows a mail's link as a browser would, one step. */
  async function follow(link: string, init: RequestInit = {}): Promise<{ status: number; target: URL }> {
    const answer = await fetch(link, { redirect: 'manual', ...init });
    return { status: answer.status, target: new URL(answer.headers.get('location') ?? 'about:blank') };
  }

  return { mailsTo, mailTo, follow };
}

function toMail({ text, ...mail }: z.infer<typeof mailRow>): QueuedMail {
  const link = /https?:\/\/\S+\/auth\/v1\/verify\?[^\s<>"]+/.exec(text ?? '')?.[0] ?? '';
  const code = /(?<![\w=-])\d{6}(?![\w-])/.exec((text ?? '').replace(link, ''))?.[0] ?? '';
  return { ...mail, code, link };
}

/** A wrong code, whatever the right one is. */
export function otherCode(code: string): string {
  return String((Number(code) + 1) % 1_000_000).padStart(6, '0');
}
