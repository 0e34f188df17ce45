/** The provider's script in the browser: where it comes from, which pages run it, and what it needs from the policy. */
import type { ScriptFromElsewhere } from '../../platform/http/guards/security-headers.ts';
import type { PaymentsSource } from './payments-source.ts';

/** Of the release that the pinned SDK speaks; the provider asks that it is loaded from there and never copied. */
const PROVIDER_SCRIPT = 'https://js.stripe.com/endive/stripe.js';
/** web/public/: the stand-in needs no network. */
const OWN_SCRIPT = '/payment-script.js';

type Mode = PaymentsSource['mode'] | 'none';

/** @returns null where nothing can be bought */
export function paymentScript(mode: Mode): string | null {
  if (mode === 'none') return null;
  return mode === 'sandbox' ? OWN_SCRIPT : PROVIDER_SCRIPT;
}

/** As the provider documents it for its script. @returns null where that script is not used */
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
