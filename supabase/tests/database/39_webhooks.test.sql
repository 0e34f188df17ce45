begin;
select plan(35);
select tests.create_user('ada');
select tests.create_user('bob');
select tests.create_user('root', 'admin');
insert into public.webhook_endpoints (user_id, url, events, secret)
values
  (tests.id_of('ada'), 'https://hooks.example/ada', '{alert.created,prediction.resolved}', 'whsec_' || repeat('a', 43)),
  (tests.id_of('bob'), 'https://hooks.example/bob', '{alert.created,forecast.issued}', 'whsec_' || repeat('b', 43));
insert into public.webhook_deliveries (endpoint_id, user_id, event_id, event, body, created_at)
select id, user_id, md5(url)::uuid, 'alert.created', '{}', now() from public.webhook_endpoints;

-- What is an endpoint
select throws_ok(format($$ insert into public.webhook_endpoints (user_id, url, events, secret) values (%L, %L, %L, %L) $$,
    tests.id_of('ada'), url, events, secret), '23514', null, what || ' is refused')
  from (values
    ('no address', '', '{alert.created}', 'whsec_' || repeat('a', 43)),
    ('an address of 501 characters', repeat('x', 501), '{alert.created}', 'whsec_' || repeat('a', 43)),
    ('no event', 'u', '{}', 'whsec_' || repeat('a', 43)),
    ('an event that is none', 'u', '{alert.created,money.moved}', 'whsec_' || repeat('a', 43)),
    ('a short secret', 'u', '{alert.created}', 'whsec_a')) t (what, url, events, secret);
select throws_ok($$ update public.webhook_endpoints set state = 'paused' $$, '23514', null, 'a paused one has a reason');
select throws_ok($$ insert into public.webhook_deliveries (endpoint_id, user_id, event_id, event, body, created_at)
  select endpoint_id, user_id, event_id, event, body, now() from public.webhook_deliveries $$, '23505', null, 'an event goes to an endpoint once');

-- Its owner
select tests.sign_in_as('ada');
select results_eq('select url from public.webhook_endpoints', array['https://hooks.example/ada'], 'an owner sees her own endpoints alone');
select is((select count(*)::int from public.webhook_deliveries), 1, 'and their deliveries alone');
select throws_ok(format('select %I from public.webhook_endpoints', name), '42501', null, 'never its ' || name)
  from unnest(array['secret', 'former_secret', 'lease', 'next_try_at']) name;
select throws_ok('select * from public.webhook_endpoints', '42501', null, 'not by a star either');
select throws_ok(text, '42501', null, 'she cannot ' || what) from (values
  ('put one past the server', $$ insert into public.webhook_endpoints (user_id, url, events, secret)
    values (tests.id_of('ada'), 'https://10.0.0.1/', '{alert.created}', 'whsec_' || repeat('a', 43)) $$),
  ('lead one elsewhere', $$ update public.webhook_endpoints set url = 'https://10.0.0.1/' $$),
  ('take one away', 'delete from public.webhook_endpoints'),
  ('write a delivery', $$ update public.webhook_deliveries set body = '{}' $$),
  ('read what happens', 'select * from private.webhook_events'),
  ('claim a delivery', 'select private.claim_webhooks(now(), now(), 1, false)')) t (what, text);

-- Everybody else
select tests.sign_in_as('root');
select is_empty('select id from public.webhook_endpoints', 'an admin sees none of others');
select is_empty('select id from public.webhook_deliveries', 'nor their deliveries');
select tests.become_owner();
select set_config('request.jwt.claims', '', true);
set local role anon;
select throws_ok('select id from public.webhook_endpoints', '42501', null, 'a visitor reads none');
select throws_ok('select id from public.webhook_deliveries', '42501', null, 'and no deliveries');
select tests.become_owner();

-- Events
insert into public.alerts (user_id, kind, subject, facts, made_at) values
  (tests.id_of('ada'), 'band-broken', 'one', '{"kind": "band-broken"}', now()),
  (tests.id_of('root'), 'band-broken', 'one', '{"kind": "band-broken"}', now());
select results_eq('select event, user_id from private.webhook_events', format($$ values ('alert.created', %L::uuid) $$, tests.id_of('ada')),
  'an alert is an event for a user who chose it, and for nobody else');
select private.note_webhook_event(tests.id_of('ada'), 'prediction.created', '{}');
select is((select count(*)::int from private.webhook_events), 1, 'an event that no endpoint chose is not written');
select private.note_webhook_event(null, 'forecast.issued', '{}');
select is((select count(*)::int from private.webhook_events where user_id is null), 1, 'a public one is, if any endpoint chose it');
delete from public.webhook_endpoints where 'forecast.issued' = any (events);
select private.note_webhook_event(null, 'forecast.issued', '{}');
select is((select count(*)::int from private.webhook_events where user_id is null), 1, 'and not without one');
select is((select count(*)::int from public.webhook_deliveries), 1, 'deliveries go with their endpoint');

-- A second factor
insert into auth.mfa_factors (id, user_id, friendly_name, factor_type, status, secret, created_at, updated_at)
values (md5('first')::uuid, tests.id_of('ada'), 'first', 'totp', 'verified', 'sealed', now(), now());
select tests.sign_in_as('ada');
select is_empty('select id from public.webhook_endpoints', 'who has a second factor sees none before it is shown');
select is_empty('select id from public.webhook_deliveries', 'and no delivery');
select tests.sign_in_as('ada', 'aal2');
select is((select count(*)::int from public.webhook_endpoints), 1, 'and then her own');

-- The end
select tests.become_owner();
delete from auth.users where id = tests.id_of('ada');
select is((select count(*)::int from public.webhook_endpoints) + (select count(*)::int from public.webhook_deliveries)
  + (select count(*)::int from private.webhook_events where user_id is not null), 0, 'all of it goes with the account');
select has_index('public', 'webhook_deliveries', 'webhook_deliveries_waiting_idx', 'the next delivery is found by an index');
select has_index('public', 'webhook_endpoints', 'webhook_endpoints_due_idx', 'so are the endpoints that are due');
select * from finish();
rollback;
