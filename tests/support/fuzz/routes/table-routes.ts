/** /rest/v1, as a friendly client would call it. */
import fc from 'fast-check';
import { choice, email, type FuzzRoute, id, metadata, VICTIM_ID } from './route.ts';

const OPERATORS = ['eq', 'neq', 'gt', 'gte', 'lt', 'lte', 'like', 'ilike', 'is', 'in', 'not.eq', 'not.in', 'cs', 'fts'];
const filter = fc
  .tuple(
    choice(...OPERATORS),
    choice('1', 'null', '(1,2)', '*', VICTIM_ID, 'true', '2026-01-01', '"a,b"', '%%%%%%%%%a%', '%a%b%a%b%a%b%z%'),
  )
  .map(([operator, value]) => `${operator}.${value}`);

/** Each table with its columns, and one table that does not exist. */
const TABLES: Readonly<Record<string, readonly string[]>> = {
  profiles: ['id', 'email', 'full_name', 'avatar_url', 'role', 'phone', 'bio', 'timezone', 'created_at', 'updated_at'],
  user_predictions: ['id', 'user_id', 'cryptocurrency', 'timeframe', 'model', 'created_at', 'data'],
  prediction_outcomes: ['prediction_id', 'user_id', 'state', 'candles', 'score', 'due_at', 'join_s'],
  prediction_shares: ['prediction_id', 'user_id', 'token', 'created_at'],
  account_events: ['id', 'user_id', 'at', 'kind', 'action', 'details'],
  account_activity: ['user_id', 'id', 'at', 'kind', 'action', 'details'],
  onboarding_marks: ['user_id', 'mark', 'created_at'],
  watched_pairs: ['user_id', 'sym', 'timeframe', 'place', 'created_at'],
  paper_trades: ['user_id', 'id', 'sym', 'side', 'entry_price', 'exit_price', 'pnl', 'opened_at', 'closed_at'],
  user_activity: ['id', 'user_id', 'activity_type', 'activity_data', 'created_at'],
  error_logs: ['id', 'error_message', 'error_stack', 'context', 'user_id', 'timestamp'],
  billing_prices: ['price_id', 'plan', 'unit_amount', 'active', 'mode'],
  news_articles: ['id', 'title', 'url', 'image_url', 'body', 'site', 'published_at', 'first_seen_at', 'kind'],
  price_snapshots: ['symbol', 'price', 'change_24h', 'pct_24h', 'volume_24h', 'fetched_at', 'market_kind'],
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
  activity_type: choice('account_created', 'x'),
  activity_data: metadata,
  error_message: choice('boom', 'x'.repeat(3000)),
  error_stack: choice('at x', 'password=secret eyJabc.def'),
  context: metadata,
  full_name: choice('Fuzz', 'x'.repeat(300)),
  role: choice('admin'),
  created_at: choice('2026-01-01', 'infinity'),
  unit_amount: fc.integer(),
  is_default: fc.boolean(),
  data: fc.array(fc.nat(), { maxLength: 3 }),
};

const logicOver = (columns: readonly string[]) =>
  fc
    .array(fc.tuple(choice(...columns), filter, choice('', 'not.')), { minLength: 1, maxLength: 5 })
    .map((parts) => `(${parts.map(([column, test, not]) => `${column}.${not}${test}`).join(',')})`);

const filtersOf = (columns: readonly string[]) => Object.fromEntries(columns.map((column) => [column, filter]));

const readQueryOf = (columns: readonly string[]) => ({
  select: fc.oneof(
    fc.subarray([...columns], { minLength: 1 }).map((some) => some.join(',')),
    choice('*', 'a:id,b:user_id', 'id,*', 'count', 'id,profiles(*)', 'data->a', 'id::text', 'count()', ''),
  ),
  order: choice(`${columns[0]}.desc`, `${columns[1]}.asc.nullslast`, 'nothing.desc', `${columns[0]},${columns[0]}`),
  limit: choice('1', '5', '0', '1000000'),
  offset: choice('0', '5', '99999999999'),
  or: logicOver(columns),
  and: logicOver(columns),
  ...filtersOf(columns),
});
const columnsOf = (columns: readonly string[]) =>
  fc.subarray([...columns], { minLength: 1, maxLength: Math.min(columns.length, 3) }).map((some) => some.join(','));
const rowOf = (columns: readonly string[]) =>
  Object.fromEntries(columns.map((column) => [column, VALUES[column] ?? choice('a', 'b')]));

const rest = (methods: string, path: string, more: Omit<FuzzRoute, 'methods' | 'path'>): FuzzRoute => ({
  methods: methods.split(' '),
  path: `/rest/v1${path}`,
  readsToken: true,
  ...more,
});

const READ = readQueryOf(['id', 'plan']);

export const TABLE_ROUTES: readonly FuzzRoute[] = [
  ...Object.entries(TABLES).flatMap(([table, columns]) => [
    rest('GET HEAD', `/${table}`, { query: readQueryOf(columns), weight: 6 }),
    rest('POST', `/${table}`, { query: { columns: columnsOf(columns) }, body: rowOf(columns), weight: 1 }),
    rest('POST', `/${table}`, {
      query: { on_conflict: columnsOf(columns), select: choice('*') },
      body: rowOf(columns),
      weight: 1,
    }),
    rest('PATCH DELETE', `/${table}`, {
      query: { ...filtersOf(columns), select: choice('*') },
      body: rowOf(columns),
      weight: 2,
    }),
  ]),
  // Columns that a user may really write.
  rest('PATCH', '/profiles', {
    query: { id: choice('eq.@attacker.id@', 'eq.@victim.id@') },
    body: { bio: choice('b'), website: choice('w') },
  }),
  rest('POST', '/error_logs', { body: { error_message: choice('boom'), error_stack: choice('s'), context: metadata } }),
  rest('POST', '/user_activity', {
    body: { user_id: id, activity_type: choice('account_created'), activity_data: metadata },
  }),
  rest('GET', '/{name}', { query: READ, weight: 1 }),
  rest('GET', '/', { weight: 1 }),
  rest('POST', '/rpc/fuzz_add', { body: { a: fc.nat(9999), b: fc.nat(9999) } }),
  rest('GET', '/rpc/fuzz_add', { query: { a: choice('1', 'x'), b: choice('2') } }),
  rest('POST', '/rpc/fuzz_echo', {
    body: { p_data: metadata, p_list: fc.array(choice('a')), p_at: choice('2026-01-01') },
  }),
  rest('GET', '/rpc/fuzz_echo', {
    query: { p_data: choice('{}', 'x'), p_list: choice('{a,b}', '{'), p_at: choice('2026-01-01') },
  }),
  rest('POST', '/rpc/fuzz_rows', { query: READ, body: { p_to: fc.nat(50) } }),
  rest('GET', '/rpc/fuzz_rows', {
    query: { p_to: choice('3', 'x'), plan: filter, order: choice('id.desc'), limit: choice('2') },
  }),
  rest('POST GET', '/rpc/{name}', { body: { a: fc.nat() }, weight: 1 }),
];
