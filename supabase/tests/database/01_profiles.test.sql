begin;
select plan(24);
select tests.create_user('ada');
select tests.create_user('bob');
select tests.create_user('root', 'admin');
insert into auth.users (id, email, raw_user_meta_data)
values (tests.id_of('eve'), tests.email_of('eve'), json_build_object('name', repeat('x', 999), 'role', 'admin')::jsonb);

select is(full_name, repeat('x', 200), 'a name too long for a profile is cut and stops no sign-up')
  from public.profiles where id = tests.id_of('eve');
select is(role, 'user', 'what a user says of herself makes no admin') from public.profiles where id = tests.id_of('eve');
select is((select count(*)::int from public.profiles), 4, 'every account has a profile');

select tests.sign_out();
select throws_ok('select * from public.profiles', '42501', null, 'a visitor reads no profile');
select throws_ok($$ insert into public.profiles (id, email) values (tests.id_of('ada'), 'ada@example.com') $$,
  '42501', null, 'a visitor creates no profile');
select throws_ok('update public.profiles set bio = null', '42501', null, 'a visitor changes no profile');

select tests.sign_in_as('ada');
select results_eq('select email from public.profiles', array['ada@example.com'], 'an owner reads only her own profile');
select lives_ok($$ update public.profiles set full_name = 'Ada', bio = 'b', website = null, updated_at = '2000-01-01' where id = tests.id_of('ada') $$,
  'an owner changes what she shows');
select is(full_name, 'Ada', 'her change stands') from public.profiles;
select ok(updated_at > '2020-01-01', 'the moment of a change is the database''s own') from public.profiles;
select throws_ok($$ update public.profiles set role = 'admin' where id = tests.id_of('ada') $$,
  '42501', null, 'an owner gives herself no role');
select throws_ok($$ update public.profiles set email = 'x@example.com' $$, '42501', null, 'an owner does not change her address here');
select throws_ok($$ update public.profiles set id = tests.id_of('bob') $$, '42501', null, 'an owner does not become another');
select throws_ok($$ update public.profiles set bio = repeat('x', 501) $$, '23514', null, 'a biography has at most 500 characters');
select is_empty($$ update public.profiles set bio = 'stolen' where id = tests.id_of('bob') returning id $$,
  'a user changes nobody else''s profile');
select throws_ok('delete from public.profiles', '42501', null, 'an owner does not delete her profile');
select throws_ok($$ insert into public.profiles (id, email) values (tests.id_of('ada'), 'ada@example.com') $$,
  '23505', null, 'a second insert of the same profile is a duplicate');
select throws_ok($$ insert into public.profiles (id, role) values (tests.id_of('ada'), 'admin') $$,
  '42501', null, 'no one inserts a role');
select throws_ok('select private.is_admin(tests.id_of(''ada''))', '42501', null, 'a user calls nothing private');

select tests.become_owner();
delete from public.profiles where id in (tests.id_of('ada'), tests.id_of('bob'));
select tests.sign_in_as('ada');
select throws_ok($$ insert into public.profiles (id, email) values (tests.id_of('ada'), 'bob@example.com') $$,
  '42501', null, 'a missing profile is not created under another address');
select throws_ok($$ insert into public.profiles (id, email) values (tests.id_of('bob'), 'ada@example.com') $$,
  '42501', null, 'nobody creates another''s profile');
select lives_ok($$ insert into public.profiles (id, email, full_name, created_at, updated_at)
  values (tests.id_of('ada'), 'ada@example.com', 'Ada', now(), now()) $$, 'a missing profile is created by its owner');

select tests.become_owner();
update auth.users set email = 'countess@example.com' where id = tests.id_of('ada');
select is(email, 'countess@example.com', 'the profile follows the account''s address') from public.profiles where id = tests.id_of('ada');
select results_eq(
  $$ select private.is_admin(tests.id_of('root')), private.is_admin(tests.id_of('eve')), private.is_admin(null) $$,
  $$ values (true, false, false) $$, 'only the role admin makes an admin');
select * from finish();
rollback;
