/** Signed-in users supply these addresses, so they are strangers': the rule of all requests that are sent to them. */
import { MAX_ENDPOINT } from '#domain/push/push-subscription.ts';
import { addressFault } from '../platform/outbound/guarded-request.ts';

/** @param sandboxUrl  base of the sandbox's subscriptions, with a trailing slash; null for none */
export function isPushEndpoint(endpoint: string, sandboxUrl: string | null): boolean {
  if (endpoint.length > MAX_ENDPOINT) return false;
  if (sandboxUrl === null) return addressFault(endpoint, null) === null;
  const url = URL.parse(endpoint);
  return url !== null && url.username === '' && url.password === '' && url.href.startsWith(sandboxUrl);
}
