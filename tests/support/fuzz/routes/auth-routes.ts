/** /auth/v1, as a friendly client would call it. */
import fc from 'fast-check';
import {
  captcha,
  challenge,
  choice,
  email,
  type FuzzRoute,
  id,
  metadata,
  otpType,
  password,
  proof,
  redirect,
  token,
} from './route.ts';

const auth = (methods: string, path: string, more: Omit<FuzzRoute, 'methods' | 'path'> = {}): FuzzRoute => ({
  methods: methods.split(' '),
  path: `/auth/v1${path}`,
  ...more,
});
const signedIn = (methods: string, path: string, body: FuzzRoute['body'] = {}): FuzzRoute =>
  auth(methods, path, { body, readsToken: true });

export const AUTH_ROUTES: readonly FuzzRoute[] = [
  auth('GET', '/.well-known/jwks.json', { weight: 1 }),
  auth('GET', '/health', { weight: 1 }),
  auth('GET', '/settings', { weight: 1 }),
  auth('POST', '/signup', {
    weight: 2,
    body: { email, password, data: metadata, gotrue_meta_security: captcha },
  }),
  auth('POST', '/token', {
    weight: 1,
    query: { grant_type: choice('password') },
    body: { email, password, gotrue_meta_security: captcha },
  }),
  auth('POST', '/token', {
    query: { grant_type: choice('refresh_token', 'pkce', 'id_token', 'web3', 'magic') },
    body: {
      refresh_token: token,
      auth_code: fc.uuid(),
      code_verifier: challenge,
      provider: choice('google', 'github', 'apple'),
      id_token: choice('a.b.c', '@token.algNone@', '@token.otherKey@'),
      nonce: choice('n'),
      chain: choice('ethereum', 'solana', 'bitcoin'),
      message: choice('localhost wants you to sign in with your Ethereum account:\n0x0'),
      signature: choice('0x00', 'AAAA'),
    },
  }),
  signedIn('GET', '/user'),
  signedIn('PUT', '/user', { email, password, data: metadata, nonce: choice('123456'), ...proof }),
  auth('POST', '/logout', { query: { scope: choice('nowhere', 'x') }, readsToken: true, weight: 1 }),
  auth('POST', '/otp', {
    query: { redirect_to: redirect },
    body: { email, create_user: fc.boolean(), data: metadata, ...proof },
  }),
  auth('POST', '/verify', { body: { type: otpType, email, token } }),
  auth('GET', '/verify', { query: { type: otpType, token, token_hash: token, redirect_to: redirect } }),
  auth('POST', '/recover', { query: { redirect_to: redirect }, body: { email, ...proof } }),
  auth('POST', '/resend', { body: { type: otpType, email } }),
  signedIn('GET', '/reauthenticate'),
  auth('GET', '/authorize', {
    query: {
      provider: choice('google', 'github', 'x'),
      redirect_to: redirect,
      code_challenge: challenge,
      code_challenge_method: choice('s256', 'plain', 'none'),
      scopes: choice('a b'),
    },
  }),
  auth('GET', '/callback', { query: { state: token, code: token, error: choice('access_denied') } }),
  auth('GET', '/user/identities/authorize', {
    query: { provider: choice('google', 'github'), redirect_to: redirect, skip_http_redirect: choice('true') },
    readsToken: true,
  }),
  auth('DELETE', '/user/identities/{id}', { readsToken: true }),
  signedIn('POST', '/factors', {
    factor_type: choice('totp', 'phone'),
    friendly_name: choice('Phone', ''),
    issuer: choice('Kat'),
  }),
  signedIn('POST', '/factors/{id}/challenge', { channel: choice('sms') }),
  signedIn('POST', '/factors/{id}/verify', { challenge_id: id, code: token }),
  signedIn('DELETE', '/factors/{id}'),
  auth('POST', '/sso', { body: { domain: choice('example.com'), provider_id: id, redirect_to: redirect } }),
  auth('POST', '/sso/saml/acs', { body: { SAMLResponse: choice('PHg+'), RelayState: token } }),
  auth('GET', '/sso/saml/metadata'),
  auth('GET POST DELETE', '/admin/users/{id}', { weight: 1 }),
];
