/** Settings of a server whose market and payment provider are separate processes, paid with play money. */
import { sandboxAddresses } from '../../../../sandbox/market/sandbox-market.ts';
import { liveAt } from '../../../../tests/support/servers/live-settings.ts';

export const SITE_PRICES = { bobcat: 'price_faults_bobcat', lion: 'price_faults_lion' };

interface SiteSettings {
  marketPort: number;
  paymentsPort: number;
  keys: { secretKey: string; webhookSecret: string };
  /** A folder with an index.html. */
  siteDir: string;
  /** As users reach it. */
  url: string;
}

/** Users come from separate addresses, which a proxy names. */
export function siteSettings(of: SiteSettings): Record<string, string> {
  return {
    ...liveAt({ addresses: sandboxAddresses(of.marketPort) }, { stripeUrl: `http://127.0.0.1:${of.paymentsPort}` }),
    TRUSTED_PROXIES: '1',
    PAYMENTS: 'auto',
    ALLOW_SANDBOX_IN_PRODUCTION: '1',
    STRIPE_SECRET_KEY: of.keys.secretKey,
    STRIPE_WEBHOOK_SECRET: of.keys.webhookSecret,
    STRIPE_PRICES: `bobcat=${SITE_PRICES.bobcat},lion=${SITE_PRICES.lion}`,
    DEVELOPMENT: 'community=sandbox',
    LOG_LEVEL: 'info',
    SITE_DIR: of.siteDir,
    DRAIN_MS: '1000',
    PUBLIC_URL: of.url,
  };
}
