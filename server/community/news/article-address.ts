/** Normalizes addresses in feeds: an article linked by two campaigns is one article. */

const LONGEST = 2000;

/**
 * Drops the fragment, campaign parameters (`utm_*`) and a trailing dot of the host; the rest stays as written.
 *
 * @param base  the feed's own address, for relative addresses
 * @returns null for an address that isn't https, is too long or holds a password
 */
export function canonicalAddress(address: string | null | undefined, base: string): string | null {
  const url = parsed(address, base);
  if (url === null || url.protocol !== 'https:') return null;
  // A trailing dot names the same host, and would bypass take-downs.
  const host = url.hostname.replace(/\.+$/, '');
  if (host === '') return null;
  url.hostname = host;
  url.hash = '';
  url.search = url.search
    .slice(1)
    .split('&')
    .filter((part) => part !== '' && !/^utm_/i.test(part))
    .join('&');
  return url.href.length <= LONGEST ? url.href : null;
}

/** A picture's address, unchanged. In the sandbox the feed's own scheme is allowed too. */
export function pictureAddress(address: string | null | undefined, base: string): string | null {
  const url = parsed(address, base);
  if (url === null || (url.protocol !== 'https:' && url.protocol !== URL.parse(base)?.protocol)) return null;
  return url.href.length <= LONGEST ? url.href : null;
}

function parsed(address: string | null | undefined, base: string): URL | null {
  const text = address?.trim() ?? '';
  const url = text === '' ? null : URL.parse(text, base);
  return url === null || url.username !== '' || url.password !== '' ? null : url;
}
