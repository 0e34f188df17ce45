begin;
select plan(14);
select tests.create_user('ada');
select tests.create_user('bob');
select is(two_factor_enabled, false, 'a new account has no second factor') from public.profiles where id = tests.id_of('ada');

insert into auth.mfa_factors (id, user_id, friendly_name, factor_type, status, secret, created_at, updated_at)
values (md5('first')::uuid, tests.id_of('ada'), 'first', 'totp', 'unverified', 'sealed', now(), now()),
       (md5('second')::uuid, tests.id_of('ada'), 'second', 'totp', 'unverified', 'sealed', now(), now());
select is(two_factor_enabled, false, 'a factor that is not verified does not count') from public.profiles where id = tests.id_of('ada');

update auth.mfa_factors set status = 'verified' where user_id = tests.id_of('ada');
select is(two_factor_enabled, true, 'a verified factor shows') from public.profiles where id = tests.id_of('ada');
select is(two_factor_enabled, false, 'and shows on nobody else') from public.profiles where id = tests.id_of('bob');

select tests.sign_in_as('ada', 'aal2');
select lives_ok($$ update public.profiles set two_factor_enabled = false, bio = 'b' where id = tests.id_of('ada') $$,
  'an owner may send the flag with her profile');
select is(two_factor_enabled, true, 'but cannot deny a factor that she has') from public.profiles;
select is(bio, 'b', 'the rest of what she sent stands') from public.profiles;
select tests.sign_in_as('bob');
select lives_ok($$ update public.profiles set two_factor_enabled = true where id = tests.id_of('bob') $$,
  'another owner may send it too');
select is(two_factor_enabled, false, 'but cannot claim a factor that he has not') from public.profiles;
select throws_ok('select private.has_verified_factor(tests.id_of(''ada''))', '42501', null,
  'a user does not ask about another''s factors');

select tests.become_owner();
delete from auth.mfa_factors where id = md5('first')::uuid;
select is(two_factor_enabled, true, 'one of two factors is enough') from public.profiles where id = tests.id_of('ada');
delete from auth.mfa_factors where id = md5('second')::uuid;
select is(two_factor_enabled, false, 'the last one gone, it shows') from public.profiles where id = tests.id_of('ada');

insert into auth.mfa_factors (id, user_id, friendly_name, factor_type, status, secret, created_at, updated_at)
values (md5('third')::uuid, tests.id_of('ada'), 'third', 'totp', 'verified', 'sealed', now(), now());
delete from public.profiles where id = tests.id_of('ada');
insert into public.profiles (id, email) values (tests.id_of('ada'), tests.email_of('ada'));
select is(two_factor_enabled, true, 'a profile made later tells it too') from public.profiles where id = tests.id_of('ada');
select lives_ok($$ delete from auth.users where id = tests.id_of('ada') $$, 'an account goes with its factors');
select * from finish();
rollback;
