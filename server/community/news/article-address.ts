/** Addresses as feeds give them, made comparable: an article told by two campaigns is one article. */

const LONGEST = 2000;

/**
 * Without fragment, campaign parameters (`utm_*`) and the dot that may end a host; all else is left as it was written.
 *
 * @param base  the feed's own address, for those that are relative
 * @returns null for what is no https address, is too long or holds a password
 */
export function canonicalAddress(address: string | null | undefined, base: string): string | null {
  const url = parsed(address, base);
  if (url === null || url.protocol !== 'https:') return null;
  // A dot at the end names the same host, and would hide it from take-downs.
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

/** Of a picture: as it was given. In the sandbox the feed's own scheme counts too. */
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
