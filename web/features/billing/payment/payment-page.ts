/** Where the server may send the browser for a payment: to this site, or to pages of the payment provider. */

/** checkout.stripe.com, invoice.stripe.com, billing.stripe.com, pay.stripe.com. */
const PROVIDER = '.stripe.com';

/** @returns the whole address; null for one that nobody may be sent to */
export function paymentPage(address: string, origin: string): string | null {
  const url = URL.parse(address, origin);
  if (url === null) return null;
  const isProvider = url.protocol === 'https:' && url.hostname.endsWith(PROVIDER) && url.port === '';
  return url.origin === origin || isProvider ? url.href : null;
}
