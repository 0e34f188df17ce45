/** URL of a domain reserved for examples: it leads nowhere, and pages mark such links. */
export const NOWHERE = 'https://example.com/';

/** True for a link that leads nowhere yet. */
export function isSampleLink(url: string): boolean {
  return url.startsWith(NOWHERE);
}
