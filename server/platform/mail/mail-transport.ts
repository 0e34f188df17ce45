/** What the worker asks of whoever carries mails away. */
import type { OutgoingMail } from './mail-store.ts';

export interface MailTransport {
  /**
   * @param id  of the row: the same mail sent twice carries the same Message-ID
   * @throws MailNotSent
   */
  send(mail: OutgoingMail, options: { id: string; signal: AbortSignal }): Promise<void>;
  close(): void;
}

export class MailNotSent extends Error {
  override readonly name = 'MailNotSent';
  /** True: the same mail would be refused again. */
  readonly isPermanent: boolean;

  /** @param reason  codes alone, no address and no text of the server's: it is stored and logged */
  constructor(reason: string, options: { isPermanent: boolean }) {
    super(reason);
    this.isPermanent = options.isPermanent;
  }
}
