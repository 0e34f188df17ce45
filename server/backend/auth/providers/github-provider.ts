/** GitHub, by OAuth 2.0: it issues no id token, so the user and the verified address are read from its API. */
import * as z from 'zod/mini';
import type { GitHubSettings } from '../../../platform/config/config-accounts.ts';
import { type OAuthProvider, type ProviderProfile, pickParams, requireSafeAddress } from './oauth-provider.ts';
import { ProviderFailure, type ProviderFetch } from './provider-call.ts';
import { toProfile } from './provider-profile.ts';

const NAME = 'github';
const SCOPES = ['user:email'];
const PASSED_PARAMS = ['login', 'allow_signup', 'prompt'];

/** Refusals have status 200 and another shape. */
const tokenSchema = z.object({
  access_token: z.string().check(z.minLength(1), z.maxLength(2000)),
  refresh_token: z.optional(z.string().check(z.maxLength(2000))),
});
const userSchema = z.object({
  id: z.number().check(z.int(), z.positive()),
  login: z.string(),
  name: z.optional(z.nullable(z.string())),
  avatar_url: z.optional(z.nullable(z.string())),
});
const emailsSchema = z.array(z.object({ email: z.string(), primary: z.boolean(), verified: z.boolean() }));

/** @throws SettingsRefused */
export function gitHubProvider(settings: GitHubSettings, call: ProviderFetch): OAuthProvider {
  requireSafeAddress('githubUrl in ADDRESSES_FILE', settings.url);
  requireSafeAddress('githubApiUrl in ADDRESSES_FILE', settings.apiUrl);

  async function exchange(code: string, redirectUri: string): Promise<z.infer<typeof tokenSchema>> {
    try {
      const answer = await call(`${settings.url}/login/oauth/access_token`, {
        method: 'POST',
        headers: { accept: 'application/json' },
        body: new URLSearchParams({
          client_id: settings.clientId,
          client_secret: settings.clientSecret,
          code,
          redirect_uri: redirectUri,
        }),
      });
      return tokenSchema.parse(await answer.json());
    } catch (cause) {
      throw new ProviderFailure(NAME, 'exchange', cause);
    }
  }

  async function fetchJson(path: string, token: string): Promise<unknown> {
    const answer = await call(`${settings.apiUrl}${path}`, {
      headers: {
        accept: 'application/vnd.github+json',
        authorization: `Bearer ${token}`,
        'user-agent': 'Kat',
        'x-github-api-version': '2022-11-28',
      },
    });
    if (!answer.ok) throw Object.assign(new Error('refused'), { status: answer.status });
    return answer.json();
  }

  async function profileOf(token: string): Promise<ProviderProfile> {
    try {
      const user = userSchema.parse(await fetchJson('/user', token));
      const addresses = emailsSchema.parse(await fetchJson('/user/emails', token));
      const address = addresses.find((one) => one.primary) ?? addresses.find((one) => one.verified) ?? addresses[0];
      return toProfile({
        provider: NAME,
        issuer: settings.apiUrl,
        subject: String(user.id),
        email: address?.email ?? null,
        isEmailVerified: address?.verified ?? false,
        name: user.name ?? null,
        picture: user.avatar_url ?? null,
        userName: user.login,
      });
    } catch (cause) {
      throw new ProviderFailure(NAME, 'profile', cause);
    }
  }

  return {
    name: NAME,
    idTokens: null,
    async begin({ redirectUri, state, scopes, params }) {
      const url = new URL(`${settings.url}/login/oauth/authorize`);
      url.search = new URLSearchParams([
        ...pickParams(params, PASSED_PARAMS),
        ['client_id', settings.clientId],
        ['redirect_uri', redirectUri],
        ['response_type', 'code'],
        ['scope', [...new Set([...SCOPES, ...scopes])].join(' ')],
        ['state', state],
      ]).toString();
      return { url: url.href, secrets: { verifier: null, nonce: null } };
    },
    async finish({ redirectUri, answer }) {
      const granted = await exchange(answer.get('code') ?? '', redirectUri);
      return {
        profile: await profileOf(granted.access_token),
        tokens: { providerToken: granted.access_token, providerRefreshToken: granted.refresh_token ?? null },
      };
    },
  };
}
