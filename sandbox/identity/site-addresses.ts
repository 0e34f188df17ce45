/** The addresses of the site that a sign-in may lead back to, and where a visitor whose sign-in failed finds it. */
import { isLoopbackName } from '../loopback-host.ts';

export interface SiteAddresses {
  isCallback(redirectUri: string): boolean;
  /** Null until a sign-in has told: the site's port is not known before. */
  home(): string | null;
}

const CALLBACK_PATH = '/auth/v1/callback';

/** @param origins  the site's own beside this machine's */
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
