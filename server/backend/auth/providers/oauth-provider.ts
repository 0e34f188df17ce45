import { SettingsRefused } from '../../../platform/config/config.ts';
import { isLoopback } from '../../../platform/loopback.ts';

export const PROVIDER_NAMES = ['google', 'github'] as const;
export type ProviderName = (typeof PROVIDER_NAMES)[number];

export interface ProviderProfile {
  provider: ProviderName;
  subject: string;
  /** Trimmed and in lower case; null without a usable one. */
  email: string | null;
  isEmailVerified: boolean;
  /** In the protocol's form: iss, sub, email, email_verified, name, full_name, avatar_url, picture, user_name ... */
  identityData: Readonly<Record<string, unknown>>;
}

/** The provider's own tokens, passed to the page once. */
export interface TokensOfProvider {
  providerToken: string | null;
  providerRefreshToken: string | null;
}

/** Values that the callback needs again; stored sealed. */
export interface ProviderSecrets {
  verifier: string | null;
  nonce: string | null;
}

export interface OAuthRequest {
  redirectUri: string;
  state: string;
  /** In addition to those that sign-in needs. */
  scopes: readonly string[];
  /** The page's own parameters; each provider uses those it knows. */
  params: URLSearchParams;
}

export interface OAuthCallback {
  redirectUri: string;
  /** The callback's parameters, as the provider sent them. */
  answer: URLSearchParams;
  state: string;
  secrets: ProviderSecrets;
}

export interface IdTokenStatement {
  profile: ProviderProfile;
  audiences: readonly string[];
  nonce: string | null;
  /** Of the access token that belongs to it. */
  accessTokenHash: string | null;
  algorithm: string;
  expiresAtS: number;
}

/** Tokens that a page or an app got from the provider itself. */
export interface IdTokens {
  readonly issuer: string;
  readonly clientId: string;
  /** @returns null when the token is invalid, expired or another issuer's. @throws ProviderFailure */
  read(token: string, nowMs: number): Promise<IdTokenStatement | null>;
}

export interface OAuthProvider {
  readonly name: ProviderName;
  /** Null: it issues none. */
  readonly idTokens: IdTokens | null;
  /** @throws ProviderFailure */
  begin(request: OAuthRequest): Promise<{ url: string; secrets: ProviderSecrets }>;
  /** @throws ProviderFailure */
  finish(callback: OAuthCallback): Promise<{ profile: ProviderProfile; tokens: TokensOfProvider }>;
}

/** Null: not configured. */
export type OAuthProviders = Readonly<Record<ProviderName, OAuthProvider | null>>;

/** @throws SettingsRefused */
export function requireSafeAddress(name: string, address: string): void {
  const url = new URL(address);
  if (url.protocol === 'https:' || (url.protocol === 'http:' && isLoopback(url.hostname))) return;
  throw new SettingsRefused(`${name} must begin with https://; http:// is allowed only on this machine.`);
}

export function pickParams(params: URLSearchParams, known: readonly string[]): [string, string][] {
  return known.flatMap((name): [string, string][] => {
    const value = params.get(name);
    return value === null || value === '' ? [] : [[name, value.slice(0, 500)]];
  });
}
