/** The link for a user's website. */
import * as z from 'zod/mini';

const webAddress = z.url({ protocol: /^https?$/ });
/** 'mailto:', 'javascript:', 'https:'. A host name with a port is not a scheme. */
const SCHEME = /^[a-z][a-z\d+.-]*:(?!\d)/i;
/** A user name before an @ would hide the real host. */
const HAS_USER = /^https?:\/\/[^/?#]*@/i;

/**
 * Prepends https when there is no scheme.
 * @returns null for anything that is not a web address: it is shown as text
 */
export function websiteHref(text: string): string | null {
  const written = text.trim();
  if (written === '' || /[\s\\]/.test(written)) return null;
  const address = SCHEME.test(written) ? written : `https://${written}`;
  if (HAS_USER.test(address) || !/^https?:\/\/[^/]/i.test(address)) return null;
  return webAddress.safeParse(address).success ? address : null;
}
