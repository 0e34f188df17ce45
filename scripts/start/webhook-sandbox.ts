/** The receiver of webhooks on this machine, for trying them without an address on the internet. */
import type { Config } from '../../server/platform/config/config.ts';
import { isLocalOnly } from '../../server/platform/config/unsafe-settings.ts';

export interface OpenedReceiver {
  /** Null: there is none, and webhooks go to public addresses only. */
  url: string | null;
  close(): Promise<void>;
}

/** Only where no one else can reach the site, because its page shows everyone's events; never beside a live market. */
export async function openWebhookSandbox(config: Config, usesLiveMarket: boolean): Promise<OpenedReceiver> {
  if (usesLiveMarket || !isLocalOnly(config)) return { url: null, close: async () => undefined };
  const { startSandboxReceiver } = await import('../../sandbox/webhooks/sandbox-receiver.ts');
  return startSandboxReceiver();
}
