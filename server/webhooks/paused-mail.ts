/** Notifies an endpoint's owner that nothing is sent to it until they resume it. */
import { layOutMail, type MailBlock, type MailBrand } from '../platform/mail/mail-layout.ts';
import type { OutgoingMail } from '../platform/mail/mail-queue.ts';

export interface PausedMailSetting {
  brand: MailBrand;
  /** The site's origin, without a trailing slash. */
  siteUrl(): string;
}

const WEBHOOKS_PATH = '/account/security#webhooks';

export function pausedMail(
  to: string,
  { url, reason, waiting }: { url: string; reason: 'failing' | 'closed'; waiting: number },
  { brand, siteUrl }: PausedMailSetting,
): OutgoingMail {
  const { hostname } = new URL(url);
  const subject = `Your webhook to ${hostname} is paused`;
  const why =
    reason === 'closed'
      ? `${hostname} answered that your webhook’s address no longer exists (410), so we paused it.`
      : `${hostname} hasn’t accepted a request of your webhook for 24 hours, so we paused it.`;
  const waits = `${waiting === 1 ? 'One event is' : `${waiting} events are`} waiting. We store events for seven days and send them in order once you resume.`;
  const blocks: MailBlock[] = [
    { kind: 'heading', text: subject },
    { kind: 'paragraph', text: `${why} ${waits}` },
    {
      kind: 'button',
      label: 'Check and resume',
      url: new URL(WEBHOOKS_PATH, siteUrl()).href,
      alternative: 'If the button doesn’t work, open this link:',
    },
    { kind: 'footnote', text: 'You set up this webhook. If you no longer need it, delete it there.' },
  ];
  return { kind: 'webhook_paused', to, subject, ...layOutMail({ subject, preheader: why, blocks }, brand) };
}
