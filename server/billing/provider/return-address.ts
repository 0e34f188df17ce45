/** Validates the addresses that the provider redirects the browser to: only this site's are allowed. */
import { AppError } from '#domain/errors/app-error.ts';
import type { BillingDeps } from '../billing-deps.ts';

const MAX_LENGTH = 2000;
const PLACEHOLDER = '{CHECKOUT_SESSION_ID}';

/**
 * @returns the address as a browser parses it, so that the checked address is the one used
 * @throws AppError `billing/foreign-address`
 */
export function ownAddress(deps: Pick<BillingDeps, 'isOwnAddress'>, text: string): string {
  const url = text.length > MAX_LENGTH || hasTricks(text) ? null : URL.parse(text);
  const isPlain = url !== null && /^https?:$/.test(url.protocol) && url.username === '' && url.password === '';
  if (!isPlain || url.href.length > MAX_LENGTH || !deps.isOwnAddress(url.href))
    throw new AppError('billing/foreign-address');
  return url.href;
}

/** Adds the session id's placeholder. The provider only replaces it if the braces are unescaped. */
export function withSessionPlaceholder(address: string): string {
  const url = new URL(address);
  url.searchParams.delete('session_id');
  const { hash } = url;
  url.hash = '';
  return `${url.href}${url.search === '' ? '?' : '&'}session_id=${PLACEHOLDER}${hash}`;
}

/** Backslashes, blanks and control characters: programs disagree about where such an address leads. */
function hasTricks(text: string): boolean {
  return [...text].some((char) => char === '\\' || char <= ' ' || char === '\u007f');
}
