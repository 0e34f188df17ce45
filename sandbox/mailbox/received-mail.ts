/** A mail as the development mailbox stores and returns it. */
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
