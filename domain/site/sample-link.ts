/** Addresses of a domain reserved for examples: nobody is there, and pages say so. */
export const NOWHERE = 'https://example.com/';

/** True for a link that leads nowhere yet. */
export function isSampleLink(url: string): boolean {
  return url.startsWith(NOWHERE);
}
