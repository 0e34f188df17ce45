/** Our own site, and addresses allowed by the operator. */

export interface RedirectRule {
  /** @param ownOrigin as the browser knows it. @returns the wanted address if allowed, else our own front page */
  resolve(ownOrigin: string, wanted: string | null | undefined): string;
}

const MAX_LENGTH = 2000;

/** @param allowed  addresses; each allows itself and everything below its path */
export function redirectRule(allowed: readonly string[]): RedirectRule {
  const entries = allowed.map((address) => new URL(address));
  return {
    resolve(ownOrigin, wanted) {
      const url = wanted === null || wanted === undefined ? null : webAddress(wanted, ownOrigin);
      if (url === null) return `${ownOrigin}/`;
      const isAllowed = url.origin === ownOrigin || entries.some((entry) => isBelow(url, entry));
      return isAllowed ? url.href : `${ownOrigin}/`;
    },
  };
}

function webAddress(text: string, base: string): URL | null {
  if (text.length > MAX_LENGTH) return null;
  const url = URL.parse(text, base);
  // Escapes make an address longer than its source text.
  if (url === null || url.href.length > MAX_LENGTH || !/^https?:$/.test(url.protocol)) return null;
  // A user name before the host only serves to deceive a reader.
  return url.username === '' && url.password === '' ? url : null;
}

function isBelow(url: URL, entry: URL): boolean {
  if (url.origin !== entry.origin) return false;
  const folder = entry.pathname.endsWith('/') ? entry.pathname : `${entry.pathname}/`;
  return url.pathname === entry.pathname || url.pathname.startsWith(folder);
}
