/** Addresses that the provider sends the browser back to: of this site alone. */
import { AppError } from '#domain/errors/app-error.ts';
import type { BillingDeps } from '../billing-deps.ts';

const MAX_LENGTH = 2000;
const PLACEHOLDER = '{CHECKOUT_SESSION_ID}';

/**
 * @returns the address as a browser reads it: what was looked at is what is used
 * @throws AppError `billing/foreign-address`
 */
export function ownAddress(deps: Pick<BillingDeps, 'isOwnAddress'>, text: string): string {
  const url = text.length > MAX_LENGTH || hasTricks(text) ? null : URL.parse(text);
  const isPlain = url !== null && /^https?:$/.test(url.protocol) && url.username === '' && url.password === '';
  if (!isPlain || url.href.length > MAX_LENGTH || !deps.isOwnAddress(url.href))
    throw new AppError('billing/foreign-address');
  return url.href;
}

/** The provider writes the session's id where the placeholder stands, braces unescaped, or nowhere. */
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
