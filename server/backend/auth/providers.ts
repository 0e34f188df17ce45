/** The providers that people may sign in through, from settings. */
export const PROVIDER_NAMES = ['google', 'github'] as const;
export type ProviderName = (typeof PROVIDER_NAMES)[number];

/** Who somebody is at a provider. */
export interface ProviderProfile {
  provider: ProviderName;
  /** The account's id there. */
  subject: string;
  email: string | null;
  isEmailVerified: boolean;
  /** As the protocol keeps it: iss, sub, email, email_verified, name, full_name, avatar_url, picture, user_name ... */
  identityData: Readonly<Record<string, unknown>>;
}

export interface OAuthProvider {
  readonly name: ProviderName;
}

/** Null: not configured. */
export type OAuthProviders = Readonly<Record<ProviderName, OAuthProvider | null>>;
