/** An alert by mail: the words that the page says, a way to look at it, and where such mails are turned off. */
import type { AlertFacts } from '#domain/alerts/alert.ts';
import { alertWords } from '#domain/alerts/alert-words.ts';
import type { MailBlock, MailBrand } from '../../platform/mail/mail-content.ts';
import { layOutMail } from '../../platform/mail/mail-layout.ts';
import type { OutgoingMail } from '../../platform/mail/mail-store.ts';

/** Of the site that sends. */
export interface MailSetting {
  brand: MailBrand;
  /** Origin of the site, without a slash at the end. */
  siteUrl: string;
}

/** Of one user and hour; what comes beyond it is told in the page alone. */
export const MOST_MAILS_AN_HOUR = 6;
const ALERTS_PATH = '/track-record#alerts';

/** @param place  which one of the hour's it is, from 1 */
export function alertMail(to: string, facts: AlertFacts, place: number, { brand, siteUrl }: MailSetting): OutgoingMail {
  const { title, text, path } = alertWords(facts);
  const isLast = place >= MOST_MAILS_AN_HOUR;
  const blocks: MailBlock[] = [
    { kind: 'heading', text: title },
    { kind: 'paragraph', text },
    {
      kind: 'button',
      label: path.startsWith('/account') ? 'Your Predictions' : 'Track Record',
      url: new URL(path, siteUrl).href,
      alternative: 'If the button does nothing, open this address:',
    },
    ...(isLast ? [{ kind: 'paragraph' as const, text: LAST }] : []),
    {
      kind: 'footnote',
      text: `You asked to be told. Alerts are turned off under ${new URL(ALERTS_PATH, siteUrl).href}`,
    },
  ];
  return { kind: 'alert', to, subject: title, ...layOutMail({ subject: title, preheader: text, blocks }, brand) };
}

const LAST = `This is the last of ${MOST_MAILS_AN_HOUR} alerts by mail within one hour. What else comes within it is told in the page alone.`;
