/**
 * Everything that reaches into an account or out of it, and when it ends besides by its owner's own hand.
 * tests/database/account-access.test.ts compares the list with every table that belongs to accounts.
 */
import * as z from 'zod/mini';
import type { Transaction } from '../../../platform/database/database.ts';

/**
 * `first-proof`: someone proves the address of an account that another person may have created. `new-password`: its
 * owner may want to lock someone out. `sign-out`: of all other devices, or of all.
 */
export type Closing = 'first-proof' | 'new-password' | 'sign-out';

interface Opening {
  table: string;
  /** SQL in which the table is `t`, the account `$1`, the session that stays `$2`, the flow that stays `$3`, its address `$4`. */
  where?: string;
  /** What replaces the opening in a row that stays; the time is `$5`. Absent: the row is deleted. */
  set?: string;
  endsOn: readonly Closing[];
}

const ALWAYS: readonly Closing[] = ['first-proof', 'new-password', 'sign-out'];
const OWN = 't.user_id = $1::text::uuid';

/** In the order in which everything locks them: the account's row is locked already, its sessions come next. */
const OPENINGS: readonly Opening[] = [
  { table: 'auth.sessions', where: `${OWN} and t.id is distinct from $2::text::uuid`, endsOn: ALWAYS },
  { table: 'auth.mfa_factors', endsOn: ['first-proof'] },
  { table: 'private.recovery_codes', endsOn: ['first-proof'] },
  { table: 'auth.one_time_tokens', endsOn: ['first-proof', 'new-password'] },
  {
    table: 'auth.flow_state',
    where: `(${OWN} or t.linking_user_id = $1::text::uuid) and t.id is distinct from $3::text::uuid`,
    endsOn: ALWAYS,
  },
  {
    table: 'auth.identities',
    where: `${OWN} and t.provider <> 'email' and not (coalesce(t.email = lower($4::text), false)
      and coalesce(t.identity_data ->> 'email_verified' = 'true', false))`,
    endsOn: ['first-proof'],
  },
  {
    table: 'auth.users',
    where: 't.id = $1::text::uuid',
    set: `encrypted_password = null, email_change = null, email_change_proofs = 0, updated_at = $5::text::timestamptz,
      raw_app_meta_data = t.raw_app_meta_data || jsonb_build_object('provider', 'email', 'providers', (
        select coalesce(jsonb_agg(i.provider order by i.created_at, i.id), '["email"]'::jsonb)
          from auth.identities i where i.user_id = t.id))`,
    endsOn: ['first-proof'],
  },
  {
    table: 'auth.users',
    where: 't.id = $1::text::uuid',
    set: 'email_change = null, email_change_proofs = 0',
    endsOn: ['new-password'],
  },
  { table: 'public.api_keys', endsOn: ['first-proof'] },
  { table: 'private.webhook_events', endsOn: ['first-proof'] },
  { table: 'public.webhook_deliveries', endsOn: ['first-proof'] },
  { table: 'public.webhook_endpoints', endsOn: ['first-proof'] },
  { table: 'private.chat_link_codes', endsOn: ALWAYS },
  { table: 'public.chat_channels', endsOn: ['first-proof'] },
  // They show alerts on a locked screen, signed in or not. The page turns its own browser's on again.
  { table: 'public.push_subscriptions', endsOn: ALWAYS },
  { table: 'public.prediction_shares', endsOn: ['first-proof'] },
];

/** What is not part of signing in: a hosted project has its own tables for that. */
const OF_PRODUCT = OPENINGS.filter(({ table }) => !table.startsWith('auth.'));

export interface EndedAccess {
  userId: string;
  /** It stays; null: all end. */
  currentSessionId?: string | null;
  currentFlowId?: string | null;
  /** Only for a first proof: identities of this verified address stay. */
  email?: string | null;
}

const idRow = z.object({ id: z.string() });

/**
 * The caller has locked the account's row. Name and picture stay: they grant no access.
 * @returns the ids of the sessions that ended: pass them to the verifier once the transaction is committed
 */
export async function endAccess(
  tx: Transaction,
  closing: Closing,
  account: EndedAccess,
  nowIso: string,
): Promise<string[]> {
  // In the order of their ids, as everywhere, so two requests that end sessions never deadlock.
  await tx.query('select 1 from auth.sessions where user_id = $1::text::uuid order by id for update', [account.userId]);
  return end(tx, OPENINGS, closing, account, nowIso);
}

/** The same without sessions and everything else of signing in, on either kind of backend. */
export async function endProductAccess(tx: Transaction, closing: Closing, userId: string): Promise<void> {
  await end(tx, OF_PRODUCT, closing, { userId }, '');
}

async function end(
  tx: Transaction,
  openings: readonly Opening[],
  closing: Closing,
  { userId, currentSessionId = null, currentFlowId = null, email = null }: EndedAccess,
  nowIso: string,
): Promise<string[]> {
  const values = [userId, currentSessionId, currentFlowId, email, nowIso];
  const ended: string[] = [];
  for (const { table, where = OWN, set, endsOn } of openings) {
    if (!endsOn.includes(closing)) continue;
    const change = set === undefined ? `delete from ${table} t` : `update ${table} t set ${set}`;
    // Every statement mentions all five values, so that each has a type even where it is unused.
    const typed = "concat($1::text, $2::text, $3::text, $4::text, $5::text) <> ''";
    const returned = table === 'auth.sessions' ? 'returning t.id::text as id' : '';
    const rows = await tx.query(`${change} where ${typed} and ${where} ${returned}`, values);
    if (returned !== '') ended.push(...rows.map((row) => idRow.parse(row).id));
  }
  return ended;
}
