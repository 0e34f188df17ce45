import { SettingsRefused } from '../../platform/config/config.ts';
import { type Database, SERVICE } from '../../platform/database/database.ts';
import type { ScriptFromElsewhere } from '../../platform/http/guards/security-headers.ts';

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

/**
 * @returns the previous mode
 * @throws SettingsRefused if that was live and has paying subscriptions, which would all lose their plans
 */
export async function setPaymentMode(database: Database, mode: PaymentsSource['mode']): Promise<string> {
  const rows = await database.query<{ before: string; is_refused: boolean }>(
    SERVICE,
    `with before as (
       select m.mode, m.mode = 'live' and $1::text <> 'live' and exists (
         select 1 from public.stripe_customers c
           join public.stripe_subscriptions s on s.customer_id = c.customer_id
          where c.mode = 'live' and s.status in ('active', 'trialing', 'past_due', 'unpaid', 'paused')) as is_refused
         from private.payment_mode m),
     written as (
       update private.payment_mode m set mode = $1::text from before b where not b.is_refused)
     select mode as before, is_refused from before`,
    [mode],
  );
  const [row] = rows;
  if (row?.is_refused === true)
    throw new SettingsRefused(
      `This database keeps real subscriptions: a server that takes payments in mode ${mode} would hide them. Start it with the live keys or PAYMENTS=off, or give it another database.`,
    );
  return row?.before ?? mode;
}

/** Matches the API release of the pinned SDK. The provider requires loading it from there, never a copy. */
const PROVIDER_SCRIPT = 'https://js.stripe.com/endive/stripe.js';
/** In web/public/: the sandbox needs no network. */
const OWN_SCRIPT = '/payment-script.js';

type Mode = PaymentsSource['mode'] | 'none';

/** @returns null if nothing can be bought */
export function paymentScript(mode: Mode): string | null {
  if (mode === 'none') return null;
  return mode === 'sandbox' ? OWN_SCRIPT : PROVIDER_SCRIPT;
}

/** The sources that the provider documents for its script. @returns null if that script is not used */
export function paymentScriptSources(mode: Mode): ScriptFromElsewhere | null {
  if (mode !== 'test' && mode !== 'live') return null;
  const origins = ['https://js.stripe.com', 'https://*.js.stripe.com'];
  return {
    paths: ['/account/subscription'],
    scripts: origins,
    frames: [...origins, 'https://hooks.stripe.com'],
    calls: ['https://api.stripe.com'],
  };
}
