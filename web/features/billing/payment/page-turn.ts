/** Leaving the page for a payment, opening it anew after a change, and what it has to say when it is back. */

const TOLD_KEY = 'kat-billing-told';
const AWAY_KEY = 'kat-billing-away';

/** To a page of the payment provider or of this site; checked by whoever calls. */
export function leaveTo(address: string): void {
  keep(AWAY_KEY, 'yes');
  window.location.assign(address);
}

/** Opens the page anew, which then says `words`. */
export function openAnewSaying(words: string): void {
  keep(TOLD_KEY, words);
  window.location.reload();
}

/** What the page before had to say; once. */
export function takeTold(): string | null {
  return take(TOLD_KEY);
}

/** Whether this page was left for a payment: what was done there may arrive a moment after its reader. Once. */
export function takeWasAway(): boolean {
  return take(AWAY_KEY) !== null;
}

function keep(key: string, value: string): void {
  try {
    window.sessionStorage.setItem(key, value);
  } catch {
    // Blocked or full: the page itself shows what became of it.
  }
}

function take(key: string): string | null {
  try {
    const value = window.sessionStorage.getItem(key);
    window.sessionStorage.removeItem(key);
    return value;
  } catch {
    // Blocked: nothing was kept.
    return null;
  }
}
