/** The newest mails, in memory. */
import type { ReceivedMail } from './received-mail.ts';

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
