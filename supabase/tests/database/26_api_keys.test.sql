begin;
select plan(30);
select tests.create_user('ada');
select tests.create_user('bob');
select tests.create_user('root', 'admin');
insert into public.api_keys (user_id, name, prefix, key_hash)
values (tests.id_of('ada'), 'laptop', 'kat_abc123', sha256('ada')), (tests.id_of('bob'), 'server', 'kat_xyz789', sha256('bob'));

-- What is a key
select throws_ok(format($$ insert into public.api_keys (user_id, name, prefix, key_hash) values (%L, %L, %L, %s) $$, tests.id_of('ada'), name, prefix, hash),
  '23514', null, what || ' is refused')
  from (values
    ('a key without a name', '', 'kat_abc123', $$ sha256('1') $$),
    ('a name of 61 characters', repeat('n', 61), 'kat_abc123', $$ sha256('1') $$),
    ('a whole key in the place of its beginning', 'whole', 'kat_' || repeat('a', 40), $$ sha256('1') $$),
    ('a hash of another length', 'short', 'kat_abc123', $$ '\x00'::bytea $$)) t (what, name, prefix, hash);
select throws_ok($$ insert into public.api_keys (user_id, name, prefix, key_hash, created_at, expires_at)
  values (tests.id_of('ada'), 'over', 'kat_abc123', sha256('1'), now(), now()) $$, '23514', null, 'one that is over when it is made is refused');
select throws_ok($$ insert into public.api_keys (user_id, name, prefix, key_hash) values (tests.id_of('bob'), 'twice', 'kat_abc123', sha256('ada')) $$,
  '23505', null, 'no two keys have one hash');

-- Its owner
select tests.sign_in_as('ada');
select results_eq('select name from public.api_keys', array['laptop'], 'an owner sees her own keys alone');
select lives_ok('select id, user_id, name, prefix, created_at, last_used_at, expires_at, revoked_at from public.api_keys', 'with what tells them apart');
select throws_ok(format('select %I from public.api_keys', name), '42501', null, 'never its ' || name) from unnest(array['key_hash', 'is_raised']) name;
select throws_ok('select * from public.api_keys', '42501', null, 'not by a star either');
select throws_ok($$ select name from public.api_keys where key_hash = sha256('bob') $$, '42501', null, 'nor does she search by it');
select throws_ok(text, '42501', null, 'she cannot ' || what) from (values
  ('make one past the server', $$ insert into public.api_keys (user_id, name, prefix, key_hash) values (tests.id_of('ada'), 'own', 'kat_abc123', sha256('own')) $$),
  ('rename one', $$ update public.api_keys set name = 'other' $$),
  ('let one live on', 'update public.api_keys set expires_at = null, revoked_at = null'),
  ('take one away', 'delete from public.api_keys')) t (what, text);

-- Everybody else
select tests.sign_in_as('root');
select is_empty('select id from public.api_keys', 'an admin sees none of others');
select tests.become_owner();
select set_config('request.jwt.claims', '', true);
set local role anon;
select throws_ok('select id from public.api_keys', '42501', null, 'a visitor reads none');
select throws_ok('delete from public.api_keys', '42501', null, 'and takes none away');
select tests.become_owner();
select tests.become_service();
select is((select count(*)::int from public.api_keys), 2, 'the server sees all');
select lives_ok($$ update public.api_keys set revoked_at = now() where prefix = 'kat_abc123' $$, 'and revokes');
select tests.become_owner();

-- A second factor
insert into auth.mfa_factors (id, user_id, friendly_name, factor_type, status, secret, created_at, updated_at)
values (md5('first')::uuid, tests.id_of('ada'), 'first', 'totp', 'verified', 'sealed', now(), now());
select tests.sign_in_as('ada');
select is_empty('select id from public.api_keys', 'who has a second factor sees none before it is shown');
select tests.sign_in_as('ada', 'aal2');
select is((select count(*)::int from public.api_keys), 1, 'and then those of before');
select ok(revoked_at is not null, 'revoked ones too') from public.api_keys;

-- The end of an account
select tests.become_owner();
select is((select count(*)::int from public.api_keys where user_id = tests.id_of('bob')), 1, 'bob has his');
delete from auth.users where id = tests.id_of('bob');
select is((select count(*)::int from public.api_keys where prefix = 'kat_xyz789'), 0, 'keys go with the account');
select has_index('public', 'api_keys', 'api_keys_user_id_idx', 'a user''s keys are found by an index');
select has_index('public', 'api_keys', 'api_keys_key_hash_key', 'and one key by its hash');
select col_is_pk('public', 'api_keys', 'id', 'each has an id');
select col_not_null('public', 'api_keys', 'key_hash', 'and a hash');
select * from finish();
rollback;
