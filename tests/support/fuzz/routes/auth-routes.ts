/** /auth/v1, as a friendly client would call it. */
import fc from 'fast-check';
import {
  captcha,
  challenge,
  email,
  type FuzzRoute,
  id,
  metadata,
  otpType,
  password,
  proof,
  redirect,
  token,
  words,
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
    query: { grant_type: words('password') },
    body: { email, password, gotrue_meta_security: captcha },
  }),
  auth('POST', '/token', {
    query: { grant_type: words('refresh_token', 'pkce', 'id_token', 'web3', 'magic') },
    body: {
      refresh_token: token,
      auth_code: fc.uuid(),
      code_verifier: challenge,
      provider: words('google', 'github', 'apple'),
      id_token: words('a.b.c', '@token.algNone@', '@token.otherKey@'),
      nonce: words('n'),
      chain: words('ethereum', 'solana', 'bitcoin'),
      message: words('localhost wants you to sign in with your Ethereum account:\n0x0'),
      signature: words('0x00', 'AAAA'),
    },
  }),
  signedIn('GET', '/user'),
  signedIn('PUT', '/user', { email, password, data: metadata, nonce: words('123456'), ...proof }),
  auth('POST', '/logout', { query: { scope: words('nowhere', 'x') }, readsToken: true, weight: 1 }),
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
      provider: words('google', 'github', 'x'),
      redirect_to: redirect,
      code_challenge: challenge,
      code_challenge_method: words('s256', 'plain', 'none'),
      scopes: words('a b'),
    },
  }),
  auth('GET', '/callback', { query: { state: token, code: token, error: words('access_denied') } }),
  auth('GET', '/user/identities/authorize', {
    query: { provider: words('google', 'github'), redirect_to: redirect, skip_http_redirect: words('true') },
    readsToken: true,
  }),
  auth('DELETE', '/user/identities/{id}', { readsToken: true }),
  signedIn('POST', '/factors', {
    factor_type: words('totp', 'phone'),
    friendly_name: words('Phone', ''),
    issuer: words('Kat'),
  }),
  signedIn('POST', '/factors/{id}/challenge', { channel: words('sms') }),
  signedIn('POST', '/factors/{id}/verify', { challenge_id: id, code: token }),
  signedIn('DELETE', '/factors/{id}'),
  auth('POST', '/sso', { body: { domain: words('example.com'), provider_id: id, redirect_to: redirect } }),
  auth('POST', '/sso/saml/acs', { body: { SAMLResponse: words('PHg+'), RelayState: token } }),
  auth('GET', '/sso/saml/metadata'),
  auth('GET POST DELETE', '/admin/users/{id}', { weight: 1 }),
];
