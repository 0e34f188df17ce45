/**
 * Lists, table by table, the rows that an erased account loses. Rows that belong only to the account are deleted. Rows
 * that others still read, or that were written for the operator, stay without its name. The public record holds no
 * account data. tests/database/erasure.test.ts checks the whole catalogue for tables missing here.
 */
import * as z from 'zod/mini';
import type { Transaction } from '../../platform/database/database.ts';

const tracesSchema = z.object({
  id: z.string(),
  /** Lower-case addresses: the account's own, a pending new one, and those of its identities. */
  addresses: z.array(z.string()),
  /** Addresses that no other account has, so the queues may be searched for them. */
  ownAddresses: z.array(z.string()),
  customers: z.array(z.object({ customerId: z.string(), mode: z.nullable(z.string()) })),
  subscriptions: z.array(z.object({ subscriptionId: z.string(), isRunning: z.boolean() })),
  /** Versions that find the bytes of its files. */
  versions: z.array(z.string()),
});
export type AccountTraces = z.infer<typeof tracesSchema>;

interface Erasure {
  table: string;
  /** SQL in which the table is `t`, the id `$1`, own addresses `$2`, ids at the payment provider `$3`. */
  where: string;
  /** Overwrites the columns that named the account; absent: the row is deleted. */
  set?: string;
}

const ID = '$1::text::uuid';
const OWN = `t.user_id = ${ID}`;
const SESSIONS = `t.session_id in (select s.id from auth.sessions s where s.user_id = ${ID})`;
const PROVIDER_IDS = 'any ($3::text[])';
const FILES = `(t.owner_id = $1::text or (t.bucket_id = 'avatars'
  and t.name collate "C" >= $1::text || '/' and t.name collate "C" < $1::text || '0'))`;
/** `n@example.com` is no mark in a text that names `john@example.com` or `n@example.com.au`. */
const ADDRESS_BEGINS = '(^|[^a-z0-9._%+-])';
const ADDRESS_ENDS = '($|[^a-z0-9._-]|[.-]($|[^a-z0-9]))';
const ESCAPED = String.raw`regexp_replace(lower(m.mark), '([].[*+?^$(){}|\\])', '\\\1', 'g')`;
/** Matches any mark of the account in a text. No mark is shorter than an id or an address. */
const named = (text: string): string =>
  `exists (select from unnest(array[$1::text] || $2::text[] || $3::text[]) as m (mark) where case
    when position('@' in m.mark) > 0 then lower(${text}) ~ ('${ADDRESS_BEGINS}' || ${ESCAPED} || '${ADDRESS_ENDS}')
    else position(lower(m.mark) in lower(${text})) > 0 end)`;
const MENTIONED = named(`concat_ws(' ', t.error_message, t.error_stack, t.context::text)`);

const own = (table: string): Erasure => ({ table, where: OWN });

/** In order of execution: referring rows first, the account itself last. */
const ERASURES: readonly Erasure[] = [
  { table: 'private.outgoing_mail', where: `(${OWN} or lower(t.to_address) = any ($2::text[]))` },
  {
    table: 'private.outgoing_pushes',
    where: `t.subscription_id in (select s.id from public.push_subscriptions s where s.user_id = ${ID})`,
  },
  own('public.push_subscriptions'),
  {
    table: 'private.chat_messages',
    where: `t.channel_id in (select c.id from public.chat_channels c where c.user_id = ${ID})`,
  },
  own('private.chat_link_codes'),
  own('public.chat_channels'),
  own('private.webhook_events'),
  own('public.webhook_deliveries'),
  own('public.webhook_endpoints'),
  own('public.alerts'),
  own('public.alert_rules'),
  own('private.open_streams'),
  { table: 'public.error_logs', where: `(${OWN} or ${MENTIONED})` },
  own('public.user_activity'),
  own('public.onboarding_marks'),
  own('public.watched_pairs'),
  own('public.paper_trades'),
  own('private.prediction_reservations'),
  own('public.prediction_shares'),
  own('public.prediction_outcomes'),
  own('public.user_predictions'),
  own('private.last_predictions'),
  own('private.quota_locks'),
  own('public.api_keys'),
  { table: 'public.billing_quotes', where: `t.subscription_id = ${PROVIDER_IDS}` },
  { table: 'public.stripe_events', where: `t.object_id = ${PROVIDER_IDS}` },
  { table: 'public.billing_alarms', where: `(t.subject = ${PROVIDER_IDS} or ${named('t.details::text')})` },
  { table: 'private.verified_customers', where: `t.customer_id = ${PROVIDER_IDS}` },
  { table: 'public.stripe_subscriptions', where: `t.customer_id = ${PROVIDER_IDS}` },
  own('private.billing_notices'),
  own('public.billing_checkouts'),
  own('public.payment_methods'),
  own('public.stripe_customers'),
  own('public.changelog_post_likes'),
  own('public.user_changelog_state'),
  { table: 'public.changelog_posts', where: `t.author_id = ${ID}`, set: 'author_id = null' },
  own('private.last_votes'),
  { table: 'private.votes', where: OWN, set: 'user_id = null' },
  {
    table: 'private.audit_log',
    where: `(t.actor_id = ${ID} or ${named("concat_ws(' ', t.subject, t.details::text)")})`,
    set: `actor_id = nullif(t.actor_id, ${ID}),
      subject = case when ${named("coalesce(t.subject, '')")} then null else t.subject end,
      details = case when ${named('t.details::text')} then '{}' else t.details end`,
  },
  { table: 'storage.objects', where: FILES },
  {
    table: 'storage.buckets',
    where: `(t.owner = ${ID} or t.owner_id = $1::text)`,
    set: 'owner = null, owner_id = null',
  },
  own('private.provider_pictures'),
  own('private.recovery_codes'),
  own('auth.one_time_tokens'),
  { table: 'auth.flow_state', where: `(${OWN} or t.linking_user_id = ${ID})` },
  { table: 'auth.mfa_amr_claims', where: SESSIONS },
  own('auth.refresh_tokens'),
  own('auth.sessions'),
  {
    table: 'auth.mfa_challenges',
    where: `t.factor_id in (select f.id from auth.mfa_factors f where f.user_id = ${ID})`,
  },
  own('auth.mfa_factors'),
  own('auth.identities'),
  // After sessions, factors, devices and identities: deleting those adds events.
  own('public.account_events'),
  { table: 'public.profiles', where: `t.id = ${ID}` },
  { table: 'auth.users', where: `t.id = ${ID}` },
];

export interface ErasedRows {
  table: string;
  rows: number;
  /** The rows stay, without the account's name. */
  stay: boolean;
}

export async function tracesOf(tx: Transaction, id: string): Promise<AccountTraces> {
  const [row] = await tx.query(
    `with addresses as (
       select lower(a.address) as address from (
         select u.email::text as address from auth.users u where u.id = ${ID}
         union select u.email_change::text from auth.users u where u.id = ${ID}
         union select i.identity_data ->> 'email' from auth.identities i where i.user_id = ${ID}
       ) a where a.address <> '')
     select $1::text as id,
       coalesce((select json_agg(address order by address) from addresses), '[]') as addresses,
       coalesce((select json_agg(a.address order by a.address) from addresses a where not exists (
         select from auth.users o where o.id <> ${ID} and lower(o.email) = a.address)), '[]') as "ownAddresses",
       coalesce((select json_agg(json_build_object('customerId', c.customer_id, 'mode', c.mode))
         from public.stripe_customers c where c.user_id = ${ID} and c.customer_id is not null), '[]') as customers,
       coalesce((select json_agg(json_build_object('subscriptionId', s.subscription_id,
           'isRunning', s.status not in ('canceled', 'incomplete_expired')))
         from public.stripe_subscriptions s join public.stripe_customers c on c.customer_id = s.customer_id
        where c.user_id = ${ID}), '[]') as subscriptions,
       coalesce((select json_agg(t.version) from storage.objects t where t.version is not null and ${FILES}), '[]') as versions`,
    [id],
  );
  return tracesSchema.parse(row);
}

export async function eraseRows(tx: Transaction, traces: AccountTraces, isDry: boolean): Promise<ErasedRows[]> {
  const ids = [
    ...traces.customers.map(({ customerId }) => customerId),
    ...traces.subscriptions.map(({ subscriptionId }) => subscriptionId),
  ];
  const done: ErasedRows[] = [];
  for (const { table, where, set } of ERASURES) {
    // Every statement mentions all three values, so that each has a type even where it is unused.
    const known = `($1::text is not null and $2::text[] is not null and $3::text[] is not null and ${where})`;
    const change =
      set === undefined ? `delete from ${table} t where ${known}` : `update ${table} t set ${set} where ${known}`;
    const text = isDry
      ? `select count(*)::int as rows from ${table} t where ${known}`
      : `with changed as (${change} returning 1) select count(*)::int as rows from changed`;
    const [counted] = await tx.query(text, [traces.id, traces.ownAddresses, ids]);
    const { rows } = z.object({ rows: z.int() }).parse(counted);
    if (rows > 0) done.push({ table, rows, stay: set !== undefined });
  }
  return done;
}

/** The operator's command, or the account's owner on the site. */
export type ErasedBy = 'command' | 'owner';

/** Records that an account was erased and how many rows were changed, but not which account. */
export async function writeErasure(tx: Transaction, done: readonly ErasedRows[], by: ErasedBy): Promise<void> {
  const details = JSON.stringify({ by, rows: done.reduce((sum, { rows }) => sum + rows, 0) });
  await tx.query('select private.write_audit($1::text, null, $2::jsonb, null)', ['account.erase', details]);
}
