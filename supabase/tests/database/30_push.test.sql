begin;
select plan(35);
select tests.create_user('ada');
select tests.create_user('bob');
select tests.create_user('root', 'admin');
insert into public.push_subscriptions (user_id, endpoint, endpoint_hash, p256dh, auth, device)
values
  (tests.id_of('ada'), 'https://push.example/ada', repeat('a', 64), repeat('B', 87), repeat('A', 22), 'Firefox on Linux'),
  (tests.id_of('bob'), 'https://push.example/bob', repeat('b', 64), repeat('B', 87), repeat('A', 22), 'Chrome on Windows');

-- What is a device
select throws_ok(format($$ insert into public.push_subscriptions (user_id, endpoint, endpoint_hash, p256dh, auth, device)
    values (%L, %L, %L, %L, %L, %L) $$, tests.id_of('ada'), endpoint, repeat('c', 64), p256dh, auth, device),
  '23514', null, what || ' is refused')
  from (values
    ('no address', '', repeat('B', 87), repeat('A', 22), 'x'),
    ('an address of 1,001 characters', repeat('x', 1001), repeat('B', 87), repeat('A', 22), 'x'),
    ('a public key of another length', 'e', repeat('B', 86), repeat('A', 22), 'x'),
    ('a secret that is not base64url', 'e', repeat('B', 87), repeat('+', 22), 'x'),
    ('a device without words', 'e', repeat('B', 87), repeat('A', 22), '')) t (what, endpoint, p256dh, auth, device);
select throws_ok($$ insert into public.push_subscriptions (user_id, endpoint, endpoint_hash, p256dh, auth, device)
  values (tests.id_of('bob'), 'https://push.example/ada', repeat('a', 64), repeat('B', 87), repeat('A', 22), 'x') $$,
  '23505', null, 'a browser belongs to one user');

-- Its owner
select tests.sign_in_as('ada');
select results_eq('select device from public.push_subscriptions', array['Firefox on Linux'], 'an owner sees her own devices alone');
select lives_ok('select id, user_id, endpoint_hash, device, created_at, last_used_at from public.push_subscriptions', 'with what tells them apart');
select throws_ok(format('select %I from public.push_subscriptions', name), '42501', null, 'never its ' || name)
  from unnest(array['endpoint', 'p256dh', 'auth']) name;
select throws_ok('select * from public.push_subscriptions', '42501', null, 'not by a star either');
select throws_ok($$ select device from public.push_subscriptions where endpoint = 'https://push.example/bob' $$, '42501', null, 'nor does she search by it');
select throws_ok(text, '42501', null, 'she cannot ' || what) from (values
  ('put one past the server', $$ insert into public.push_subscriptions (user_id, endpoint, endpoint_hash, p256dh, auth, device)
    values (tests.id_of('ada'), 'https://10.0.0.1/', repeat('c', 64), repeat('B', 87), repeat('A', 22), 'x') $$),
  ('lead one elsewhere', $$ update public.push_subscriptions set endpoint = 'https://10.0.0.1/' $$),
  ('take one away', 'delete from public.push_subscriptions'),
  ('read what waits', 'select * from private.outgoing_pushes'),
  ('queue anything', $$ insert into private.outgoing_pushes (subscription_id, key, title, text_body, path, next_try_at, expires_at, created_at)
    select id, 'k', 't', 'b', '/', now(), now(), now() from public.push_subscriptions $$)) t (what, text);

-- Everybody else
select tests.sign_in_as('root');
select is_empty('select id from public.push_subscriptions', 'an admin sees none of others');
select tests.become_owner();
select set_config('request.jwt.claims', '', true);
set local role anon;
select throws_ok('select id from public.push_subscriptions', '42501', null, 'a visitor reads none');
select tests.become_owner();
select tests.become_service();
select is((select count(*)::int from public.push_subscriptions), 2, 'the service sees all');
select throws_ok('select * from private.outgoing_pushes', '42501', null, 'and nothing that waits');
select tests.become_owner();

-- The queue
insert into private.outgoing_pushes (subscription_id, key, title, text_body, path, next_try_at, expires_at, created_at)
select id, 'band 1', 't', 'b', '/account/predictions', now(), now(), now() from public.push_subscriptions;
select throws_ok($$ insert into private.outgoing_pushes (subscription_id, key, title, text_body, path, next_try_at, expires_at, created_at)
  select id, 'band 1', 't', 'b', '/', now(), now(), now() from public.push_subscriptions $$, '23505', null, 'a key goes to a device once');
select throws_ok(format('update private.outgoing_pushes set path = %L', path), '23514', null, 'a click leads to our own site alone: not to ' || path)
  from unnest(array['https://elsewhere.example/', '//elsewhere.example/', '/\elsewhere.example/', 'account']) path;
select throws_ok('update private.outgoing_pushes set title = null', '23514', null, 'what waits has its words');
select lives_ok($$ update private.outgoing_pushes set state = 'sent', title = null, text_body = null, path = null $$, 'what was sent has none');
select throws_ok($$ update private.outgoing_pushes set state = 'lost' $$, '23514', null, 'no state but the three');

-- A second factor
insert into auth.mfa_factors (id, user_id, friendly_name, factor_type, status, secret, created_at, updated_at)
values (md5('first')::uuid, tests.id_of('ada'), 'first', 'totp', 'verified', 'sealed', now(), now());
select tests.sign_in_as('ada');
select is_empty('select id from public.push_subscriptions', 'who has a second factor sees none before it is shown');
select tests.sign_in_as('ada', 'aal2');
select is((select count(*)::int from public.push_subscriptions), 1, 'and then her own');

-- The end
select tests.become_owner();
delete from auth.users where id = tests.id_of('bob');
select is((select count(*)::int from public.push_subscriptions), 1, 'devices go with the account');
select is((select count(*)::int from private.outgoing_pushes), 1, 'and what waits for them with the device');
select has_index('public', 'push_subscriptions', 'push_subscriptions_user_idx', 'a user''s devices are found by an index');
select * from finish();
rollback;
