/** Leaves the page for a payment or reloads it after a change, and passes a message to the page that follows. */

const TOLD_KEY = 'kat-billing-told';
const AWAY_KEY = 'kat-billing-away';

/** Opens a page of the payment provider or of this site; the caller checks the URL. */
export function navigateAway(address: string): void {
  keep(AWAY_KEY, 'yes');
  window.location.assign(address);
}

/** Reloads the page, which then shows `words`. */
export function reloadWithMessage(words: string): void {
  keep(TOLD_KEY, words);
  window.location.reload();
}

/** Returns the previous page's message, once. */
export function takeFlashMessage(): string | null {
  return take(TOLD_KEY);
}

/**
 * Whether this page was left for a payment, whose result may arrive shortly after the user returns. Returns true once.
 */
export function consumeReturnedFlag(): boolean {
  return take(AWAY_KEY) !== null;
}

function keep(key: string, value: string): void {
  try {
    window.sessionStorage.setItem(key, value);
  } catch {
    // Storage is blocked or full: the page itself shows the result.
  }
}

function take(key: string): string | null {
  try {
    const value = window.sessionStorage.getItem(key);
    window.sessionStorage.removeItem(key);
    return value;
  } catch {
    // Storage is blocked: nothing was stored.
    return null;
  }
}
