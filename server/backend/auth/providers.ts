/** The providers that people may sign in through, from settings. */
import type { GitHubSettings, GoogleSettings } from '../../platform/config-accounts.ts';
import { gitHubProvider } from './github-provider.ts';
import { googleProvider } from './google-provider.ts';
import type { OAuthProviders } from './oauth-provider.ts';
import { PROVIDER_TIMEOUT_MS, providerFetch } from './provider-call.ts';

export interface ProviderSettings {
  google: GoogleSettings | null;
  github: GitHubSettings | null;
}

/**
 * Nothing is asked of a provider, and none of its code is loaded, before somebody signs in.
 * @throws SettingsRefused for an address without encryption outside this machine
 */
export function openProviders(settings: ProviderSettings, options: { timeoutMs?: number } = {}): OAuthProviders {
  const call = providerFetch(options.timeoutMs ?? PROVIDER_TIMEOUT_MS);
  return {
    google: settings.google === null ? null : googleProvider(settings.google, call),
    github: settings.github === null ? null : gitHubProvider(settings.github, call),
  };
}
