/** Who takes the payments: chosen by whoever composes the server, like the market's source. */
export interface PaymentsSource {
  /** `sandbox`: our stand-in; `test` and `live`: the provider's two modes, told by its key. */
  mode: 'sandbox' | 'test' | 'live';
  secretKey: string;
  /** More than one while they are being changed: a signature by any of them is right. */
  webhookSecrets: readonly string[];
  /** Where the provider's API is; null: at its own address. */
  api: { protocol: 'http' | 'https'; host: string; port: number } | null;
  /** Base address of the stand-in's hosted pages on loopback, shown to browsers under PAYMENT_PAGES_PATH; null: they are the provider's own. */
  pagesUrl: string | null;
}

/** Where the stand-in's hosted pages stand on our own origin. */
export const PAYMENT_PAGES_PATH = '/test-payments';
/** Where the provider posts its events. */
export const WEBHOOK_PATH = '/billing/webhook';
