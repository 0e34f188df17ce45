/** The only file that imports openid-client, which is loaded at the first sign-in. */
import type { Configuration } from 'openid-client';
import * as z from 'zod/mini';
import type { GoogleSettings } from '../../../platform/config/config-accounts.ts';
import { idTokenReader } from './google-id-token.ts';
import {
  type IdTokens,
  type OAuthProvider,
  type ProviderProfile,
  pickParams,
  requireSafeAddress,
} from './oauth-provider.ts';
import { ProviderFailure, type ProviderFetch } from './provider-call.ts';
import { toProfile } from './provider-profile.ts';

const NAME = 'google';
const SCOPES = ['openid', 'email', 'profile'];
const PASSED_PARAMS = ['access_type', 'prompt', 'login_hint', 'hd', 'include_granted_scopes'];

const claimsSchema = z.object({
  iss: z.string().check(z.maxLength(200)),
  sub: z.string().check(z.minLength(1), z.maxLength(255)),
  email: z.optional(z.string()),
  email_verified: z.optional(z.unknown()),
  name: z.optional(z.string()),
  picture: z.optional(z.string()),
});

/** They are stored sealed until the page fetches them. */
const token = z.string().check(z.maxLength(4000));
const tokensSchema = z.object({ access_token: token, refresh_token: z.optional(token) });

/** @throws SettingsRefused */
export function googleProvider(settings: GoogleSettings, call: ProviderFetch): OAuthProvider {
  requireSafeAddress('googleIssuer in ADDRESSES_FILE', settings.issuer);
  const configuration = discoverOnce(settings, call);
  const idTokens: IdTokens = idTokenReader({
    ...settings,
    call,
    toProfile: profileOf,
    keysAddress: async () => (await configuration()).serverMetadata().jwks_uri ?? null,
  });
  return {
    name: NAME,
    idTokens,
    async begin({ redirectUri, state, scopes, params }) {
      const client = await import('openid-client');
      const config = await configuration();
      const verifier = client.randomPKCECodeVerifier();
      const nonce = client.randomNonce();
      const url = client.buildAuthorizationUrl(config, {
        ...Object.fromEntries(pickParams(params, PASSED_PARAMS)),
        redirect_uri: redirectUri,
        scope: [...new Set([...SCOPES, ...scopes])].join(' '),
        code_challenge: await client.calculatePKCECodeChallenge(verifier),
        code_challenge_method: 'S256',
        nonce,
        state,
      });
      return { url: url.href, secrets: { verifier, nonce } };
    },
    async finish({ redirectUri, answer, state, secrets }) {
      const client = await import('openid-client');
      const config = await configuration();
      const address = new URL(redirectUri);
      address.search = answer.toString();
      try {
        const granted = await client.authorizationCodeGrant(config, address, {
          expectedState: state,
          idTokenExpected: true,
          ...(secrets.verifier === null ? {} : { pkceCodeVerifier: secrets.verifier }),
          ...(secrets.nonce === null ? {} : { expectedNonce: secrets.nonce }),
        });
        const tokens = tokensSchema.parse(granted);
        return {
          profile: profileOf(granted.claims()),
          tokens: { providerToken: tokens.access_token, providerRefreshToken: tokens.refresh_token ?? null },
        };
      } catch (cause) {
        throw new ProviderFailure(NAME, 'exchange', cause);
      }
    },
  };
}

function profileOf(claims: unknown): ProviderProfile {
  const parsed = claimsSchema.parse(claims);
  return toProfile({
    provider: NAME,
    issuer: parsed.iss,
    subject: parsed.sub,
    email: parsed.email ?? null,
    isEmailVerified: parsed.email_verified === true,
    name: parsed.name ?? null,
    picture: parsed.picture ?? null,
    userName: null,
  });
}

/** The provider's own metadata, fetched once; a failure isn't cached, so the next sign-in tries again. */
function discoverOnce(settings: GoogleSettings, call: ProviderFetch): () => Promise<Configuration> {
  let known: Promise<Configuration> | null = null;
  return () => {
    known ??= discover(settings, call).catch((cause: unknown) => {
      known = null;
      throw new ProviderFailure(NAME, 'discovery', cause);
    });
    return known;
  };
}

async function discover(settings: GoogleSettings, call: ProviderFetch): Promise<Configuration> {
  const client = await import('openid-client');
  const issuer = new URL(settings.issuer);
  // Checks signatures even though the token comes straight from the provider.
  const extensions = [client.enableNonRepudiationChecks];
  if (issuer.protocol === 'http:') extensions.push(client.allowInsecureRequests);
  return client.discovery(issuer, settings.clientId, settings.clientSecret, undefined, {
    [client.customFetch]: (url, { body, ...options }) => call(url, { ...options, ...(body == null ? {} : { body }) }),
    execute: extensions,
  });
}
