/** Where the server may send the browser for a payment, and the provider's script for an answer without a URL. */
import { within } from '#domain/time/deadline.ts';
import { pageState } from '../../../page-state.ts';

/** checkout.stripe.com, invoice.stripe.com, billing.stripe.com, pay.stripe.com. */
const PROVIDER = '.stripe.com';

/** Names of this machine. */
const LOOPBACK = /^(localhost|\[::1\]|127\.\d+\.\d+\.\d+)$/;

/** @returns the absolute URL; null for one that is not allowed */
export function paymentPage(address: string, origin: string): string | null {
  const url = URL.parse(address, origin);
  if (url === null) return null;
  const here = new URL(origin);
  // The sandbox knows one name of this machine; the session is stored under the one that the user opened.
  const isSameMachine = LOOPBACK.test(url.hostname) && LOOPBACK.test(here.hostname);
  if (isSameMachine && url.protocol === here.protocol && url.port === here.port && url.username === '')
    url.hostname = here.hostname;
  const isProvider = url.protocol === 'https:' && url.hostname.endsWith(PROVIDER) && url.port === '';
  return url.origin === origin || isProvider ? url.href : null;
}

/** The same limit as for other calls. */
const LIMIT_MS = 15_000;

const script = pageState<{ loading: Promise<void> | null }>(() => ({ loading: null }));

/**
 * All callers share one script element; a failed one is removed, so that the next attempt starts fresh.
 * @param source  from the settings; null where payments are off  @throws Error 'Stripe failed to load'
 */
export function loadPaymentScript(source: string | null): Promise<void> {
  const page = script();
  page.loading ??= load(source).catch((error: unknown) => {
    page.loading = null;
    throw error;
  });
  return page.loading;
}

async function load(source: string | null): Promise<void> {
  if (source === null) throw new Error(FAILED);
  const script = document.createElement('script');
  script.src = source;
  script.async = true;
  const loaded = Promise.withResolvers<void>();
  script.addEventListener('load', () => loaded.resolve());
  script.addEventListener('error', () => loaded.reject(new Error(FAILED)));
  document.head.append(script);
  try {
    await within(loaded.promise, LIMIT_MS, () => {
      throw new Error(FAILED);
    });
  } catch (error) {
    script.remove();
    throw error;
  }
}

const FAILED = 'Stripe failed to load';
