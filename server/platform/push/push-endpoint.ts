/**
 * Which addresses of push services are called. Whoever is signed in names them, so they are strangers' addresses: https
 * on its own port, and public; a name is resolved when it is called (public-address.ts), and looked at then.
 */
import ipaddr from 'ipaddr.js';
import { MAX_ENDPOINT } from '#domain/push/push-subscription.ts';
import { isPublicAddress } from '../outbound/public-address.ts';

/** Names of this machine and its network. */
const LOCAL_NAME = /^(?:localhost|.*\.(?:localhost|local|internal|home\.arpa))\.?$/;

/** @param sandboxUrl  where the stand-in has its subscriptions, with a slash at the end; null: there is none */
export function isPushEndpoint(endpoint: string, sandboxUrl: string | null): boolean {
  const url = URL.parse(endpoint);
  if (url === null || endpoint.length > MAX_ENDPOINT || url.username !== '' || url.password !== '') return false;
  if (sandboxUrl !== null) return url.href.startsWith(sandboxUrl);
  // URL leaves the port of https out.
  if (url.protocol !== 'https:' || url.port !== '' || LOCAL_NAME.test(url.hostname)) return false;
  const host = url.hostname.replace(/^\[|\]$/g, '');
  return ipaddr.isValid(host) ? isPublicAddress(host) : host.includes('.');
}
