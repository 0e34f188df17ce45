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
const proof = { code_challenge: challenge, code_challenge_method: words('s256', 'plain') };
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

const OPERATORS = ['eq', 'neq', 'gt', 'gte', 'lt', 'lte', 'like', 'ilike', 'is', 'in', 'not.eq', 'not.in', 'cs', 'fts'];
const filter = fc
  .tuple(words(...OPERATORS), words('1', 'null', '(1,2)', '*', VICTIM_ID, 'true', '2026-01-01', '"a,b"', '%%%%%%%%%a%'))
  .map(([operator, value]) => `${operator}.${value}`);

/** Each table with its columns, and a table that there is not. */
const TABLES: Readonly<Record<string, readonly string[]>> = {
  profiles: ['id', 'email', 'full_name', 'avatar_url', 'role', 'phone', 'bio', 'timezone', 'created_at', 'updated_at'],
  user_predictions: ['id', 'user_id', 'cryptocurrency', 'timeframe', 'model', 'created_at', 'data'],
  user_activity: ['id', 'user_id', 'activity_type', 'activity_data', 'created_at'],
  error_logs: ['id', 'error_message', 'error_stack', 'context', 'user_id', 'timestamp'],
  billing_prices: ['price_id', 'plan', 'unit_amount', 'active', 'mode'],
  stripe_customers: ['user_id', 'customer_id', 'mode', 'created_at', 'sync_seq'],
  stripe_subscriptions: ['subscription_id', 'customer_id', 'price_id', 'status', 'current_period_end', 'cancel_at'],
  stripe_user_subscriptions: ['user_id', 'customer_id', 'price_id', 'status', 'cancel_at_period_end'],
  payment_methods: ['payment_method_id', 'user_id', 'brand', 'last4', 'is_default', 'created_at'],
  stripe_events: ['event_id', 'type', 'livemode', 'received_at'],
  billing_checkouts: ['id', 'user_id', 'price_id', 'state'],
  nothing_here: ['id', 'a'],
};
const VALUES: Readonly<Record<string, fc.Arbitrary<unknown>>> = {
  id,
  user_id: id,
  email,
  activity_type: words('account_created', 'x'),
  activity_data: metadata,
  error_message: words('boom', 'x'.repeat(3000)),
  error_stack: words('at x', 'password=secret eyJabc.def'),
  context: metadata,
  full_name: words('Fuzz', 'x'.repeat(300)),
  role: words('admin'),
  created_at: words('2026-01-01', 'infinity'),
  unit_amount: fc.integer(),
  is_default: fc.boolean(),
  data: fc.array(fc.nat(), { maxLength: 3 }),
};

const logicOver = (columns: readonly string[]) =>
  fc
    .array(fc.tuple(words(...columns), filter, words('', 'not.')), { minLength: 1, maxLength: 5 })
    .map((parts) => `(${parts.map(([column, test, not]) => `${column}.${not}${test}`).join(',')})`);

const filtersOf = (columns: readonly string[]) => Object.fromEntries(columns.map((column) => [column, filter]));

const readQueryOf = (columns: readonly string[]) => ({
  select: fc.oneof(
    fc.subarray([...columns], { minLength: 1 }).map((some) => some.join(',')),
    words('*', 'a:id,b:user_id', 'id,*', 'count', 'id,profiles(*)', 'data->a', 'id::text', 'count()', ''),
  ),
  order: words(`${columns[0]}.desc`, `${columns[1]}.asc.nullslast`, 'nothing.desc', `${columns[0]},${columns[0]}`),
  limit: words('1', '5', '0', '1000000'),
  offset: words('0', '5', '99999999999'),
  or: logicOver(columns),
  and: logicOver(columns),
  ...filtersOf(columns),
});
const columnsOf = (columns: readonly string[]) =>
  fc.subarray([...columns], { minLength: 1, maxLength: Math.min(columns.length, 3) }).map((some) => some.join(','));
const rowOf = (columns: readonly string[]) =>
  Object.fromEntries(columns.map((column) => [column, VALUES[column] ?? words('a', 'b')]));

const rest = (methods: string, path: string, more: Omit<FuzzRoute, 'methods' | 'path'>): FuzzRoute => ({
  methods: methods.split(' '),
  path: `/rest/v1${path}`,
  readsToken: true,
  ...more,
});

const READ = readQueryOf(['id', 'plan']);

const REST: readonly FuzzRoute[] = [
  ...Object.entries(TABLES).flatMap(([table, columns]) => [
    rest('GET HEAD', `/${table}`, { query: readQueryOf(columns), weight: 6 }),
    rest('POST', `/${table}`, { query: { columns: columnsOf(columns) }, body: rowOf(columns), weight: 1 }),
    rest('POST', `/${table}`, {
      query: { on_conflict: columnsOf(columns), select: words('*') },
      body: rowOf(columns),
      weight: 1,
    }),
    rest('PATCH DELETE', `/${table}`, {
      query: { ...filtersOf(columns), select: words('*') },
      body: rowOf(columns),
      weight: 2,
    }),
  ]),
  // What a user may really write.
  rest('PATCH', '/profiles', {
    query: { id: words('eq.@attacker.id@', 'eq.@victim.id@') },
    body: { bio: words('b'), website: words('w') },
  }),
  rest('POST', '/error_logs', { body: { error_message: words('boom'), error_stack: words('s'), context: metadata } }),
  rest('POST', '/user_activity', {
    body: { user_id: id, activity_type: words('account_created'), activity_data: metadata },
  }),
  rest('GET', '/{name}', { query: READ, weight: 1 }),
  rest('GET', '/', { weight: 1 }),
  rest('POST', '/rpc/fuzz_add', { body: { a: fc.nat(9999), b: fc.nat(9999) } }),
  rest('GET', '/rpc/fuzz_add', { query: { a: words('1', 'x'), b: words('2') } }),
  rest('POST', '/rpc/fuzz_echo', {
    body: { p_data: metadata, p_list: fc.array(words('a')), p_at: words('2026-01-01') },
  }),
  rest('GET', '/rpc/fuzz_echo', {
    query: { p_data: words('{}', 'x'), p_list: words('{a,b}', '{'), p_at: words('2026-01-01') },
  }),
  rest('POST', '/rpc/fuzz_rows', { query: READ, body: { p_to: fc.nat(50) } }),
  rest('GET', '/rpc/fuzz_rows', {
    query: { p_to: words('3', 'x'), plan: filter, order: words('id.desc'), limit: words('2') },
  }),
  rest('POST GET', '/rpc/{name}', { body: { a: fc.nat() }, weight: 1 }),
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
  exc: words('BINANCE', 'BINANCE', 'NASDAQ'),
  sym: words('BTCUSDT.P', 'BTCUSDT.P', 'NOPE'),
  fbars: words('50', '1'),
  lkbk: words('450'),
  amp: words('100', '250'),
  ver: words('213', '213', '224', '1'),
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
  own('GET', '/stream-kat2', { query: forecastQuery, readsToken: true, weight: 6 }),
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
