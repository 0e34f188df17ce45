/** The only module that uses the SMTP library, which the first email loads. */
import type { Transporter } from 'nodemailer';
import * as z from 'zod/mini';
import { MailNotSent, type MailTransport, type OutgoingMail } from './mail-queue.ts';

export interface SmtpSettings {
  /** `smtp://` or `smtps://`, with user and password where needed. */
  smtpUrl: string;
  /** `Name <address>` or an address. */
  from: string;
  maxConnections: number;
}

const CONNECTION_TIMEOUT_MS = 10_000;
/** Inactivity within a session. */
const SOCKET_TIMEOUT_MS = 20_000;
const IDLE_TIMEOUT_MS = 30_000;

/** A single address: no list, name or comment, and no characters that would end a header line. */
const ADDRESS = /^[^\s@<>()[\]\\,;:"\p{C}]{1,64}@[^\s@<>()[\]\\,;:"\p{C}]{1,255}$/u;
const LINE_END = /[\p{Cc}\u2028\u2029]/u;

/** @throws Error if SMTP_URL is not an address, or if MAIL_FROM would end its header line */
export function smtpTransport(settings: SmtpSettings): MailTransport {
  if (!URL.canParse(settings.smtpUrl)) throw new Error('SMTP_URL must be a URL such as smtp://user:password@host:587.');
  if (LINE_END.test(settings.from)) throw new Error('MAIL_FROM must be one line.');
  const domain = /@([\w.-]+)>?\s*$/.exec(settings.from)?.[1] ?? 'localhost';
  let opening: Promise<Transporter> | null = null;

  async function open(): Promise<Transporter> {
    const { createTransport } = await import('nodemailer');
    return createTransport({
      url: settings.smtpUrl,
      pool: true,
      maxConnections: settings.maxConnections,
      // The worker does the retries and counts them.
      maxRequeues: 1,
      connectionTimeout: CONNECTION_TIMEOUT_MS,
      greetingTimeout: CONNECTION_TIMEOUT_MS,
      dnsTimeout: CONNECTION_TIMEOUT_MS,
      socketTimeout: SOCKET_TIMEOUT_MS,
      idleTimeout: IDLE_TIMEOUT_MS,
      disableFileAccess: true,
      disableUrlAccess: true,
    });
  }

  return {
    async send(mail, { id, signal }) {
      requireSafeHeaders(mail);
      opening ??= open();
      const transporter = await opening;
      try {
        await transporter.sendMail({
          from: settings.from,
          to: { name: '', address: mail.to },
          subject: mail.subject,
          text: mail.text,
          html: mail.html,
          messageId: `<${id}@${domain}>`,
          // Marks the email as automatic, so that it gets no out-of-office replies.
          headers: { 'auto-submitted': 'auto-generated' },
          signal,
        });
      } catch (error) {
        throw notSent(error);
      }
    },
    close() {
      opening?.then(
        (transporter) => transporter.close(),
        () => undefined,
      );
    },
  };
}

/** @throws MailNotSent */
function requireSafeHeaders(mail: OutgoingMail): void {
  if (!ADDRESS.test(mail.to)) throw new MailNotSent('unsafe address', { isPermanent: true });
  if (LINE_END.test(mail.subject)) throw new MailNotSent('unsafe subject', { isPermanent: true });
}

const smtpErrorSchema = z.object({
  code: z.optional(z.string()),
  responseCode: z.optional(z.number()),
  permanent: z.optional(z.boolean()),
});

/** Only a fault of this email is permanent; any other, even a failed login, is retried. */
function notSent(error: unknown): MailNotSent {
  const { code, responseCode, permanent } = smtpErrorSchema.safeParse(error).data ?? {};
  const isAboutThisMail = code === 'EENVELOPE' || code === 'EMESSAGE';
  const reason = [responseCode, code].filter((part) => part !== undefined).join(' ');
  // If there was no reply, the library itself found the envelope invalid.
  return new MailNotSent(reason || 'unknown', { isPermanent: isAboutThisMail && permanent !== false });
}
