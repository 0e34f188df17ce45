import { isKnownZone, zonedDay, zonedMinute, zonedShortDay } from '#domain/format/zoned-time.ts';
import { layOutMail, type MailBlock, type MailBrand, type MailFact } from '../../../platform/mail/mail-layout.ts';
import type { OutgoingMail } from '../../../platform/mail/mail-queue.ts';

/** What a mail needs from the sending site, besides its own text. */
export interface BillingSite {
  brand: MailBrand;
  /** Origin of the site, without a slash at the end. */
  siteUrl: string;
  /** Payments go to the sandbox or the provider's test mode: no money moves. */
  isTest: boolean;
}

export interface BillingMailCopy {
  kind: string;
  subject: string;
  heading: string;
  paragraphs: readonly string[];
  facts?: readonly MailFact[];
  /** The label of the button to the subscription page. */
  button: string;
  footnotes?: readonly string[];
}

/** The same text as on the site's own pages. */
const TEST_PAYMENT = 'Test payment – no real money';
/** A footnote for changes that only the owner should have made. */
export const NOT_YOU =
  'If this wasn’t you, choose a new password on the security page: someone else may be signed in as you.';
const SUBSCRIPTION_PATH = '/account/subscription';

/** The only link leads to a page that requires sign-in, so the mail grants no access. */
export function billingMail(to: string, copy: BillingMailCopy, setting: BillingSite): OutgoingMail {
  const { kind, subject, heading, paragraphs, facts = [], button, footnotes = [] } = copy;
  const blocks: MailBlock[] = [
    { kind: 'heading', text: heading },
    ...(setting.isTest ? [paragraph(`${TEST_PAYMENT}.`)] : []),
    ...paragraphs.map(paragraph),
    ...(facts.length === 0 ? [] : [{ kind: 'facts' as const, rows: facts }]),
    {
      kind: 'button',
      label: button,
      url: new URL(SUBSCRIPTION_PATH, setting.siteUrl).href,
      alternative: 'If the button doesn’t work, open this link:',
    },
    ...footnotes.map((text) => ({ kind: 'footnote' as const, text })),
  ];
  const preheader = paragraphs[0] ?? heading;
  return { kind, to, subject, ...layOutMail({ subject, preheader, blocks }, setting.brand) };
}

function paragraph(text: string): MailBlock {
  return { kind: 'paragraph', text };
}

/** Uses the owner's time zone, or UTC if it is unknown. Takes epoch seconds. */
export interface Dates {
  /** '22 Dec 2026' */
  day(timeS: number): string;
  /** '22 Dec 2026, 08:08 UTC' */
  minute(timeS: number): string;
  /** '22 Nov to 22 Dec 2026' */
  period(startS: number, endS: number): string;
}

/** @param timezone  the profile's: any text, or null */
export function datesIn(timezone: string | null): Dates {
  const zone = timezone !== null && isKnownZone(timezone) ? timezone : 'UTC';
  const day = (timeS: number) => zonedDay(timeS * 1000, zone);
  return {
    day,
    minute: (timeS) => zonedMinute(timeS * 1000, zone),
    period(startS, endS) {
      const isOneYear = day(startS).slice(-4) === day(endS).slice(-4);
      return `${isOneYear ? zonedShortDay(startS * 1000, zone) : day(startS)} to ${day(endS)}`;
    },
  };
}
