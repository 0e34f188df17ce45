/** Sandbox pages and fault controls under /dev, only for users of this machine. */
import type { Hono } from 'hono';
import type { Config } from './platform/config/config.ts';
import { isLocalOnly } from './platform/config/unsafe-settings.ts';
import { devProxy } from './platform/http/assets/dev-proxy.ts';
import type { PushSource } from './push/open-push.ts';

/** The development mailbox: receives the mails instead of SMTP_URL. */
export interface MailboxSource {
  smtpUrl: string;
  /** Base address of its pages, without a trailing slash. */
  url: string;
}

/** A simulated chat service. */
export interface ChatSandboxService {
  /** Replaces https://api.telegram.org or https://discord.com; without a trailing slash. */
  url: string;
  /** The only bot token that it accepts. */
  token: string;
}

export interface ChatSandbox {
  /** Base address of its pages under /dev/telegram and /dev/discord, without a trailing slash. */
  pagesUrl: string;
  /** Null: the real service is used or none. */
  telegram: ChatSandboxService | null;
  discord: ChatSandboxService | null;
}

export interface DevSources {
  /** Its pages are shown under /dev/mailbox if only this machine's users can reach the site. */
  mailbox?: MailboxSource | null;
  /** The push service; null: no notifications are sent. A sandbox's are shown under /dev/push on the same condition. */
  push?: PushSource | null;
  /** Base address of the sandbox's webhook receiver, whose page is shown under /dev/webhooks on the same condition. */
  webhookSandboxUrl?: string | null;
  /** Telegram and Discord, simulated. Their pages are shown on the same condition. */
  chat?: ChatSandbox | null;
  /** Fault control of the sandbox market, shown as /dev/market-faults; requires DEVELOPMENT=faults as well. */
  marketFaultsUrl?: string | null;
  /** The community sandbox's, as /dev/community-faults, under the same condition. */
  communityFaultsUrl?: string | null;
  /** The chat sandbox's, as /dev/chat-faults, under the same condition. */
  chatFaultsUrl?: string | null;
}

/** Returns none if users of other machines can reach the site. */
export function devRoutes(config: Config, sources: DevSources): Hono[] {
  if (!isLocalOnly(config)) return [];
  const { mailbox = null, push = null } = sources;
  const hasFaults = config.development.hasFaultControl;
  return [
    ...(mailbox === null ? [] : [mailboxRoutes(mailbox)]),
    // A reader there sees every user's notifications.
    ...(push?.kind === 'sandbox' ? [pushRoutes(push.url)] : []),
    ...(sources.webhookSandboxUrl == null ? [] : [webhookRoutes(sources.webhookSandboxUrl)]),
    ...(sources.chat == null ? [] : chatRoutes(sources.chat)),
    ...(hasFaults ? faultRoutes('/dev/market-faults', sources.marketFaultsUrl) : []),
    ...(hasFaults ? faultRoutes('/dev/community-faults', sources.communityFaultsUrl) : []),
    ...(hasFaults ? faultRoutes('/dev/chat-faults', sources.chatFaultsUrl) : []),
  ];
}

function mailboxRoutes(mailbox: MailboxSource): Hono {
  const isForeign = (path: string) => path.startsWith('/dev/mailbox/mails/');
  return devProxy({ targetUrl: mailbox.url, path: '/dev/mailbox', isForeign });
}

function pushRoutes(targetUrl: string): Hono {
  return devProxy({ targetUrl, path: '/dev/push', takesJson: true, isForeign: () => false });
}

function webhookRoutes(targetUrl: string): Hono {
  return devProxy({ targetUrl, path: '/dev/webhooks', isForeign: () => false });
}

/** A user there writes as any user of the simulated service. */
function chatRoutes({ pagesUrl: targetUrl, telegram, discord }: ChatSandbox): Hono[] {
  const isForeign = () => false;
  return [
    ...(telegram === null ? [] : [devProxy({ targetUrl, path: '/dev/telegram', takesJson: true, isForeign })]),
    ...(discord === null ? [] : [devProxy({ targetUrl, path: '/dev/discord', takesJson: true, isForeign })]),
  ];
}

/** Returns none without a sandbox or without its fault control. */
function faultRoutes(path: `/dev/${string}`, controlUrl: string | null = null): Hono[] {
  if (controlUrl === null) return [];
  const { origin, pathname } = new URL(controlUrl);
  const isForeign = () => false;
  return [devProxy({ targetUrl: origin, path, targetPath: pathname, takesJson: true, isForeign })];
}
