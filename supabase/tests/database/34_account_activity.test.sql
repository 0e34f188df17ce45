begin;
select plan(25);
select tests.create_user('ada');
select tests.create_user('bob');
select tests.create_user('root', 'admin');

-- What is recorded
insert into auth.sessions (id, user_id, user_agent, ip)
values ('00000000-0000-4000-8000-0000000000a1', tests.id_of('ada'), 'Firefox', '192.0.2.1'),
       ('00000000-0000-4000-8000-0000000000b1', tests.id_of('bob'), 'Chrome', '192.0.2.2');
select results_eq(
  $$ select kind, action, details from public.account_events where user_id = tests.id_of('ada') $$,
  $$ values ('sign-in', 'signed-in', '{"user_agent": "Firefox", "ip": "192.0.2.1"}'::jsonb) $$, 'a sign-in, with browser and address');
delete from public.account_events where user_id = tests.id_of('ada');
delete from auth.sessions where id = '00000000-0000-4000-8000-0000000000a1';
update auth.users set encrypted_password = 'another' where id = tests.id_of('ada');
update auth.users set encrypted_password = 'another', email = 'ada2@example.com' where id = tests.id_of('ada');
insert into auth.mfa_factors (id, user_id, factor_type, friendly_name, secret)
values ('00000000-0000-4000-8000-0000000000f1', tests.id_of('ada'), 'totp', 'Phone', 's');
update auth.mfa_factors set status = 'verified' where id = '00000000-0000-4000-8000-0000000000f1';
delete from auth.mfa_factors where id = '00000000-0000-4000-8000-0000000000f1';
insert into auth.identities (provider_id, user_id, identity_data, provider)
values ('1', tests.id_of('ada'), '{}', 'email');
insert into auth.identities (provider_id, user_id, identity_data, provider)
values ('2', tests.id_of('ada'), '{}', 'google');
delete from auth.identities where user_id = tests.id_of('ada') and provider = 'google';
insert into public.push_subscriptions (user_id, endpoint, endpoint_hash, p256dh, auth, device)
values (tests.id_of('ada'), 'https://push.example/ada', repeat('a', 64), repeat('B', 87), repeat('A', 22), 'Firefox on Linux');
delete from public.push_subscriptions where user_id = tests.id_of('ada');
insert into private.billing_notices (kind, subject_id, user_id, subscription_id, price_id, is_mailed, created_at) values
  ('first_seen', 's', tests.id_of('ada'), 's', 'price_kat_lion_monthly', false, now()),
  ('receipt', 'in', tests.id_of('ada'), 's', null, true, now()),
  ('downgrade_scheduled', 's/1', tests.id_of('ada'), 's', 'price_kat_bobcat_monthly', true, now()),
  ('subscription_ended', 's', tests.id_of('ada'), 's', null, true, now());
select results_eq(
  $$ select kind, action, details - 'user_agent' - 'ip' from public.account_events where user_id = tests.id_of('ada') order by id $$,
  $$ values ('security', 'signed-out', '{}'::jsonb), ('security', 'password-changed', '{}'), ('security', 'email-changed', '{}'),
       ('security', 'factor-added', '{"name": "Phone"}'), ('security', 'factor-removed', '{"name": "Phone"}'),
       ('security', 'method-added', '{"provider": "google"}'), ('security', 'method-removed', '{"provider": "google"}'),
       ('security', 'notifications-on', '{"device": "Firefox on Linux"}'), ('security', 'notifications-off', '{"device": "Firefox on Linux"}'),
       ('plan', 'plan-started', '{"plan": "lion"}'), ('plan', 'downgrade-scheduled', '{"plan": "bobcat"}'), ('plan', 'plan-ended', '{}') $$,
  'each change once; neither the first sign-in method nor a receipt');
insert into auth.sessions (id, user_id, updated_at)
values ('00000000-0000-4000-8000-0000000000a2', tests.id_of('ada'), now() - interval '91 days');
delete from public.account_events where user_id = tests.id_of('ada');
delete from auth.sessions where user_id = tests.id_of('ada');
select is_empty($$ select from public.account_events where user_id = tests.id_of('ada') $$, 'an abandoned session that the sweep deletes is no activity');
select throws_ok(format('insert into public.account_events (user_id, kind, action, details) values (%L, %s)', tests.id_of('ada'), line),
  '23514', null, what || ' is refused')
  from (values ('another kind', $$ 'prediction', 'signed-in', '{}' $$), ('an action in other letters', $$ 'plan', 'Plan started', '{}' $$),
    ('details of 2,001 bytes', format($$ 'plan', 'plan-started', jsonb_build_object('a', %L) $$, repeat('x', 2000)))) t (what, line);

-- The whole log
insert into public.account_events (user_id, kind, action, at) values
  (tests.id_of('ada'), 'sign-in', 'signed-in', now() - interval '4 hours'),
  (tests.id_of('ada'), 'plan', 'plan-started', now() - interval '91 days'),
  (tests.id_of('ada'), 'plan', 'plan-changed', now() - interval '3 hours'),
  (tests.id_of('bob'), 'plan', 'plan-ended', now() - interval '1 hour');
insert into public.user_predictions (user_id, cryptocurrency, model, created_at, data)
select tests.id_of(u), 'BTC', 'kat1', now() - interval '2 hours', jsonb_agg(n) from generate_series(1, 200) n, unnest(array['ada', 'bob']) u group by u;
insert into public.api_keys (user_id, name, prefix, key_hash, created_at, revoked_at)
values (tests.id_of('ada'), 'bot', 'kat_abcdef', sha256('k'), now() - interval '90 minutes', now() - interval '80 minutes');
insert into public.user_activity (user_id, activity_type, created_at) values (tests.id_of('ada'), 'account_created', now() - interval '5 hours');
select tests.sign_in_as('ada');
select results_eq('select kind, action from public.account_activity order by at desc, id desc',
  $$ values ('security', 'key-revoked'), ('security', 'key-created'), ('prediction', 'predicted'), ('plan', 'plan-changed'),
       ('sign-in', 'signed-in'), ('sign-in', 'account-created') $$, 'newest first, of 90 days, from every table');
select results_eq('select distinct user_id from public.account_activity', $$ select tests.id_of('ada') $$, 'an owner reads only her own');
select results_eq($$ select action from public.account_activity where kind = 'plan' $$, array['plan-changed'], 'one kind alone');
select results_eq('select action from public.account_activity order by at desc, id desc limit 2 offset 2',
  array['predicted', 'plan-changed'], 'the second page continues the first');
select results_eq($$ select details from public.account_activity where kind = 'prediction' $$,
  $$ values ('{"symbol": "BTC", "model": "kat1"}'::jsonb) $$, 'a prediction with symbol and model');
select is_empty($$ select from public.account_activity where user_id = tests.id_of('bob') $$, 'nothing of another user by id');
select throws_ok(text, '42501', null, 'she cannot ' || what) from (values
  ('add to it', $$ insert into public.account_events (user_id, kind, action) values (tests.id_of('ada'), 'plan', 'plan-started') $$),
  ('rewrite it', $$ update public.account_events set action = 'x-y' $$),
  ('delete from it', 'delete from public.account_events'),
  ('note anything', $$ select private.note_event(tests.id_of('bob'), 'plan', 'plan-ended') $$)) t (what, text);

-- Exports
select lives_ok($$ select public.record_export('predictions'), public.record_export('activity') $$, 'an export is recorded');
select lives_ok($$ select public.record_export('predictions') $$, 'again within a minute');
select results_eq($$ select details ->> 'file' from public.account_activity where kind = 'export' order by 1 $$,
  array['activity', 'predictions'], 'once each');
select throws_ok($$ select public.record_export('secrets') $$, '22023', null, 'no other file is an export');

-- Everybody else
select tests.sign_in_as('root');
select is_empty('select from public.account_activity', 'an admin sees none of others');
select tests.become_owner();
select set_config('request.jwt.claims', '', true);
set local role anon;
select throws_ok('select from public.account_activity', '42501', null, 'a visitor reads none');
select throws_ok($$ select public.record_export('activity') $$, '42501', null, 'and records none');

select tests.become_owner();

-- Webhooks
insert into public.webhook_endpoints (id, user_id, url, events, secret) values ('00000000-0000-4000-8000-0000000000e1',
  tests.id_of('bob'), 'https://user:word@hooks.example:443/secret?key=1', '{alert.created}', 'whsec_' || repeat('a', 43));
update public.webhook_endpoints set failures = 1, failing_since = now(), is_slow = true, next_try_at = now();
update public.webhook_endpoints set url = url, events = events, secret = secret;
update public.webhook_endpoints set events = '{alert.created,forecast.issued}';
update public.webhook_endpoints set former_secret = secret, former_until = now(), secret = 'whsec_' || repeat('b', 43);
update public.webhook_endpoints set url = 'https://other.example';
update public.webhook_endpoints set state = 'paused', pause_reason = 'failing', paused_at = now();
delete from public.webhook_endpoints;
select results_eq(
  $$ select action, details from public.account_events where user_id = tests.id_of('bob') and action like 'webhook-%' order by id $$,
  $$ values ('webhook-added', '{"name": "hooks.example:443"}'::jsonb), ('webhook-changed', '{"name": "hooks.example:443"}'),
       ('webhook-secret-changed', '{"name": "hooks.example:443"}'), ('webhook-changed', '{"name": "other.example"}'),
       ('webhook-removed', '{"name": "other.example"}') $$,
  'each change of a webhook once, with its host alone; what the server writes is no change');

-- Without the account
insert into public.webhook_endpoints (user_id, url, events, secret)
values (tests.id_of('ada'), 'https://hooks.example/', '{alert.created}', 'whsec_' || repeat('a', 43));
delete from auth.users where id = tests.id_of('ada');
select is((select count(*) from public.account_events where user_id not in (select id from auth.users)), 0::bigint, 'goes with the account');
select * from finish();
rollback;
