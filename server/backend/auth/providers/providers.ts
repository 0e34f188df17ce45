import type { PublicConfig } from '#domain/config/public-config.ts';
import type { GitHubSettings, GoogleSettings } from '../../../platform/config/config-accounts.ts';
import { type GuardedFetch, guardedFetch } from '../../../platform/outbound/guarded-fetch.ts';
import { gitHubProvider } from './github-provider.ts';
import { googleProvider } from './google-provider.ts';
import type { OAuthProviders, ProviderName } from './oauth-provider.ts';
import { PROVIDER_TIMEOUT_MS, providerFetch } from './provider-call.ts';

export interface ProviderSettings {
  google: GoogleSettings | null;
  github: GitHubSettings | null;
}

export function withSandboxes(own: ProviderSettings, sandboxes: ProviderSettings | null): ProviderSettings {
  return { google: own.google ?? sandboxes?.google ?? null, github: own.github ?? sandboxes?.github ?? null };
}

/** Each provider's kind for the browser: the real provider, a sandbox, or off. */
export function providerKinds(own: ProviderSettings, sandboxes: ProviderSettings | null): PublicConfig['providers'] {
  const kindOf = (name: ProviderName) => {
    if (own[name] !== null) return 'live';
    return sandboxes === null || sandboxes[name] === null ? 'off' : 'sandbox';
  };
  return { google: kindOf('google'), github: kindOf('github') };
}

/** Loads no provider's code before a user signs in. @throws SettingsRefused for a plain address outside this machine */
export function openProviders(settings: ProviderSettings, options: { timeoutMs?: number } = {}): OAuthProviders {
  const call = providerFetch(options.timeoutMs ?? PROVIDER_TIMEOUT_MS);
  return {
    google: settings.google === null ? null : googleProvider(settings.google, call),
    github: settings.github === null ? null : gitHubProvider(settings.github, call),
  };
}

/** Https from public addresses only; a local sandbox's pictures only from its own address. */
export function pictureFetch(settings: ProviderSettings): GuardedFetch {
  const fromPublic = guardedFetch({ reach: 'public' });
  const fromLoopback = guardedFetch({ reach: 'loopback' });
  const sandboxes = [settings.google?.issuer, settings.github?.apiUrl]
    .map((address) => URL.parse(address ?? ''))
    .filter((address) => address?.protocol === 'http:')
    .map((address) => address?.origin);
  return (url, options) => {
    const isSandbox = sandboxes.includes(URL.parse(url)?.origin);
    return (isSandbox ? fromLoopback : fromPublic)(url, options);
  };
}
