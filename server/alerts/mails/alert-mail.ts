/** An alert as a mail: the page's message, a link to it, and where to turn such mails off. */
import type { AlertFacts } from '#domain/alerts/alert.ts';
import { describeAlert, placeName } from '#domain/alerts/alert-messages.ts';
import { layOutMail, type MailBlock, type MailBrand } from '../../platform/mail/mail-layout.ts';
import type { OutgoingMail } from '../../platform/mail/mail-queue.ts';

/** The sending site's brand. */
export interface SendingSite {
  brand: MailBrand;
  /** The site's origin, without a trailing slash. */
  siteUrl: string;
}

/** Limit per user and hour; further alerts appear only on the page (R-ALERT-5). */
export const MOST_MAILS_AN_HOUR = 6;
const ALERTS_PATH = '/track-record#alerts';

/** @param place  its number within the hour, from 1 */
export function alertMail(to: string, facts: AlertFacts, place: number, { brand, siteUrl }: SendingSite): OutgoingMail {
  const { title, text, path } = describeAlert(facts);
  const isLast = place >= MOST_MAILS_AN_HOUR;
  const blocks: MailBlock[] = [
    { kind: 'heading', text: title },
    { kind: 'paragraph', text },
    {
      kind: 'button',
      label: placeName(path),
      url: new URL(path, siteUrl).href,
      alternative: 'If the button doesn’t work, open this link:',
    },
    ...(isLast ? [{ kind: 'paragraph' as const, text: LAST }] : []),
    {
      kind: 'footnote',
      text: `You turned on these alerts. Turn them off at ${new URL(ALERTS_PATH, siteUrl).href}`,
    },
  ];
  return { kind: 'alert', to, subject: title, ...layOutMail({ subject: title, preheader: text, blocks }, brand) };
}

const LAST = `This is the last of ${MOST_MAILS_AN_HOUR} alert emails you get within an hour. Further alerts in that hour appear only on the site.`;
