/** What opens an account ends when someone else's access has to end; no table that belongs to accounts is forgotten. */
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type Closing, endAccess } from '../../server/backend/auth/accounts/account-access.ts';
import { type Database, OWNER } from '../../server/platform/database/database.ts';
import { everything, mentions } from '../support/database/account-traces.ts';
import { openTestDatabase } from '../support/database/database.ts';
import { dayDatabase } from '../support/database/day-database.ts';
import { type FilledUser, fillUser } from '../support/worlds/filled-user.ts';

/** They open nothing: content, settings, payments, what is on its way to the owner, and what happened. */
const STAYS = [
  ...['auth.users', 'auth.identities', 'public.profiles', 'public.user_activity', 'public.account_events'],
  ...['public.user_predictions', 'public.prediction_outcomes', 'private.prediction_reservations'],
  ...['private.last_predictions', 'private.quota_locks', 'private.open_streams', 'public.watched_pairs'],
  'public.paper_trades',
  ...['public.alert_rules', 'public.alerts', 'public.onboarding_marks', 'public.user_changelog_state'],
  ...['public.changelog_posts', 'public.changelog_post_likes', 'private.votes', 'private.last_votes'],
  ...['private.provider_pictures', 'storage.objects', 'public.error_logs', 'private.audit_log'],
  ...['private.outgoing_mail', 'private.billing_notices', 'public.billing_checkouts', 'public.billing_quotes'],
  ...['public.billing_alarms', 'public.payment_methods', 'public.stripe_customers', 'public.stripe_subscriptions'],
  ...['public.stripe_events', 'private.verified_customers'],
];
const ALWAYS = ['auth.flow_state', 'auth.sessions', 'private.chat_link_codes', 'public.push_subscriptions'];
/** Deleted with the rows that they belong to. */
const WITH_THEM = ['auth.mfa_amr_claims', 'auth.one_time_tokens', 'auth.refresh_tokens', 'private.outgoing_pushes'];
const ENDS: Record<Closing, string[]> = {
  'sign-out': [...ALWAYS, ...WITH_THEM],
  'new-password': [...ALWAYS, ...WITH_THEM],
  'first-proof': [
    ...[...ALWAYS, ...WITH_THEM, 'auth.mfa_factors', 'auth.mfa_challenges'],
    ...['private.recovery_codes', 'public.api_keys', 'public.webhook_endpoints', 'public.webhook_deliveries'],
    ...['private.webhook_events', 'public.chat_channels', 'private.chat_messages', 'public.prediction_shares'],
  ],
};

let database: Database;
let ann: FilledUser;
let bob: FilledUser;
beforeEach(async () => {
  database = await openTestDatabase(dayDatabase);
  ann = await fillUser(database, 'ann');
  bob = await fillUser(database, 'bob');
});
afterEach(() => database.close());

const tablesOf = async (user: FilledUser) =>
  new Set(mentions(await everything(database), user).map(({ table }) => table));

test.each(Object.keys(ENDS) as Closing[])('ends by %s exactly what opens the account then', async (closing) => {
  const [before, ofBob] = [await tablesOf(ann), await tablesOf(bob)];

  const ended = await database.transaction(OWNER, (tx) =>
    endAccess(tx, closing, { userId: ann.id, email: ann.email }, new Date().toISOString()),
  );

  const after = await tablesOf(ann);
  expect(ended).toHaveLength(1);
  expect([...before].filter((table) => !after.has(table)).toSorted()).toEqual(ENDS[closing].toSorted());
  const unknown = [...before].filter((table) => !STAYS.includes(table) && !ENDS['first-proof'].includes(table));
  expect(unknown).toEqual([]);
  expect(await tablesOf(bob)).toEqual(ofBob);
});

test('removes the password with the first proof, and leaves the present session when a new one is set', async () => {
  const [session] = await database.query<{ id: string }>(
    OWNER,
    'select id::text as id from auth.sessions where user_id = $1::text::uuid',
    [ann.id],
  );
  const passwordOf = async () => {
    const rows = await database.query(
      OWNER,
      'select encrypted_password as hash from auth.users where id = $1::text::uuid',
      [ann.id],
    );
    return rows[0]?.hash;
  };
  const end = (closing: Closing, currentSessionId: string | null) =>
    database.transaction(OWNER, (tx) =>
      endAccess(tx, closing, { userId: ann.id, email: ann.email, currentSessionId }, new Date().toISOString()),
    );

  expect(await end('new-password', session?.id ?? null)).toEqual([]);
  expect(await passwordOf()).not.toBeNull();
  expect(await end('first-proof', null)).toEqual([session?.id]);
  expect(await passwordOf()).toBeNull();
});
