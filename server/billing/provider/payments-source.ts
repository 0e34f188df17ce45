/** What payments are made with, and where this server meets the provider. */
export interface PaymentsSource {
  /** `sandbox`: our simulated provider; `test` and `live`: the provider's two modes, detected from its key. */
  mode: 'sandbox' | 'test' | 'live';
  secretKey: string;
  /** More than one during a rotation: a signature by any of them is valid. */
  webhookSecrets: readonly string[];
  /** Address of the provider's API; null: its public address. */
  api: { protocol: 'http' | 'https'; host: string; port: number } | null;
  /** On loopback, shown to browsers under PAYMENT_PAGES_PATH; null: the provider hosts its own. */
  pagesUrl: string | null;
}

/** Path of the sandbox's hosted pages on our own origin. */
export const PAYMENT_PAGES_PATH = '/test-payments';
/** Path where the provider posts its events. */
export const WEBHOOK_PATH = '/billing/webhook';
