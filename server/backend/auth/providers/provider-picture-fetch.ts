/** Fetches pictures from where sign-in providers keep them. */
import { type GuardedFetch, guardedFetch } from '../../../platform/outbound/guarded-fetch.ts';
import type { ProviderSettings } from './providers.ts';

/**
 * Over https from public addresses alone; a stand-in's on this machine from its own address alone.
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
