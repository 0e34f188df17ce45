/** Leaves the page for a payment or reloads it after a change, and passes a message to the page that follows. */
import { type StoredValue, storedText } from '../../../ui/browser/stored-value.ts';

// If they can't be stored, the page that follows shows the result itself.
const message = storedText('sessionStorage', 'kat-billing-told');
const leftForPayment = storedText('sessionStorage', 'kat-billing-away');

/** Opens a page of the payment provider or of this site; the caller checks the URL. */
export function navigateAway(address: string): void {
  leftForPayment.write('yes');
  window.location.assign(address);
}

export function reloadWithMessage(text: string): void {
  message.write(text);
  window.location.reload();
}

/** Returns the previous page's message, once. */
export function takeFlashMessage(): string | null {
  return take(message);
}

/** True once if this page was left for a payment, whose result may arrive shortly after the user returns. */
export function consumeReturnedFlag(): boolean {
  return take(leftForPayment) !== null;
}

function take(stored: StoredValue<string>): string | null {
  const value = stored.read();
  stored.write(null);
  return value;
}
