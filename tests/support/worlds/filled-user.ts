/** An account with a row in every table that holds personal data, as months of use would leave it. */
import { createHash } from 'node:crypto';
import { type Database, OWNER } from '../../../server/platform/database/database.ts';
import { createDatabaseUser } from '../database/database-users.ts';

export interface FilledUser {
  id: string;
  email: string;
  customerId: string;
  /** The version in the user's file paths; their bytes are stored under it. */
  fileVersion: string;
  /** Everything about the user that a search for traces looks for. */
  traces: readonly string[];
}

const hash = (text: string): string => createHash('sha256').update(text).digest('hex');

/** @param name  in lower case; makes everything unique */
export async function fillUser(database: Database, name: string): Promise<FilledUser> {
  const email = `${name}@example.com`;
  const { id } = await createDatabaseUser(database, email);
  const uuid = (what: string): string =>
    hash(`${name} ${what}`).replace(/^(.{8})(.{4})(.{4})(.{4})(.{12}).*/, '$1-$2-$3-$4-$5');
  const customerId = `cus_${name}AbC`;
  const fileVersion = uuid('file');
  const candles = (count: number) =>
    `(select jsonb_agg(jsonb_build_object('time', n)) from generate_series(1, ${count}) n)`;
  const own = `'${uuid('reservation')}', '${id}', 'kat1', 'v', 'e', 's', 'l', 60, 'spent', now(), now(), '${uuid('prediction')}'`;
  const content = `${candles(150)}, ${candles(50)}, '{"marketKind": "simulated"}'`;
  const columns =
    'id, user_id, model, model_version, exc, sym, label, t0, state, created_at, expires_at, prediction_id';
  const reservation = `insert into private.kept_forecasts (id, history, forecast, start, created_at)
      values ('${uuid('forecast')}', ${content}, now());
    insert into private.prediction_reservations (${columns}, kept_forecast) values (${own}, '${uuid('forecast')}')`;
  const mailToFormerAddress = `insert into private.outgoing_mail (kind, to_address, subject, user_id, next_try_at, created_at)
      values ('receipt', 'before-${name}@example.com', 'To a former address', '${id}', now(), now());`;
  const text = `
    update auth.users set email_confirmed_at = now(), encrypted_password = '$2b$${name}', email_change = 'new-${email}',
      raw_user_meta_data = jsonb_build_object('full_name', 'Full ${name}') where id = '${id}';
    update public.profiles set full_name = 'Full ${name}', phone = '+49 ${name}', bio = '${name}', location = '${name}' where id = '${id}';
    insert into auth.identities (provider_id, user_id, identity_data, provider)
      values ('${id}', '${id}', jsonb_build_object('email', '${email}', 'name', E'line\\u2028break'), 'email');
    insert into auth.mfa_factors (id, user_id, factor_type, secret, friendly_name) values ('${uuid('factor')}', '${id}', 'totp', 'S${name}', '${name}');
    insert into auth.mfa_challenges (factor_id, ip_address, expires_at) values ('${uuid('factor')}', '192.0.2.7', now());
    insert into auth.sessions (id, user_id, user_agent, ip, factor_id) values ('${uuid('session')}', '${id}', '${name}-browser', '192.0.2.7', '${uuid('factor')}');
    insert into auth.mfa_amr_claims (session_id, authentication_method) values ('${uuid('session')}', 'password');
    insert into auth.refresh_tokens (token_hash, user_id, session_id) values ('${hash(`${name} token`)}', '${id}', '${uuid('session')}');
    insert into auth.flow_state (id, user_id, kind, provider, authentication_method, redirect_to, expires_at)
      values ('${uuid('flow')}', '${id}', 'email', 'email', 'magiclink', '/', now());
    insert into auth.one_time_tokens (user_id, purpose, email, code_hash, flow_id, expires_at)
      values ('${id}', 'recovery', '${email}', '${hash(`${name} code`)}', '${uuid('flow')}', now());
    insert into storage.objects (bucket_id, name, owner, owner_id, version, metadata)
      values ('avatars', '${id}/photo.png', '${id}', '${id}', '${fileVersion}', '{"size": 5}');
    insert into public.user_activity (user_id, activity_type) values ('${id}', 'account_created');
    insert into public.onboarding_marks (user_id, mark) values ('${id}', 'tour-ended');
    insert into public.watched_pairs (user_id, sym, timeframe, place) values ('${id}', 'BTCUSDT.P', '5min', 1);
    insert into public.paper_trades (user_id, id, market_kind, sym, side, entry_price, exit_price, opened_at, closed_at)
      values ('${id}', md5('${name} trade'), 'simulated', 'BTCUSDT.P', 'long', 100, 101, now(), now());
    insert into public.account_events (user_id, kind, action, details) values ('${id}', 'sign-in', 'signed-in', '{"user_agent": "${name}-browser"}');
    insert into public.error_logs (error_message, context, user_id, fingerprint)
      values ('broken', '{"page": "${id}"}', '${id}', repeat('0', 32)), ('broken', '{"said": "${email}"}', null, repeat('0', 32));
    insert into public.user_predictions (id, user_id, cryptocurrency, model, data) values ('${uuid('prediction')}', '${id}', 'BTC', 'kat1', ${candles(200)});
    insert into public.prediction_outcomes (prediction_id, user_id, market_kind, sym, join_s, due_at, next_try_at)
      values ('${uuid('prediction')}', '${id}', 'simulated', 'BTCUSDT.P', 60, now(), now());
    insert into public.prediction_shares (prediction_id, user_id, token)
      values ('${uuid('prediction')}', '${id}', md5('${name} share'));
    ${reservation};
    insert into private.quota_locks (user_id) values ('${id}');
    insert into private.last_predictions (user_id, at) values ('${id}', now());
    insert into private.open_streams (user_id, place, holder, ends_at) values ('${id}', 1, '${uuid('stream')}', now());
    insert into private.provider_pictures (user_id, url) values ('${id}', 'https://example.com/${name}.png');
    insert into private.recovery_codes (user_id, code_hash, created_at) values ('${id}', '${hash(`${name} recovery`)}', now());
    insert into public.api_keys (user_id, name, prefix, key_hash, expires_at)
      values ('${id}', '${name}', 'kat_abcdef', sha256('${name}'), now() + interval '1 day');
    insert into public.changelog_posts (id, content, author_id, created_at, updated_at, published_at)
      values ('${uuid('post')}', 'A post for everybody', '${id}', now(), now(), now());
    insert into public.changelog_post_likes (post_id, user_id) values ('${uuid('post')}', '${id}');
    insert into public.user_changelog_state (user_id, last_seen_post_id) values ('${id}', '${uuid('post')}');
    insert into private.votes (user_id, currency, direction, created_at) values ('${id}', 'btc', 'up', now());
    insert into private.last_votes (user_id, currency, direction, voted_at) values ('${id}', 'btc', 'up', now());
    insert into private.audit_log (actor_id, action, subject, details) values
      ('${id}', 'changelog.insert', '${uuid('post')}', '{}'),
      (null, 'role.grant', '${id}', '{"before": "user", "after": "admin"}');
    insert into public.alert_rules (user_id, kind, prediction_id, by_mail, by_push) values ('${id}', 'band-broken', '${uuid('prediction')}', true, true);
    insert into public.alerts (user_id, kind, subject, facts, made_at) values ('${id}', 'band-broken', '${uuid('prediction')}', '{}', now());
    insert into public.push_subscriptions (id, user_id, endpoint, endpoint_hash, p256dh, auth, device)
      values ('${uuid('device')}', '${id}', 'https://push.example.com/${name}', '${hash(`${name} device`)}', repeat('a', 87), repeat('b', 22), 'Browser');
    insert into private.outgoing_pushes (subscription_id, key, title, text_body, path, next_try_at, expires_at, created_at)
      values ('${uuid('device')}', 'k', 'Hello ${name}', 'text', '/', now(), now(), now());
    insert into public.chat_channels (id, user_id, service, chat_id, title)
      values ('${uuid('chat')}', '${id}', 'telegram', (${BigInt(`0x${hash(`${name} chat`).slice(0, 12)}`)})::text, 'Chat of ${name}');
    insert into private.chat_messages (service, chat_id, channel_id, key, text_body, next_try_at, expires_at, created_at)
      select service, chat_id, id, 'k', 'Hello ${name}', now(), now(), now() from public.chat_channels where id = '${uuid('chat')}';
    insert into private.chat_link_codes (user_id, service, code_hash, expires_at)
      values ('${id}', 'discord', '${hash(`${name} code`)}', now() + interval '10 minutes');
    insert into public.webhook_endpoints (id, user_id, url, events, secret)
      values ('${uuid('endpoint')}', '${id}', 'https://hooks.example.com/${name}', '{alert.created}', 'whsec_${'s'.repeat(43)}');
    insert into public.webhook_deliveries (endpoint_id, user_id, event_id, event, body, created_at)
      values ('${uuid('endpoint')}', '${id}', '${uuid('event')}', 'alert.created', '{"of": "${name}"}', now());
    insert into private.webhook_events (user_id, event, facts) values ('${id}', 'alert.created', '{}');
    insert into private.outgoing_mail (kind, to_address, subject, text_body, html_body, next_try_at, created_at)
      values ('welcome', '${email.toUpperCase()}', 'Hello ${name}', 'text', 'html', now(), now());
    ${mailToFormerAddress}
    insert into public.stripe_customers (user_id, customer_id, mode) values ('${id}', '${customerId}', 'sandbox');
    insert into public.stripe_subscriptions (subscription_id, customer_id, price_id, status, stripe_created)
      values ('sub_${name}', '${customerId}', 'price', 'canceled', 1);
    insert into public.payment_methods (payment_method_id, user_id, brand, last4) values ('pm_${name}', '${id}', 'visa', '4242');
    insert into public.billing_checkouts (user_id, price_id, session_id) values ('${id}', 'price', 'cs_${name}');
    insert into public.billing_quotes (subscription_id, price_id, proration_date, amount_due, expires_at) values ('sub_${name}', 'price', 1, 1, now());
    insert into private.billing_notices (kind, subject_id, user_id, subscription_id, is_mailed, created_at)
      values ('receipt', 'in_${name}', '${id}', 'sub_${name}', true, now());
    insert into public.stripe_events (event_id, type, livemode, created, object_id) values ('evt_${name}', 'customer.updated', false, 1, '${customerId}');
    insert into public.billing_alarms (kind, subject, details) values ('refund', 'ch_${name}', '{"customer": "${customerId}"}');
    insert into private.verified_customers (customer_id) values ('${customerId}');`;
  await database.transaction(OWNER, async (tx) => {
    // Plain rows: triggers are off.
    await tx.query("set local session_replication_role = 'replica'");
    for (const statement of text.split(/;\n/)) await tx.query(statement);
    await tx.query("set local session_replication_role = 'origin'");
  });
  return {
    id,
    email,
    customerId,
    fileVersion,
    traces: [
      id,
      email,
      `new-${email}`,
      customerId,
      `sub_${name}`,
      `Full ${name}`,
      `pm_${name}`,
      fileVersion,
      ...['session', 'factor', 'device', 'chat', 'flow', 'prediction', 'reservation'].map(uuid),
    ],
  };
}
