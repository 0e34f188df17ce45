/** What each role may do with the owner's row of each table, and that row. */

export type MatrixRole = 'anonymous' | 'owner' | 'other' | 'admin' | 'service';
export const OPERATIONS = ['select', 'insert', 'update', 'delete'] as const;

interface Owner {
  id: string;
  email: string;
}

interface Sample {
  /** As the client library sends it. */
  row(owner: Owner): Record<string, unknown>;
  /** Finds that row and no other. */
  key(owner: Owner): Record<string, unknown>;
  change: Record<string, unknown>;
  /** The same row put there and taken away by the database's owner. */
  sql(owner: Owner): { remove: string; add: string };
}

type Line = Record<MatrixRole, string>;

const NO_ACCESS = 'no no no no';
const EVERYTHING = 'yes yes yes yes';
const line = (others: Partial<Line>): Line => ({
  anonymous: NO_ACCESS,
  owner: NO_ACCESS,
  other: NO_ACCESS,
  admin: NO_ACCESS,
  service: EVERYTHING,
  ...others,
});
/** Read by its owner, written by the service alone. */
const OWNER_READS = line({ owner: 'yes no no no', other: 'none no no no', admin: 'none no no no' });
/** Read by everyone, written by the service alone. */
const EVERYONE_READS = line({
  anonymous: 'yes no no no',
  owner: 'yes no no no',
  other: 'yes no no no',
  admin: 'yes no no no',
});

/** Of select, insert, update, delete. */
export const EXPECTED_TABLES: Readonly<Record<string, Line>> = {
  account_activity: {
    anonymous: 'no fixed fixed fixed',
    owner: 'yes fixed fixed fixed',
    other: 'none fixed fixed fixed',
    admin: 'none fixed fixed fixed',
    service: 'yes fixed fixed fixed',
  },
  account_events: OWNER_READS,
  alert_rules: OWNER_READS,
  alerts: OWNER_READS,
  // Of its owner some columns: supabase/tests/database/26_api_keys.test.sql.
  api_keys: OWNER_READS,
  billing_alarms: line({}),
  billing_checkouts: line({}),
  billing_prices: EVERYONE_READS,
  billing_quotes: line({}),
  // Of users and visitors what is published alone: tests/contract/changelog.test.ts.
  // Of its owner some columns: supabase/tests/database/41_chat_channels.test.sql.
  chat_channels: OWNER_READS,
  changelog_post_likes: line({
    anonymous: 'none no no no',
    owner: 'yes yes no yes',
    other: 'none no no none',
    admin: 'none no no none',
  }),
  changelog_posts: line({
    anonymous: 'yes no no no',
    owner: 'yes no no no',
    other: 'yes no no no',
    // Not in another's name.
    admin: 'yes no yes yes',
  }),
  error_logs: line({
    anonymous: 'no yes no no',
    owner: 'no yes no no',
    other: 'no yes no no',
    admin: 'no yes no no',
  }),
  // Of visitors some columns, which have separate tests.
  news_articles: EVERYONE_READS,
  onboarding_marks: line({ owner: 'yes yes no no', other: 'none no no no', admin: 'none no no no' }),
  paper_trades: OWNER_READS,
  payment_methods: OWNER_READS,
  prediction_outcomes: OWNER_READS,
  prediction_shares: OWNER_READS,
  price_snapshots: EVERYONE_READS,
  profiles: line({ owner: 'yes yes yes no', other: 'none no none no', admin: 'none no none no' }),
  // Of its owner some columns: supabase/tests/database/30_push.test.sql.
  push_subscriptions: OWNER_READS,
  stripe_customers: OWNER_READS,
  stripe_events: line({}),
  stripe_subscriptions: OWNER_READS,
  stripe_user_subscriptions: {
    anonymous: 'no fixed fixed fixed',
    owner: 'yes fixed fixed fixed',
    other: 'none fixed fixed fixed',
    admin: 'none fixed fixed fixed',
    service: 'yes fixed fixed fixed',
  },
  user_activity: line({ owner: 'yes yes no no', other: 'none no no no', admin: 'none no no no' }),
  user_changelog_state: line({ owner: 'yes yes yes no', other: 'none no none no', admin: 'none no none no' }),
  user_predictions: OWNER_READS,
  watched_pairs: OWNER_READS,
  webhook_deliveries: OWNER_READS,
  // Of its owner some columns: supabase/tests/database/39_webhooks.test.sql.
  webhook_endpoints: OWNER_READS,
};

export const EXPECTED_PROCEDURES: Readonly<
  Record<string, { args: Record<string, unknown>; mayCall: readonly MatrixRole[] }>
> = {
  add_paper_trades: { args: { p_trades: [] }, mayCall: ['owner', 'other', 'admin'] },
  add_watched_pairs: { args: { p_pairs: [] }, mayCall: ['owner', 'other', 'admin'] },
  admin_audit_log: { args: {}, mayCall: ['admin'] },
  admin_error_groups: { args: {}, mayCall: ['admin'] },
  admin_errors: { args: { p_fingerprint: '' }, mayCall: ['admin'] },
  admin_list_users: { args: {}, mayCall: ['admin'] },
  admin_remaining_daily: { args: {}, mayCall: ['admin'] },
  admin_remaining_monthly: { args: {}, mayCall: ['admin'] },
  admin_renewals: { args: {}, mayCall: ['admin'] },
  admin_scatter_quota: { args: {}, mayCall: ['admin'] },
  admin_summary: { args: {}, mayCall: ['admin'] },
  get_predictions_per_day: { args: {}, mayCall: ['admin'] },
  get_onboarding: { args: {}, mayCall: ['owner', 'other', 'admin'] },
  get_own_vote: { args: { p_currency: 'btc' }, mayCall: ['owner', 'other', 'admin'] },
  get_vote_stats: { args: { p_currency: 'btc' }, mayCall: ['anonymous', 'owner', 'other', 'admin', 'service'] },
  get_vote_timeseries: {
    args: { p_currency: 'btc', p_from: new Date(Date.now() - 86_400_000).toISOString() },
    mayCall: ['anonymous', 'owner', 'other', 'admin', 'service'],
  },
  order_watched_pairs: { args: { p_pairs: [] }, mayCall: ['owner', 'other', 'admin'] },
  record_export: { args: { p_file: 'activity' }, mayCall: ['owner', 'other', 'admin'] },
  remove_watched_pairs: { args: { p_pairs: [] }, mayCall: ['owner', 'other', 'admin'] },
  submit_vote: { args: { p_currency: 'btc', p_direction: 'up' }, mayCall: ['owner', 'other', 'admin'] },
  changelog_like_counts: { args: { p_posts: [] }, mayCall: ['anonymous', 'owner', 'other', 'admin', 'service'] },
};

/** @param keyColumns columns of `rowOf` that find the row */
function sampleOf(
  table: string,
  rowOf: (owner: Owner) => Record<string, unknown>,
  keyColumns: readonly string[],
  change: Record<string, unknown>,
): Sample {
  const key = (owner: Owner) => Object.fromEntries(keyColumns.map((name) => [name, rowOf(owner)[name]]));
  return {
    row: rowOf,
    key,
    change,
    sql: (owner) => ({
      remove: `delete from public.${table} where ${Object.entries(key(owner))
        .map(([name, value]) => `${name} = ${literal(value)}`)
        .join(' and ')}`,
      add: addText(table, rowOf(owner)),
    }),
  };
}

/** Its prediction is made first. */
function ofPrediction(predictionId: string, sample: Sample): Sample {
  return {
    ...sample,
    sql: (owner) => ({
      remove: `delete from public.user_predictions where id = '${predictionId}'; ${addText('user_predictions', {
        id: predictionId,
        user_id: owner.id,
        cryptocurrency: 'BTC',
        model: 'kat1',
        data: candles,
      })}`,
      add: sample.sql(owner).add,
    }),
  };
}

function addText(table: string, row: Record<string, unknown>): string {
  const values = Object.values(row).map(literal);
  return `insert into public.${table} (${Object.keys(row).join(', ')}) values (${values.join(', ')})`;
}

function literal(value: unknown): string {
  return `'${(typeof value === 'object' ? JSON.stringify(value) : String(value)).replaceAll("'", "''")}'`;
}

const CUSTOMER = 'cus_matrix';
const candles = Array.from({ length: 200 }, () => ({}));

/** Has its outcome when that is stored, and none when not. */
const PREDICTION = '00000000-0000-4000-8000-00000000a7e1';
const outcomes = sampleOf(
  'prediction_outcomes',
  ({ id }) => ({
    prediction_id: PREDICTION,
    user_id: id,
    market_kind: 'live',
    sym: 'BTCUSDT.P',
    join_s: 60,
    due_at: '2026-01-01T00:00:00Z',
    next_try_at: '2026-01-01T00:00:00Z',
  }),
  ['prediction_id'],
  { next_try_at: '2026-01-02T00:00:00Z' },
);
const SHARED_PREDICTION = '00000000-0000-4000-8000-00000000a7e3';
const shares = sampleOf(
  'prediction_shares',
  ({ id }) => ({ prediction_id: SHARED_PREDICTION, user_id: id, token: 'a7'.repeat(16) }),
  ['prediction_id'],
  { token: 'a8'.repeat(16) },
);
/** Exists, with its like or without. */
const LIKED_POST = '00000000-0000-4000-8000-00000000a7e2';
const likes = sampleOf('changelog_post_likes', ({ id }) => ({ post_id: LIKED_POST, user_id: id }), ['post_id'], {
  post_id: LIKED_POST,
});
const customers = sampleOf('stripe_customers', ({ id }) => ({ user_id: id, customer_id: CUSTOMER }), ['user_id'], {
  mode: 'test',
});
const subscriptions = sampleOf(
  'stripe_subscriptions',
  () => ({ subscription_id: 'sub_matrix', customer_id: CUSTOMER, status: 'active', stripe_created: 1 }),
  ['subscription_id'],
  { status: 'canceled' },
);

const events = sampleOf(
  'account_events',
  ({ id }) => ({ user_id: id, kind: 'export', action: 'of-the-matrix', details: {} }),
  ['user_id', 'action'],
  { action: 'changed' },
);

const ENDPOINT = '00000000-0000-4000-8000-00000000a7e3';
const endpoint = ({ id }: Owner) => ({
  id: ENDPOINT,
  user_id: id,
  url: 'https://hooks.example/x',
  secret: `whsec_${'s'.repeat(43)}`,
  events: ['alert.created'],
});
const endpoints: Sample = {
  ...sampleOf('webhook_endpoints', endpoint, ['id'], { url: 'https://hooks.example/y' }),
  sql: (owner) => ({
    remove: `delete from public.webhook_endpoints where id = '${ENDPOINT}'`,
    add: addText('webhook_endpoints', { ...endpoint(owner), events: '{alert.created}' }),
  }),
};
const deliveries = sampleOf(
  'webhook_deliveries',
  ({ id }) => ({
    endpoint_id: ENDPOINT,
    user_id: id,
    event_id: '00000000-0000-4000-8000-00000000a7e4',
    event: 'alert.created',
    body: '{}',
    created_at: '2026-01-01T00:00:00Z',
  }),
  ['event_id'],
  { state: 'skipped' },
);

export const SAMPLES: Readonly<Record<string, Sample>> = {
  account_activity: events,
  account_events: events,
  alert_rules: sampleOf(
    'alert_rules',
    ({ id }) => ({ user_id: id, kind: 'models-disagree', sym: 'BTCUSDT.P', by_mail: true, by_push: false }),
    ['user_id'],
    { by_mail: false },
  ),
  alerts: sampleOf(
    'alerts',
    ({ id }) => ({ user_id: id, kind: 'band-broken', subject: 'x', facts: {}, made_at: '2026-01-01T00:00:00Z' }),
    ['user_id'],
    { subject: 'changed' },
  ),
  api_keys: sampleOf(
    'api_keys',
    ({ id }) => ({ user_id: id, name: 'of the matrix', prefix: 'kat_matrix', key_hash: `\\x${'a7'.repeat(32)}` }),
    ['prefix'],
    { name: 'changed' },
  ),
  billing_alarms: sampleOf('billing_alarms', () => ({ kind: 'refund', subject: 'ch_matrix' }), ['subject'], {
    count: 2,
  }),
  billing_checkouts: sampleOf(
    'billing_checkouts',
    ({ id }) => ({ user_id: id, price_id: 'price_matrix', session_id: 'cs_matrix' }),
    ['session_id'],
    { state: 'expired' },
  ),
  billing_prices: sampleOf(
    'billing_prices',
    () => ({ price_id: 'price_matrix', plan: 'lion', unit_amount: 1 }),
    ['price_id'],
    { unit_amount: 2 },
  ),
  billing_quotes: sampleOf(
    'billing_quotes',
    () => ({
      subscription_id: 'sub_matrix',
      price_id: 'price_matrix',
      proration_date: 1,
      amount_due: 1,
      expires_at: '2026-01-01T00:00:00Z',
    }),
    ['subscription_id'],
    { amount_due: 2 },
  ),
  chat_channels: sampleOf(
    'chat_channels',
    ({ id }) => ({ user_id: id, service: 'telegram', chat_id: '990000001', title: 'Of the matrix' }),
    ['title'],
    { state: 'paused', pause_reason: 'owner' },
  ),
  changelog_post_likes: {
    ...likes,
    sql: (owner) => ({
      remove: `delete from public.changelog_posts where id = '${LIKED_POST}'; ${addText('changelog_posts', {
        id: LIKED_POST,
        content: 'liked',
        published_at: '2026-01-01T00:00:00Z',
      })}`,
      add: likes.sql(owner).add,
    }),
  },
  changelog_posts: sampleOf(
    'changelog_posts',
    ({ id }) => ({ content: 'of the matrix', author_id: id, published_at: '2026-01-01T00:00:00Z' }),
    ['author_id'],
    { content: 'changed' },
  ),
  error_logs: sampleOf('error_logs', () => ({ error_message: 'of the matrix' }), ['error_message'], {
    error_stack: 'changed',
  }),
  news_articles: sampleOf(
    'news_articles',
    () => ({ title: 'Matrix', url: 'https://matrix.invalid/', site: 'Matrix', published_at: '2026-01-01T00:00:00Z' }),
    ['url'],
    { title: 'Changed' },
  ),
  onboarding_marks: sampleOf(
    'onboarding_marks',
    ({ id }) => ({ user_id: id, mark: 'tour-ended' }),
    ['user_id', 'mark'],
    { mark: 'bands-read' },
  ),
  paper_trades: sampleOf(
    'paper_trades',
    ({ id }) => ({
      user_id: id,
      id: '0123456789abcdef0123456789abcdef',
      market_kind: 'simulated',
      sym: 'BTCUSDT.P',
      side: 'long',
      entry_price: 100,
      opened_at: '2026-01-01T00:00:00Z',
      closed_at: '2026-01-01T00:00:30Z',
    }),
    ['user_id', 'id'],
    { sym: 'MSFT' },
  ),
  payment_methods: sampleOf(
    'payment_methods',
    ({ id }) => ({ payment_method_id: 'pm_matrix', user_id: id }),
    ['payment_method_id'],
    { brand: 'visa' },
  ),
  prediction_outcomes: ofPrediction(PREDICTION, outcomes),
  prediction_shares: ofPrediction(SHARED_PREDICTION, shares),
  price_snapshots: sampleOf(
    'price_snapshots',
    () => ({ symbol: 'MATRIX', price: 2, fetched_at: '2026-01-01T00:00:00Z' }),
    ['symbol'],
    { price: 3 },
  ),
  profiles: sampleOf('profiles', ({ id, email }) => ({ id, email, full_name: 'Ada' }), ['id'], { full_name: 'Eve' }),
  push_subscriptions: sampleOf(
    'push_subscriptions',
    ({ id }) => ({
      user_id: id,
      device: 'of the matrix',
      endpoint: 'https://push.example/x',
      endpoint_hash: 'a7'.repeat(32),
      p256dh: 'B'.repeat(87),
      auth: 'A'.repeat(22),
    }),
    ['endpoint_hash'],
    { device: 'changed' },
  ),
  stripe_customers: customers,
  stripe_events: sampleOf(
    'stripe_events',
    () => ({ event_id: 'evt_matrix', type: 'x', livemode: false, created: 1 }),
    ['event_id'],
    { attempts: 1 },
  ),
  stripe_subscriptions: {
    ...subscriptions,
    // Whose it is, the customer tells.
    sql: (owner) => ({
      remove: `${subscriptions.sql(owner).remove}; ${customers.sql(owner).remove}`,
      add: `${customers.sql(owner).add}; ${subscriptions.sql(owner).add}`,
    }),
  },
  stripe_user_subscriptions: {
    ...customers,
    row: ({ id }) => ({ user_id: id }),
    change: { customer_id: 'cus_other' },
  },
  user_activity: sampleOf(
    'user_activity',
    ({ id }) => ({ user_id: id, activity_type: 'account_created', activity_data: {} }),
    ['user_id'],
    { activity_type: 'account_created' },
  ),
  user_changelog_state: sampleOf(
    'user_changelog_state',
    ({ id }) => ({ user_id: id, last_seen_published_at: '2026-01-01T00:00:00Z' }),
    ['user_id'],
    { last_seen_published_at: '2026-01-02T00:00:00Z' },
  ),
  user_predictions: sampleOf(
    'user_predictions',
    ({ id }) => ({ user_id: id, cryptocurrency: 'BTC', model: 'kat1', data: candles }),
    ['user_id'],
    { cryptocurrency: 'ETH' },
  ),
  watched_pairs: sampleOf(
    'watched_pairs',
    ({ id }) => ({ user_id: id, sym: 'BTCUSDT.P', timeframe: '5min', place: 1 }),
    ['user_id'],
    { place: 2 },
  ),
  webhook_deliveries: {
    ...deliveries,
    // Its endpoint is there either way.
    sql: (owner) => ({
      remove: `${endpoints.sql(owner).remove}; ${endpoints.sql(owner).add}`,
      add: `${endpoints.sql(owner).remove}; ${endpoints.sql(owner).add}; ${deliveries.sql(owner).add}`,
    }),
  },
  webhook_endpoints: endpoints,
};
