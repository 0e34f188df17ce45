/** Pages of the stand-ins and the switches of their faults, under /dev: for this machine's own people alone. */
import type { Hono } from 'hono';
import { type Config, isLocalOnly } from './platform/config/config.ts';
import { devProxy } from './platform/http/assets/dev-proxy.ts';
import type { PushSource } from './platform/push/open-push.ts';

/** The development mailbox: mails go there instead of to SMTP_URL. */
export interface MailboxSource {
  smtpUrl: string;
  /** Base address of its pages, without a slash at the end. */
  url: string;
}

export interface DevSources {
  /** Its pages are shown under /dev/mailbox where nobody but this machine's own people come. */
  mailbox?: MailboxSource | null;
  /** Who takes notifications; null: nobody sends any. A stand-in's are shown under /dev/push where the mailbox would be. */
  push?: PushSource | null;
  /** Where the sandbox market is broken on purpose, shown as /dev/market-faults; needs MARKET_FAULTS=1 as well. */
  marketFaultsUrl?: string | null;
  /** The community sandbox's, as /dev/community-faults, under the same condition. */
  communityFaultsUrl?: string | null;
}

/** None where others than this machine's own people come. */
export function devRoutes(config: Config, sources: DevSources): Hono[] {
  if (!isLocalOnly(config)) return [];
  const { mailbox = null, push = null } = sources;
  const hasFaults = config.market.hasFaultControl;
  return [
    ...(mailbox === null ? [] : [mailboxRoutes(mailbox)]),
    // Whoever reads there reads everybody's notifications.
    ...(push?.kind === 'sandbox' ? [pushRoutes(push.url)] : []),
    ...(hasFaults ? faultRoutes('/dev/market-faults', sources.marketFaultsUrl) : []),
    ...(hasFaults ? faultRoutes('/dev/community-faults', sources.communityFaultsUrl) : []),
  ];
}

function mailboxRoutes(mailbox: MailboxSource): Hono {
  const isForeign = (path: string) => path.startsWith('/dev/mailbox/mails/');
  return devProxy({ targetUrl: mailbox.url, path: '/dev/mailbox', isForeign });
}

function pushRoutes(targetUrl: string): Hono {
  return devProxy({ targetUrl, path: '/dev/push', takesJson: true, isForeign: () => false });
}

/** None where the sandbox has no control of its faults, or there is no sandbox. */
function faultRoutes(path: `/dev/${string}`, controlUrl: string | null = null): Hono[] {
  if (controlUrl === null) return [];
  const { origin, pathname } = new URL(controlUrl);
  const isForeign = () => false;
  return [devProxy({ targetUrl: origin, path, targetPath: pathname, takesJson: true, isForeign })];
}
