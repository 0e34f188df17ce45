/** The address that a user's website leads to. */
import * as z from 'zod/mini';

const webAddress = z.url({ protocol: /^https?$/ });
/** 'mailto:', 'javascript:', 'https:'; a port behind a name is none. */
const SCHEME = /^[a-z][a-z\d+.-]*:(?!\d)/i;
/** A name before an @ would hide whose address it is. */
const HAS_USER = /^https?:\/\/[^/?#]*@/i;

/**
 * https is prepended where nothing stands before. Specification 2, section 2.9.
 * @returns null for whatever is no address of the web: it is shown as text
 */
export function websiteHref(text: string): string | null {
  const written = text.trim();
  if (written === '' || /[\s\\]/.test(written)) return null;
  const address = SCHEME.test(written) ? written : `https://${written}`;
  if (HAS_USER.test(address) || !/^https?:\/\/[^/]/i.test(address)) return null;
  return webAddress.safeParse(address).success ? address : null;
}
