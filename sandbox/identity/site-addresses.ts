/** The site's addresses to which a sign-in may redirect, and the link back after a failed sign-in. */
import { isLoopbackName } from '../loopback-host.ts';

export interface SiteAddresses {
  isCallback(redirectUri: string): boolean;
  /** Null until the first sign-in, because the site's port is not known before. */
  home(): string | null;
}

const CALLBACK_PATH = '/auth/v1/callback';

/** @param origins  the site's own besides this machine's */
export function siteAddresses(origins: readonly string[]): SiteAddresses {
  let home: string | null = null;
  return {
    isCallback(redirectUri) {
      const url = URL.parse(redirectUri);
      if (url === null || url.pathname !== CALLBACK_PATH || url.search !== '') return false;
      const isOurs = origins.includes(url.origin) || (url.protocol === 'http:' && isLoopbackName(url.hostname));
      if (isOurs) home = `${url.origin}/`;
      return isOurs;
    },
    home: () => home,
  };
}
