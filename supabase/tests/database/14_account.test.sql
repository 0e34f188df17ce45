begin;
select plan(40);
select tests.create_user('ada');
select tests.create_user('bob');
select tests.give_subscription('ada', 'price_kat_lion_monthly');
insert into public.payment_methods (payment_method_id, user_id, brand) values ('pm_ada', tests.id_of('ada'), 'visa');
insert into public.user_activity (user_id, activity_type) values (tests.id_of('ada'), 'account_created');
insert into public.user_predictions (user_id, cryptocurrency, model, data)
values (tests.id_of('ada'), 'BTC', 'kat1', (select jsonb_agg('{}'::jsonb) from generate_series(1, 200)));
insert into storage.objects (bucket_id, name, owner_id, version)
values ('avatars', tests.id_of('ada') || '/1.png', tests.id_of('ada'), 'v1');

create function tests.rows_of_ada() returns text language sql
as $$
  select concat_ws(' ',
    (select count(*) from public.profiles where id = tests.id_of('ada')), (select count(*) from public.user_activity),
    (select count(*) from public.user_predictions), (select count(*) from public.stripe_customers),
    (select count(*) from public.stripe_subscriptions), (select count(*) from public.payment_methods),
    (select count(*) from public.stripe_user_subscriptions), (select count(*) from storage.objects))
$$;
grant execute on function tests.rows_of_ada() to anon, authenticated, service_role;

select tests.sign_in_as('ada');
select is(tests.rows_of_ada(), '1 1 1 1 1 1 1 1', 'without a second factor one is enough');
select tests.become_owner();
insert into auth.mfa_factors (id, user_id, friendly_name, factor_type, status, secret, created_at, updated_at)
values (md5('first')::uuid, tests.id_of('ada'), 'first', 'totp', 'unverified', 'sealed', now(), now()),
       (md5('second')::uuid, tests.id_of('ada'), 'second', 'totp', 'unverified', 'sealed', now(), now());
select tests.sign_in_as('ada');
select is(tests.rows_of_ada(), '1 1 1 1 1 1 1 1', 'nor does one that was begun ask for anything');

select tests.become_owner();
update auth.mfa_factors set status = 'verified' where user_id = tests.id_of('ada');
select tests.sign_in_as('ada');
select is(tests.rows_of_ada(), '0 0 0 0 0 0 0 0', 'with a verified one a session that has not shown it sees none of her rows');
select is_empty($$ update public.profiles set bio = 'taken' returning id $$, 'changes none');
select is_empty('delete from storage.objects returning id', 'removes none');
select throws_ok($$ insert into public.user_activity (user_id, activity_type) values (tests.id_of('ada'), 'account_created') $$,
  '42501', null, 'adds none to her activity');
select throws_ok($$ insert into public.profiles (id, email) values (tests.id_of('ada'), tests.email_of('ada')) $$,
  '42501', null, 'makes no profile');
select throws_ok($$ insert into public.profiles (id, email) values (tests.id_of('ada'), tests.email_of('ada')) on conflict (id) do update set bio = 'x' $$,
  '42501', null, 'nor over hers');
select throws_ok($$ insert into storage.objects (bucket_id, name) values ('avatars', tests.id_of('ada') || '/2.png') $$,
  '42501', null, 'adds no picture');
select lives_ok($$ insert into public.error_logs (error_message, user_id) values ('broken', tests.id_of('ada')) $$,
  'it may report an error, which it could do without a session too');
select is((select count(*)::int from public.billing_prices), 2, 'what everybody reads it reads');

select set_config('request.jwt.claims', (auth.jwt() - 'aal')::text, true);
select is(tests.rows_of_ada(), '0 0 0 0 0 0 0 0', 'a token that says nothing of it has not shown it');
select set_config('request.jwt.claims', (auth.jwt() || '{"aal": "aal3"}')::text, true);
select is(tests.rows_of_ada(), '0 0 0 0 0 0 0 0', 'nor has one that says what is not known');
select set_config('request.jwt.claims', (auth.jwt() || '{"aal": null}')::text, true);
select is(tests.rows_of_ada(), '0 0 0 0 0 0 0 0', 'nor one that says null');

select tests.sign_in_as('ada', 'aal2');
select is(tests.rows_of_ada(), '1 1 1 1 1 1 1 1', 'the session that has shown it sees them all');
select lives_ok($$ update public.profiles set bio = 'mine' where id = tests.id_of('ada') $$, 'and changes them');
select is(bio, 'mine', 'as before') from public.profiles where id = tests.id_of('ada');
select tests.sign_in_as('bob');
select is((select count(*)::int from public.profiles), 1, 'her factor asks nothing of another user');
select tests.sign_in_as('bob', 'aal2');
select is(tests.rows_of_ada(), '0 0 0 0 0 0 0 0', 'and his opens nothing of hers');
select tests.sign_out();
select throws_ok('select private.has_shown_factors()', '42501', null, 'visitors do not ask');
select tests.sign_in_as('ada');
select throws_ok('select private.has_verified_factor(tests.id_of(''bob''))', '42501', null, 'nor do users ask about others');
select throws_ok('select * from private.recovery_codes', '42501', null, 'users read no recovery codes');
select tests.become_service();
select throws_ok('select * from private.recovery_codes', '42501', null, 'nor does the service through the API');
select is(tests.rows_of_ada(), '1 1 1 1 1 1 1 1', 'the service sees every row');

select tests.become_owner();
select is(private.plan_of(tests.id_of('ada')), 'lion', 'what the server asks does not change');
select throws_ok($$ insert into private.recovery_codes (user_id, code_hash, created_at) values (tests.id_of('ada'), 'abcd-efgh-jkmn', now()) $$,
  '23514', null, 'a code itself is never stored');
insert into private.recovery_codes (user_id, code_hash, created_at, used_at)
values (tests.id_of('ada'), repeat('a', 64), now(), now()), (tests.id_of('ada'), repeat('b', 64), now(), null),
       (tests.id_of('bob'), repeat('b', 64), now(), null);
select is((select count(*)::int from private.recovery_codes), 3, 'two users may have the same one');
select throws_ok($$ insert into private.recovery_codes (user_id, code_hash, created_at) values (tests.id_of('ada'), repeat('b', 64), now()) $$,
  '23505', null, 'one user has each once');
delete from auth.mfa_factors where id = md5('first')::uuid;
select is((select count(*)::int from private.recovery_codes where user_id = tests.id_of('ada')), 2, 'codes stay while a factor does');
update auth.mfa_factors set status = 'unverified' where id = md5('second')::uuid;
select results_eq($$ select code_hash from private.recovery_codes where user_id = tests.id_of('ada') $$, array[repeat('a', 64)],
  'with the last one go those that were not used; what was used tells when');
select is((select count(*)::int from private.recovery_codes where user_id = tests.id_of('bob')), 1, 'and nobody else''s');
select tests.sign_in_as('ada');
select is(tests.rows_of_ada(), '1 1 1 1 1 1 1 1', 'and one factor is enough again');

select tests.become_owner();
insert into auth.mfa_factors (id, user_id, friendly_name, factor_type, status, secret, created_at, updated_at)
values (md5('third')::uuid, tests.id_of('ada'), 'third', 'totp', 'verified', 'sealed', now(), now());
select lives_ok($$ delete from auth.users where id = tests.id_of('ada') $$, 'an account goes with its factors and codes');
select is((select count(*)::int from private.recovery_codes), 1, 'and leaves none');

-- Once a statement, however many rows.
insert into public.user_predictions (user_id, cryptocurrency, model, data)
select tests.id_of('bob'), 'BTC', 'kat1', (select jsonb_agg('{}'::jsonb) from generate_series(1, 200)) from generate_series(1, 50);
create function tests.plan_text(p_query text) returns text language plpgsql
as $$
declare
  v_line text;
  v_plan text := '';
begin
  for v_line in execute 'explain (analyze, costs off, timing off) ' || p_query loop
    v_plan := v_plan || v_line || E'\n';
  end loop;
  return v_plan;
end;
$$;
grant execute on function tests.plan_text(text) to authenticated;
select tests.sign_in_as('bob');
select is((select count(*)::int from public.user_predictions), 50, 'fifty rows are read');
select matches(tests.plan_text('select * from public.user_predictions'), 'InitPlan', 'the question stands before the scan');
select unalike(tests.plan_text('select * from public.user_predictions'), '%SubPlan%', 'and not in it');
select matches(tests.plan_text('select * from public.user_predictions'), 'rows=50(\.00)? ', 'which yields all of them');
select matches(tests.plan_text('select * from public.user_predictions'), 'Result \(actual rows=1(\.00)? loops=1\)', 'it is asked once');
select doesnt_match(tests.plan_text('select * from public.user_predictions'), 'Filter:[^\n]*has_shown_factors', 'and no row asks it');
select * from finish();
rollback;
