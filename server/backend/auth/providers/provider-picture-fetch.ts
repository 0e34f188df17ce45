/** Fetches users' pictures from the addresses that sign-in providers give. */
import { type GuardedFetch, guardedFetch } from '../../../platform/outbound/guarded-fetch.ts';
import type { ProviderSettings } from './providers.ts';

/**
 * Allows https from public addresses only, and a local sandbox's pictures only from its own address.
 * @param settings  of the providers in use
 */
export function pictureFetch(settings: ProviderSettings): GuardedFetch {
  const fromPublic = guardedFetch({ reach: 'public' });
  const fromLoopback = guardedFetch({ reach: 'loopback' });
  const standIns = [settings.google?.issuer, settings.github?.apiUrl]
    .map((address) => URL.parse(address ?? ''))
    .filter((address) => address?.protocol === 'http:')
    .map((address) => address?.origin);
  return (url, options) => {
    const isStandIns = standIns.includes(URL.parse(url)?.origin);
    return (isStandIns ? fromLoopback : fromPublic)(url, options);
  };
}
