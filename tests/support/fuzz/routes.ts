/** Every route of the server, with what a friendly client would send to it: a hostile one starts from there. */
import fc from 'fast-check';

/** In whose shape errors come: see judge.ts. */
export type Protocol = 'auth' | 'rest' | 'storage' | 'own' | 'page';

export interface FuzzRoute {
  methods: readonly string[];
  /** Parts in braces are filled with hostile values, or with the names below. */
  path: string;
  query?: Readonly<Record<string, fc.Arbitrary<string>>>;
  body?: Readonly<Record<string, fc.Arbitrary<unknown>>>;
  /** A file, in a form or bare. */
  isUpload?: boolean;
  /** A bearer token that is forged must be refused here. */
  readsToken?: boolean;
  /** Default 3. Hashing a password takes a tenth of a second: those routes come less often. */
  weight?: number;
}

/** Filled in by the sender, who knows the accounts: `@victim.id` and the like. */
const VICTIM_ID = '@victim.id@';
const VICTIM_EMAIL = '@victim.email@';

const words = (...texts: string[]) => fc.constantFrom(...texts);
const email = fc.oneof(words(VICTIM_EMAIL, 'fuzz@example.com', 'nobody@example.com'), fc.emailAddress());
const password = words('Password1', 'Password2', 'short', 'x'.repeat(73));
const redirect = words('http://127.0.0.1/', '/dashboard', 'https://evil.example/', '//evil.example', 'javascript:1');
const token = words('123456', '000000', 'abc', 'a'.repeat(56), '@attacker.refresh@');
const challenge = words('a'.repeat(43), 'x', 'b'.repeat(128));
const id = fc.oneof(words(VICTIM_ID, '@attacker.id@'), fc.uuid());
const otpType = words('signup', 'magiclink', 'recovery', 'invite', 'email', 'email_change', 'sms', 'phone_change');
const metadata = fc.oneof(fc.constant({ full_name: 'Fuzz' }), fc.constant({ role: 'admin' }), fc.constant(null));
const captcha = fc.constantFrom<unknown>({}, { captcha_token: 'x' }, null);

const auth = (methods: string, path: string, more: Omit<FuzzRoute, 'methods' | 'path'> = {}): FuzzRoute => ({
  methods: methods.split(' '),
  path: `/auth/v1${path}`,
  ...more,
});
const signedIn = (methods: string, path: string, body: FuzzRoute['body'] = {}): FuzzRoute =>
  auth(methods, path, { body, readsToken: true });

const AUTH: readonly FuzzRoute[] = [
  auth('GET', '/.well-known/jwks.json', { weight: 1 }),
  auth('GET', '/health', { weight: 1 }),
  auth('GET', '/settings', { weight: 1 }),
  auth('POST', '/signup', {
    weight: 2,
    body: { email, password, data: metadata, code_challenge: challenge, gotrue_meta_security: captcha },
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
  signedIn('PUT', '/user', { email, password, data: metadata, nonce: words('123456'), code_challenge: challenge }),
  auth('POST', '/logout', { query: { scope: words('nowhere', 'x') }, readsToken: true, weight: 1 }),
  auth('POST', '/otp', {
    query: { redirect_to: redirect },
    body: { email, phone: words('+15550001'), create_user: fc.boolean(), data: metadata, code_challenge: challenge },
  }),
  auth('POST', '/verify', { body: { type: otpType, email, token, token_hash: token, phone: words('+1') } }),
  auth('GET', '/verify', { query: { type: otpType, token, token_hash: token, redirect_to: redirect } }),
  auth('POST', '/recover', { query: { redirect_to: redirect }, body: { email, code_challenge: challenge } }),
  auth('POST', '/resend', { body: { type: otpType, email, phone: words('+1') } }),
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

const FILTER = ['eq', 'neq', 'gt', 'gte', 'lt', 'lte', 'like', 'ilike', 'is', 'in', 'not.eq', 'cs', 'fts'];
const filter = fc
  .tuple(words(...FILTER), words('1', 'null', '(1,2)', '*', VICTIM_ID, 'true', '2026-01-01', '"a,b"', '%%%%%%%%%a%'))
  .map(([operator, value]) => `${operator}.${value}`);
const COLUMNS = ['id', 'user_id', 'email', 'customer_id', 'price_id', 'plan', 'created_at', 'data', 'role', 'status'];
const logic = fc
  .array(fc.tuple(words(...COLUMNS), filter), { minLength: 1, maxLength: 5 })
  .map((parts) => `(${parts.map(([column, test]) => `${column}.${test}`).join(',')})`);
const TABLES = [
  ...['profiles', 'user_predictions', 'user_activity', 'error_logs', 'billing_prices', 'stripe_customers'],
  ...['stripe_subscriptions', 'stripe_user_subscriptions', 'payment_methods', 'stripe_events', 'billing_checkouts'],
];
const readQuery = {
  select: words('*', 'id', 'a:id,b:user_id', 'id,*', 'count', 'id,profiles(*)', 'data->a', 'id::text', 'count()'),
  order: words('created_at.desc', 'id.asc.nullslast', 'plan', 'id,id,id', 'nothing.desc'),
  limit: words('1', '0', '1000000', '-1'),
  offset: words('0', '5', '99999999999'),
  or: logic,
  and: logic,
  ...Object.fromEntries(COLUMNS.map((column) => [column, filter])),
};
const row = {
  id: fc.oneof(id, fc.nat()),
  user_id: id,
  activity_type: words('account_created', 'x'),
  activity_data: metadata,
  error_message: words('boom', 'x'.repeat(3000)),
  error_stack: words('at x', 'password=secret eyJabc.def'),
  context: metadata,
  full_name: words('Fuzz', 'x'.repeat(300)),
  bio: words('b'),
  role: words('admin'),
  email,
};
const writeQuery = {
  columns: words('id', 'bio,full_name', 'nothing'),
  on_conflict: words('id', 'nothing', ''),
  id: filter,
};

const rest = (methods: string, path: string, more: Omit<FuzzRoute, 'methods' | 'path'>): FuzzRoute => ({
  methods: methods.split(' '),
  path: `/rest/v1${path}`,
  readsToken: true,
  ...more,
});

const REST: readonly FuzzRoute[] = [
  ...TABLES.flatMap((table) => [
    rest('GET HEAD', `/${table}`, { query: readQuery, weight: 4 }),
    rest('POST', `/${table}`, { query: writeQuery, body: row, weight: 2 }),
    rest('PATCH DELETE', `/${table}`, { query: { ...writeQuery, ...readQuery }, body: row, weight: 2 }),
  ]),
  rest('GET', '/{name}', { query: readQuery, weight: 1 }),
  rest('GET', '/', { weight: 1 }),
  rest('POST GET', '/rpc/fuzz_add', {
    query: { a: words('1', 'x'), b: words('2') },
    body: { a: fc.nat(), b: fc.nat() },
  }),
  rest('POST GET', '/rpc/fuzz_echo', {
    query: { p_data: words('{}', 'x'), p_list: words('{a,b}', '{'), p_at: words('2026-01-01', 'x'), ...readQuery },
    body: { p_data: metadata, p_list: fc.array(words('a')), p_at: words('2026-01-01') },
  }),
  rest('POST GET', '/rpc/fuzz_rows', { query: { p_to: words('3', 'x'), ...readQuery }, body: { p_to: fc.nat(50) } }),
  rest('POST GET', '/rpc/{name}', { body: row, weight: 1 }),
];

const storage = (methods: string, path: string, more: Omit<FuzzRoute, 'methods' | 'path'> = {}): FuzzRoute => ({
  methods: methods.split(' '),
  path: `/storage/v1${path}`,
  ...more,
});

const STORAGE: readonly FuzzRoute[] = [
  storage('GET', '/bucket', { readsToken: true }),
  storage('GET POST PUT DELETE', '/bucket/{name}', { body: { id: words('x'), public: fc.boolean() } }),
  storage('POST PUT', '/object/avatars/@attacker.id@/{name}.png', { isUpload: true, readsToken: true, weight: 4 }),
  storage('POST PUT', '/object/avatars/@victim.id@/{name}.png', { isUpload: true, readsToken: true }),
  storage('POST', '/object/{name}/{name}', { isUpload: true }),
  storage('GET HEAD', '/object/public/avatars/{name}'),
  storage('GET HEAD', '/object/public/avatars/@victim.id@/{name}'),
  storage('GET HEAD', '/object/authenticated/avatars/@victim.id@/{name}', { readsToken: true }),
  storage('GET', '/object/info/avatars/{name}', { readsToken: true }),
  storage('GET', '/object/info/public/avatars/{name}'),
  storage('POST', '/object/list/avatars', {
    readsToken: true,
    body: {
      prefix: words('', VICTIM_ID, '../'),
      search: words('', '%'),
      limit: fc.nat(200),
      offset: fc.nat(10),
      sortBy: fc.constantFrom<unknown>({ column: 'name', order: 'asc' }, { column: 'owner' }),
    },
  }),
  storage('DELETE', '/object/avatars', {
    readsToken: true,
    body: { prefixes: fc.array(words(`${VICTIM_ID}/1.png`, 'x')) },
  }),
  storage('DELETE', '/object/avatars/@victim.id@/1.png', { readsToken: true, weight: 1 }),
  storage('POST', '/object/{name}', { body: { bucketId: words('avatars'), sourceKey: id }, weight: 1 }),
  storage('GET POST', '/{name}/{name}', { weight: 1 }),
];

const candle = fc.record({ time: fc.nat(), open: fc.double(), high: fc.nat(), low: fc.nat(), close: fc.nat() });
const forecastQuery = {
  exc: words('BINANCE', 'NASDAQ'),
  sym: words('BTCUSDT.P', 'ETHUSDT.P', 'NOPE'),
  fbars: words('50', '1'),
  lkbk: words('450'),
  amp: words('100', '250'),
  ver: words('213', '224', '1'),
};
const own = (methods: string, path: string, more: Omit<FuzzRoute, 'methods' | 'path'> = {}): FuzzRoute => ({
  methods: methods.split(' '),
  path,
  ...more,
});

const OWN: readonly FuzzRoute[] = [
  own('POST GET', '/functions/v1/get-quota', { body: { a: fc.nat() }, readsToken: true }),
  own('POST', '/functions/v1/create-prediction', {
    readsToken: true,
    body: {
      model: words('kat1', 'kat2_4'),
      cryptocurrency: words('BTC'),
      timeframe: words('1min'),
      data: fc.oneof(
        fc.array(candle, { maxLength: 3 }),
        candle.map((one) => Array.from({ length: 200 }, () => one)),
      ),
    },
  }),
  own('POST', '/functions/v1/{name}'),
  own('GET', '/history', { query: forecastQuery }),
  own('GET', '/stream-kat2', { query: forecastQuery, readsToken: true }),
  own('GET', '/forecast/reservations', { readsToken: true }),
  own('GET', '/forecast/reservations/{id}', { readsToken: true }),
  own('GET', '/forecast/{name}', { weight: 1 }),
  own('GET', '/config.json', { weight: 1 }),
  own('GET', '/healthz', { weight: 1 }),
  own('GET', '/readyz', { weight: 1 }),
  own('GET', '/dev/clock', { weight: 1 }),
  // Never a number that would be taken: it would move the clock under everybody.
  own('POST', '/dev/clock', { body: { offsetMs: words('0', 'x') } }),
  own('GET', '/dev/mailbox.json', { query: { to: email }, weight: 1 }),
  own('GET', '/dev/mailbox/mails/{id}', { weight: 1 }),
  own('GET', '/dev/{name}', { weight: 1 }),
  own('GET', '/{name}', { weight: 1 }),
  own('GET', '/assets/{name}', { weight: 1 }),
];

export const ROUTES: readonly FuzzRoute[] = [...AUTH, ...REST, ...STORAGE, ...OWN];

const API =
  /^\/(auth\/v1|rest|storage|functions|history|stream-kat2|forecast|dev|healthz|readyz|config\.json)(\/|$|\.json)/;

/** @param path  as the server reads it: dots resolved */
export function protocolOf(path: string): Protocol {
  if (/^\/auth\/v1(\/|$)/.test(path)) return 'auth';
  if (/^\/rest\/v1(\/|$)/.test(path)) return 'rest';
  if (/^\/storage\/v1(\/|$)/.test(path)) return 'storage';
  return API.test(path) ? 'own' : 'page';
}
