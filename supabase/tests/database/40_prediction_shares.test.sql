begin;
select plan(24);
select tests.create_user('ada');
select tests.create_user('bob');
select tests.create_user('root', 'admin');
insert into public.user_predictions (id, user_id, cryptocurrency, model, data)
select md5(name || n)::uuid, tests.id_of(name), 'BTC', 'kat1', (select jsonb_agg('{}'::jsonb) from generate_series(1, 200))
  from (values ('ada', 1), ('ada', 2), ('bob', 1)) p (name, n);
insert into public.prediction_shares (prediction_id, user_id, token) values
  (md5('ada1')::uuid, tests.id_of('ada'), repeat('a', 32)),
  (md5('bob1')::uuid, tests.id_of('bob'), repeat('b', 32));

-- What is a share
select throws_ok(format($$ insert into public.prediction_shares (prediction_id, user_id, token) values (%L, %L, %L) $$,
    md5('ada2')::uuid, tests.id_of('ada'), token), code, null, what || ' is refused')
  from (values
    ('a token of 31 digits', repeat('c', 31), '23514'),
    ('a token in upper case', repeat('C', 32), '23514'),
    ('a token with a line break', repeat('c', 32) || chr(10), '23514'),
    ('the token of another prediction', repeat('b', 32), '23505')) t (what, token, code);
select throws_ok(format($$ insert into public.prediction_shares (prediction_id, user_id, token) values (%L, %L, %L) $$,
    md5('ada1')::uuid, tests.id_of('ada'), repeat('c', 32)), '23505', null, 'a prediction has one token');
select throws_ok(format($$ insert into public.prediction_shares (prediction_id, user_id, token) values (%L, %L, %L) $$,
    md5('none')::uuid, tests.id_of('ada'), repeat('c', 32)), '23503', null, 'a prediction that does not exist cannot be shared');

-- Its owner
select tests.sign_in_as('ada');
select results_eq('select token from public.prediction_shares', array[repeat('a', 32)], 'an owner reads the token of her own share alone');
select is_empty(format('select from public.prediction_shares where token = %L', repeat('b', 32)), 'a known token finds no share of others');
select throws_ok(text, '42501', null, 'she cannot ' || what) from (values
  ('share her own past the server', format($$ insert into public.prediction_shares (prediction_id, user_id, token) values (%L, %L, %L) $$,
    md5('ada2')::uuid, tests.id_of('ada'), repeat('c', 32))),
  ('share one of others', format($$ insert into public.prediction_shares (prediction_id, user_id, token) values (%L, %L, %L) $$,
    md5('bob1')::uuid, tests.id_of('ada'), repeat('c', 32))),
  ('choose a token', format('update public.prediction_shares set token = %L', repeat('0', 32))),
  ('revive a revoked one', $$ update public.prediction_shares set created_at = now() $$),
  ('delete a row directly', 'delete from public.prediction_shares'),
  ('empty the table', 'truncate public.prediction_shares')) t (what, text);

-- Everybody else
select tests.sign_in_as('root');
select is_empty('select from public.prediction_shares', 'an admin reads no share of others');
select tests.sign_out();
select throws_ok('select token from public.prediction_shares', '42501', null, 'a visitor reads none');
select throws_ok('delete from public.prediction_shares', '42501', null, 'and deletes none');
select tests.become_service();
select is((select count(*)::int from public.prediction_shares), 2, 'the service reads all');

-- A second factor
select tests.become_owner();
insert into auth.mfa_factors (user_id, factor_type, secret, status) values (tests.id_of('ada'), 'totp', 's', 'verified');
select tests.sign_in_as('ada');
select is_empty('select from public.prediction_shares', 'without the second factor nothing is read');
select tests.sign_in_as('ada', 'aal2');
select is((select count(*)::int from public.prediction_shares), 1, 'and with it, her own');

-- The end
select tests.become_owner();
select is((select count(*)::int from pg_policies where schemaname = 'public' and tablename = 'prediction_shares' and cmd <> 'SELECT' and permissive = 'PERMISSIVE'),
  0, 'no policy lets users write');
delete from public.user_predictions where id = md5('ada1')::uuid;
select is_empty(format('select from public.prediction_shares where user_id = %L', tests.id_of('ada')), 'a share is deleted with its prediction');
delete from auth.users where id = tests.id_of('bob');
select is_empty('select from public.prediction_shares', 'and with its owner');
select has_index('public', 'prediction_shares', 'prediction_shares_user_id_idx', array['user_id', 'created_at'], 'the policy filters by an index');
select * from finish();
rollback;
