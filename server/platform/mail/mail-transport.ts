/** The interface between the email worker and the service that delivers emails. */
import type { OutgoingMail } from './mail-store.ts';

export interface MailTransport {
  /**
   * @param id  id of the row, so that the same email sent twice has the same Message-ID
   * @throws MailNotSent
   */
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
