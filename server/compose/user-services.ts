/** Opens the services for individual users: push notifications, alerts, webhooks, chats, paid plans. */
import { type Alerts, openAlerts } from '../alerts/open-alerts.ts';
import { BRAND } from '../backend/auth/mail/account-mails.ts';
import { clientAddressBehind } from '../backend/client-address.ts';
import { type Billing, openBilling } from '../billing/billing.ts';
import { openNotices } from '../billing/notices/notices.ts';
import { type Chat, openChat } from '../chat/open-chat.ts';
import type { ChatSource, ChatSources } from '../chat/services/chat-service.ts';
import { queueAlerts } from '../chat/stores/message-store.ts';
import type { Core } from '../core.ts';
import type { ChatSandboxService } from '../dev-routes.ts';
import type { Chances } from '../forecast/chances/chances.ts';
import { readReleaseTable } from '../forecast/releases/release-table-file.ts';
import type { Market } from '../market/market.ts';
import type { OwnAddress } from '../own-address.ts';
import { openPush, type Push } from '../push/open-push.ts';
import type { Share } from '../record/share/open-share.ts';
import type { ServerOptions, Undo } from '../server-options.ts';
import { openWebhooks, type Webhooks } from '../webhooks/open-webhooks.ts';

export interface UserParts {
  push: Push;
  alerts: Alerts;
  webhooks: Webhooks;
  chat: Chat;
  billing: Billing;
}

export interface UserPartsDeps {
  core: Core;
  market: Market;
  own: OwnAddress;
  chances: Chances;
  share: Pick<Share, 'pictureOfPrediction'>;
  /** False: there is no mail transport, and no mails are written. */
  sendsMails: boolean;
}

export async function openUserParts(
  options: ServerOptions,
  { core, market, own, chances, share, sendsMails }: UserPartsDeps,
  undo: Undo,
): Promise<UserParts> {
  const { config } = options;
  const { siteUrl } = own;
  const push = await openPush({
    ...core,
    source: options.push ?? null,
    settings: config.push,
    dataDir: config.dataDir,
    addressOf: clientAddressBehind(config.trustedProxies),
  });
  undo.push(() => push.close());
  const alerts = openAlerts({
    ...core,
    brand: BRAND,
    sendsMails,
    siteUrl,
    marketClock: options.market.clock ?? core.clock,
    past: market.past,
    chances,
    releases: { calendar: market.releases, table: readReleaseTable() },
    queueChats: queueAlerts,
    symbols: market.symbols,
    kindOf: (symbol) => options.market.kindOf(symbol),
  });
  undo.push(() => alerts.close());
  const webhooks = await openWebhooks({
    ...core,
    brand: BRAND,
    sendsMails,
    siteUrl,
    sandboxUrl: options.webhookSandboxUrl ?? null,
  });
  undo.push(() => webhooks.close());
  const chat = await openChat({
    ...core,
    sendsMails,
    siteUrl,
    sources: chatSources(options),
    pictureOf: (predictionId) => share.pictureOfPrediction(predictionId, { shape: 'wide', theme: 'dark' }),
  });
  undo.push(() => chat.close());
  const billing = await openBilling({
    ...core,
    source: options.payments ?? null,
    priceIds: config.payments.priceIds,
    isOwnAddress: own.isOwnUrl,
    notices: ({ mode, stripe }) => openNotices({ ...core, mode, stripe, brand: BRAND, sendsMails, siteUrl }),
  });
  undo.push(() => billing.close());
  return { push, alerts, webhooks, chat, billing };
}

/** A real bot wins over a simulated one. */
function chatSources({ config, chat: sandbox }: ServerOptions): ChatSources {
  const sourceOf = (token: string | null, simulated: ChatSandboxService | null): ChatSource | null => {
    if (token !== null) return { kind: 'live', token };
    return simulated === null ? null : { kind: 'sandbox', ...simulated };
  };
  return {
    telegram: sourceOf(config.chat.telegramToken, sandbox?.telegram ?? null),
    discord: sourceOf(config.chat.discordToken, sandbox?.discord ?? null),
  };
}
