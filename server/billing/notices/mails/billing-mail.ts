/** What all mails about payments and plan have in common: the look, the link to the subscription page, the word on tests. */
import type { MailBlock, MailBrand, MailFact } from '../../../platform/mail/mail-content.ts';
import { layOutMail } from '../../../platform/mail/mail-layout.ts';
import type { OutgoingMail } from '../../../platform/mail/mail-store.ts';

/** Of the site that sends: what a mail needs beside its own words. */
export interface MailSetting {
  brand: MailBrand;
  /** Origin of the site, without a slash at the end. */
  siteUrl: string;
  /** Payments of the stand-in or of the provider's test mode: no money moves. */
  isTest: boolean;
}

export interface BillingMailWords {
  kind: string;
  subject: string;
  heading: string;
  paragraphs: readonly string[];
  facts?: readonly MailFact[];
  /** What the button to the subscription page says. */
  button: string;
  footnotes?: readonly string[];
}

/** As on the site's own pages. */
const TEST_PAYMENT = 'Test payment – no real money';
/** Below what the owner should have done alone. */
export const NOT_YOU =
  'If that was not you, choose a new password on the security page: somebody else may be signed in as you.';
const SUBSCRIPTION_PATH = '/account/subscription';

/** The only link leads to a page that asks who one is: the mail itself opens nothing. */
export function billingMail(to: string, words: BillingMailWords, setting: MailSetting): OutgoingMail {
  const { kind, subject, heading, paragraphs, facts = [], button, footnotes = [] } = words;
  const blocks: MailBlock[] = [
    { kind: 'heading', text: heading },
    ...(setting.isTest ? [paragraph(`${TEST_PAYMENT}.`)] : []),
    ...paragraphs.map(paragraph),
    ...(facts.length === 0 ? [] : [{ kind: 'facts' as const, rows: facts }]),
    {
      kind: 'button',
      label: button,
      url: new URL(SUBSCRIPTION_PATH, setting.siteUrl).href,
      alternative: 'If the button does nothing, open this address:',
    },
    ...footnotes.map((text) => ({ kind: 'footnote' as const, text })),
  ];
  const preheader = paragraphs[0] ?? heading;
  return { kind, to, subject, ...layOutMail({ subject, preheader, blocks }, setting.brand) };
}

function paragraph(text: string): MailBlock {
  return { kind: 'paragraph', text };
}
