/** The script that draws the payment fields, and where browsers load it from. */
import type { ScriptFromElsewhere } from '../../platform/http/guards/security-headers.ts';
import type { PaymentsSource } from './payments-source.ts';

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
