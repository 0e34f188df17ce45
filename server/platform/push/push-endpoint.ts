/**
 * Signed-in users supply these addresses, so they are strangers': only https on its default port to public hosts. Names
 * are resolved and checked when they are called (public-address.ts).
 */
import ipaddr from 'ipaddr.js';
import { MAX_ENDPOINT } from '#domain/push/push-subscription.ts';
import { isPublicAddress } from '../outbound/public-address.ts';

/** Names of this machine and its network. */
const LOCAL_NAME = /^(?:localhost|.*\.(?:localhost|local|internal|home\.arpa))\.?$/;

/** @param sandboxUrl  base of the sandbox's subscriptions, with a trailing slash; null for none */
export function isPushEndpoint(endpoint: string, sandboxUrl: string | null): boolean {
  const url = URL.parse(endpoint);
  if (url === null || endpoint.length > MAX_ENDPOINT || url.username !== '' || url.password !== '') return false;
  if (sandboxUrl !== null) return url.href.startsWith(sandboxUrl);
  // URL drops the default port of https.
  if (url.protocol !== 'https:' || url.port !== '' || LOCAL_NAME.test(url.hostname)) return false;
  const host = url.hostname.replace(/^\[|\]$/g, '');
  return ipaddr.isValid(host) ? isPublicAddress(host) : host.includes('.');
}
