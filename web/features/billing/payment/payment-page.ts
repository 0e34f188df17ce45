/** Where the server may send the browser for a payment: this site, or the payment provider's pages. */

/** checkout.stripe.com, invoice.stripe.com, billing.stripe.com, pay.stripe.com. */
const PROVIDER = '.stripe.com';

/** @returns the absolute URL; null for one that is not allowed */
export function paymentPage(address: string, origin: string): string | null {
  const url = URL.parse(address, origin);
  if (url === null) return null;
  const isProvider = url.protocol === 'https:' && url.hostname.endsWith(PROVIDER) && url.port === '';
  return url.origin === origin || isProvider ? url.href : null;
}
