/**
 * Reads everything stored about a user, page by page. Exports whole rows of our tables; of tables that a hosted project
 * also has, only the shared columns. Secrets are left out.
 */
import * as z from 'zod/mini';
import type { Queries } from '../../platform/database/database.ts';

/** One list of the export. In its SQL the table is `t` and the user's id `$1`. */
interface ExportSection {
  name: string;
  table: string;
  owned: string;
  /** A time and a key, never null: they order the list and mark where the next page starts. */
  at: string;
  key: string;
  row: string;
  pageRows: number;
}

/** Rows hold a few kilobytes or 200 candles; a page is at most a megabyte. */
const LIGHT_PAGE = 250;
const HEAVY_PAGE = 25;

const USER = '$1::text::uuid';
const OF_USER = `t.user_id = ${USER}`;
const WHOLE_ROW = 'to_jsonb(t)';
/** A hosted project may leave this column null. */
const CREATED = "coalesce(t.created_at, 'epoch'::timestamptz)";
/** For rows without a time column. */
const EPOCH = "'epoch'::timestamptz";
const CUSTOMER = `(select c.customer_id from public.stripe_customers c where c.user_id = ${USER})`;
const SUBSCRIPTIONS = `(select s.subscription_id from public.stripe_subscriptions s where s.customer_id in ${CUSTOMER})`;

function section(table: string, parts: Partial<ExportSection> = {}): ExportSection {
  const name = table.slice(table.indexOf('.') + 1);
  const usual = { owned: OF_USER, at: 't.created_at', key: 't.id', row: WHOLE_ROW, pageRows: LIGHT_PAGE };
  return { name, table, ...usual, ...parts };
}

export const EXPORT_SECTIONS: readonly ExportSection[] = [
  section('auth.identities', {
    at: CREATED,
    row: `json_build_object('provider', t.provider, 'provider_id', t.provider_id, 'email', t.email,
      'identity_data', t.identity_data, 'created_at', t.created_at, 'updated_at', t.updated_at,
      'last_sign_in_at', t.last_sign_in_at)`,
  }),
  section('auth.mfa_factors', {
    name: 'factors',
    row: `json_build_object('id', t.id, 'friendly_name', t.friendly_name, 'factor_type', t.factor_type, 'status', t.status,
      'created_at', t.created_at, 'updated_at', t.updated_at, 'last_challenged_at', t.last_challenged_at)`,
  }),
  section('private.recovery_codes', {
    key: 't.code_hash',
    row: `json_build_object('created_at', t.created_at, 'used_at', t.used_at)`,
  }),
  section('auth.sessions', {
    at: CREATED,
    row: `json_build_object('id', t.id, 'created_at', t.created_at, 'refreshed_at', t.refreshed_at::timestamptz,
      'not_after', t.not_after, 'user_agent', t.user_agent, 'ip', split_part(t.ip::text, '/', 1), 'aal', t.aal,
      'proofs', (select json_agg(json_build_object('method', a.authentication_method, 'at', a.updated_at))
                 from auth.mfa_amr_claims a where a.session_id = t.id))`,
  }),
  section('public.profiles', { owned: `t.id = ${USER}` }),
  section('public.user_activity'),
  section('public.onboarding_marks', { key: 't.mark' }),
  section('public.watched_pairs', { key: `t.sym || ' ' || t.timeframe` }),
  section('public.paper_trades'),
  section('public.account_events', { at: 't.at' }),
  section('public.user_predictions', {
    row: `${WHOLE_ROW} || jsonb_build_object('outcome', (
      select to_jsonb(o) - '{prediction_id,user_id}'::text[] from public.prediction_outcomes o where o.prediction_id = t.id))`,
    pageRows: HEAVY_PAGE,
  }),
  section('public.prediction_shares', { key: 't.prediction_id' }),
  section('public.changelog_posts', { owned: `t.author_id = ${USER}`, pageRows: HEAVY_PAGE }),
  section('public.changelog_post_likes', { at: EPOCH, key: 't.post_id' }),
  section('public.user_changelog_state', { at: EPOCH, key: 't.user_id' }),
  section('private.prediction_reservations', {
    // A saved reservation's candles are exported with its prediction. A reservation with no candles sent costs nothing
    // yet and may be given back, so it exports none.
    row: `${WHOLE_ROW} - 'kept_forecast'::text || coalesce(case when t.prediction_id is null and t.candles_sent > 0 then (
      select jsonb_build_object('start', c.start, 'history', c.history, 'forecast', c.forecast)
        from private.forecast_content(t.user_id, t.id, 1) c) end, '{}')`,
    pageRows: HEAVY_PAGE,
  }),
  section('public.alert_rules'),
  section('public.alerts', { at: 't.made_at' }),
  section('public.api_keys', { row: `${WHOLE_ROW} - '{key_hash,is_raised}'::text[]` }),
  section('public.push_subscriptions', { row: `${WHOLE_ROW} - '{endpoint,endpoint_hash,p256dh,auth}'::text[]` }),
  section('public.chat_channels', { at: 't.linked_at' }),
  section('public.webhook_endpoints', {
    row: `${WHOLE_ROW} - '{secret,former_secret,lease,next_try_at,is_slow}'::text[]`,
  }),
  section('public.webhook_deliveries'),
  section('public.stripe_customers', { key: 't.user_id' }),
  section('public.stripe_subscriptions', {
    owned: `t.customer_id in ${CUSTOMER}`,
    at: 'to_timestamp(t.stripe_created)',
    key: 't.subscription_id',
  }),
  section('public.payment_methods', { key: 't.payment_method_id' }),
  section('public.billing_checkouts'),
  section('public.billing_quotes', {
    owned: `t.subscription_id in ${SUBSCRIPTIONS}`,
    at: 't.expires_at',
    key: `t.subscription_id || ' ' || t.price_id`,
  }),
  section('public.stripe_events', {
    // One list: an "or" between the two would prevent index use.
    owned: `t.object_id in (${CUSTOMER} union all ${SUBSCRIPTIONS})`,
    at: 't.received_at',
    key: 't.event_id',
  }),
  section('private.billing_notices', {
    key: `t.kind || ' ' || t.subject_id`,
    row: `${WHOLE_ROW} - 'seq'`,
  }),
  section('private.votes', { row: `${WHOLE_ROW} - 'id'` }),
  section('private.audit_log', {
    owned: `t.actor_id = ${USER}`,
    at: 't.at',
    row: `${WHOLE_ROW} - 'id'`,
  }),
  section('storage.objects', {
    name: 'files',
    // Includes files that others put into the user's folder. Uses the index's order, in which "0" follows the slash.
    owned: `(t.owner_id = $1::text or (t.bucket_id = 'avatars'
      and t.name collate "C" >= $1::text || '/' and t.name collate "C" < $1::text || '0'))`,
    at: CREATED,
    row: `json_build_object('bucket', t.bucket_id, 'name', t.name, 'metadata', t.metadata,
      'user_metadata', t.user_metadata, 'created_at', t.created_at, 'updated_at', t.updated_at)`,
  }),
  section('public.error_logs', { at: 't.received_at', pageRows: HEAVY_PAGE }),
  section('private.outgoing_mail', {
    name: 'mails',
    // Mails to the confirmed address, and earlier mails to the user. A requested new address may be a stranger's: the
    // state of that mail would reveal whether the stranger has an account.
    owned: `(lower(t.to_address) = (select lower(u.email) from auth.users u
        where u.id = ${USER} and u.email_confirmed_at is not null and not u.is_sso_user)
      or ${OF_USER} and t.kind <> 'email_change' and exists (select from auth.users u
        where u.id = ${USER} and u.email_confirmed_at is not null and not u.is_sso_user))`,
    row: `json_build_object('kind', t.kind, 'to', t.to_address, 'subject', t.subject, 'state', t.state,
      'created_at', t.created_at, 'sent_at', t.sent_at)`,
  }),
];

/** Tables that a section's rows include, or that hold nothing about a user; tests/database requires a note on each. */
export const TABLES_WITHOUT_SECTION: Readonly<Record<string, string>> = {
  'auth.users': 'the account itself',
  'auth.mfa_amr_claims': 'proofs of the sessions',
  'public.prediction_outcomes': 'outcomes of the predictions',
  'auth.refresh_tokens': 'hashes of the sessions’ secrets',
  'auth.mfa_challenges': 'deleted after five minutes',
  'auth.one_time_tokens': 'hashes of emailed codes, deleted after an hour',
  'auth.flow_state': 'sign-ins in progress, deleted after an hour',
  'private.provider_pictures': 'about to be fetched; the address is in the identity',
  'private.outgoing_pushes': 'alerts on their way to a device, cleared once sent',
  'private.chat_messages': 'alerts on their way to a chat, cleared once sent',
  'private.chat_link_codes': 'hashes of codes, valid for ten minutes',
  'private.webhook_events': 'events on their way to a webhook, there for a moment',
  'private.quota_locks': 'only the id',
  'private.path_keys': 'one a day, of no account',
  'private.book_minutes': 'of the market, of no account',
  'private.releases': 'moments of announcements, of no account',
  'private.release_weeks': 'weeks of the calendar, of no account',
  'private.open_streams': 'only the id, deleted minutes after the stream',
  'private.last_votes': 'the latest of the votes',
  'private.last_predictions': 'when the latest prediction was saved',
  'private.verified_customers': 'only the id, while a verification runs',
  'storage.buckets': 'made by migrations, belongs to no account',
};

const accountRow = z.object({ account: z.string() });

/** Adds a download of the account's data to its activity log. */
export async function noteAccountExport(queries: Queries, userId: string): Promise<void> {
  const text = `select private.note_event(${USER}, 'export', 'downloaded', '{"file": "account"}')`;
  await queries.query(text, [userId]);
}

/** The account as JSON text; null if it is deleted. */
export async function readAccountExport(queries: Queries, userId: string): Promise<string | null> {
  const rows = await queries.query(
    `select json_build_object('id', u.id, 'email', u.email, 'phone', u.phone, 'role', u.role,
       'created_at', u.created_at, 'updated_at', u.updated_at, 'email_confirmed_at', u.email_confirmed_at,
       'phone_confirmed_at', u.phone_confirmed_at, 'last_sign_in_at', u.last_sign_in_at, 'invited_at', u.invited_at,
       'new_email', u.email_change, 'confirmation_sent_at', u.confirmation_sent_at, 'recovery_sent_at', u.recovery_sent_at,
       'banned_until', u.banned_until, 'is_sso_user', u.is_sso_user,
       'app_metadata', u.raw_app_meta_data, 'user_metadata', u.raw_user_meta_data)::text as account
     from auth.users u where u.id = ${USER}`,
    [userId],
  );
  return rows.length === 0 ? null : accountRow.parse(rows[0]).account;
}

const pageRow = z.object({ at: z.string(), key: z.string(), row: z.string() });

/** Yields the rows of one list as JSON texts, oldest first, one page at a time. */
export async function* exportRows(
  queries: Queries,
  { table, owned, at, key, row, pageRows }: ExportSection,
  userId: string,
): AsyncGenerator<string[]> {
  // Selects the rows before reading their contents, so that sorting does not read 200 candles for each.
  const text = `with page as materialized (
      select ${at} as at, (${key})::text as key, t.ctid as place from ${table} t
      where ${owned} and ($2::text is null or (${at}, (${key})::text) > ($2::text::timestamptz, $3::text))
      order by 1, 2 limit $4::int)
    select page.at::text as at, page.key, (${row})::text as row
    from page join ${table} t on t.ctid = page.place order by page.at, page.key`;
  let after: { at: string | null; key: string | null } = { at: null, key: null };
  for (;;) {
    const rows = z.array(pageRow).parse(await queries.query(text, [userId, after.at, after.key, pageRows]));
    if (rows.length > 0) yield rows.map((one) => one.row);
    const last = rows.at(-1);
    if (last === undefined || rows.length < pageRows) return;
    after = last;
  }
}
