/** Mails as the development mailbox reads, stores and returns them. */
import type PostalMime from 'postal-mime';
import * as z from 'zod/mini';

export const receivedMailSchema = z.object({
  /** Used in the page's addresses. */
  id: z.string(),
  /** The envelope's recipient. A mail to several recipients is stored once for each. */
  to: z.string(),
  from: z.string(),
  subject: z.string(),
  /** Empty when the mail has no such part. */
  text: z.string(),
  html: z.string(),
  /** Web addresses in the text, then those in the HTML; each once. */
  links: z.array(z.string()),
  /** ISO 8601, by the product's clock. */
  receivedAt: z.string(),
});

export type ReceivedMail = z.infer<typeof receivedMailSchema>;

/** `GET /dev/mailbox.json`: newest first. */
export const mailListSchema = z.array(receivedMailSchema);

export type MailContent = Pick<ReceivedMail, 'from' | 'subject' | 'text' | 'html' | 'links'>;

/** In plain text an address ends at white space, or before typical closing punctuation. */
export const TEXT_LINK = /https?:\/\/[^\s<>"']*[^\s<>"'.,;:!?()[\]{}]/g;
const HTML_LINK = /\shref\s*=\s*(?:"([^"]*)"|'([^']*)')/gi;

let parser: Promise<typeof PostalMime> | null = null;

/** @throws Error for an invalid mail */
export async function readMail(raw: Uint8Array): Promise<MailContent> {
  // Loaded with the first mail, since many runs never receive one.
  parser ??= import('postal-mime').then((module) => module.default);
  const email = await (await parser).parse(raw);
  const text = (email.text ?? '').trimEnd();
  const html = (email.html ?? '').trimEnd();
  return {
    from: email.from?.address ?? '',
    subject: email.subject ?? '',
    text,
    html,
    links: [...new Set([...(text.match(TEXT_LINK) ?? []), ...linksInHtml(html)])],
  };
}

function linksInHtml(html: string): string[] {
  return [...html.matchAll(HTML_LINK)]
    .map((match) => unescaped(match[1] ?? match[2] ?? ''))
    .filter((link) => /^https?:\/\//i.test(link));
}

function unescaped(attribute: string): string {
  const named: Readonly<Record<string, string>> = { amp: '&', quot: '"', apos: "'", lt: '<', gt: '>' };
  return attribute.replace(/&(?:#(\d{1,7})|#x([0-9a-f]{1,6})|(amp|quot|apos|lt|gt));/gi, (all, ten, sixteen, name) => {
    if (name !== undefined) return named[String(name).toLowerCase()] ?? all;
    const code = ten === undefined ? Number.parseInt(sixteen, 16) : Number(ten);
    return code <= 0x10ffff ? String.fromCodePoint(code) : all;
  });
}

export interface StoredMails {
  add(mail: ReceivedMail): void;
  /** Newest first. @param to  an address, in any case; null: all addresses */
  list(to: string | null): ReceivedMail[];
  find(id: string): ReceivedMail | null;
  clear(): void;
}

export function storedMails(capacity: number): StoredMails {
  /** Newest first. */
  let mails: ReceivedMail[] = [];
  return {
    add(mail) {
      mails = [mail, ...mails].slice(0, capacity);
    },
    list: (to) => (to === null ? [...mails] : mails.filter((mail) => mail.to.toLowerCase() === to.toLowerCase())),
    find: (id) => mails.find((mail) => mail.id === id) ?? null,
    clear() {
      mails = [];
    },
  };
}
