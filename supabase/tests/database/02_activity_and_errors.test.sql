begin;
select plan(29);
select tests.create_user('ada');
select tests.create_user('bob');
insert into public.user_activity (user_id, activity_type) values (tests.id_of('bob'), 'account_created');

select tests.sign_out();
select throws_ok('select * from public.user_activity', '42501', null, 'a visitor reads no activity');
select throws_ok($$ insert into public.user_activity (user_id, activity_type) values (tests.id_of('ada'), 'account_created') $$,
  '42501', null, 'a visitor writes no activity');
select lives_ok($$ insert into public.error_logs (error_message, error_stack, context, user_id, "timestamp")
  values ('boom', 'at x', '{"page":"/"}', null, now()) $$, 'a visitor reports an error');
select lives_ok($$ insert into public.error_logs (error_message, user_id) values ('visitor as ada', tests.id_of('ada')) $$,
  'a visitor may say whatever name');
select throws_ok('select * from public.error_logs', '42501', null, 'a visitor reads no errors');
select throws_ok($$ insert into public.error_logs (error_message, received_at) values ('boom', now()) $$,
  '42501', null, 'when a report arrived is not for the reporter to say');
select throws_ok($$ insert into public.error_logs (error_message) values (repeat('x', 2001)) $$,
  '23514', null, 'an error''s message has a limit');
select lives_ok($$ insert into public.error_logs (error_message, error_stack, context)
  values (repeat('x', 2000), repeat('x', 4096), to_jsonb(repeat('x', 8000))) $$, 'as large as the server sends them, reports are taken');
select throws_ok($$ insert into public.error_logs (error_message, error_stack) values ('boom', repeat('x', 4097)) $$,
  '23514', null, 'an error''s stack has a limit');
select throws_ok($$ insert into public.error_logs (error_message, error_stack) values ('boom', repeat(U&'\20AC', 1366)) $$,
  '23514', null, 'the limit counts bytes');
select throws_ok($$ insert into public.error_logs (error_message, context) values ('boom', to_jsonb(repeat('x', 8193))) $$,
  '23514', null, 'an error''s context has a limit');

select tests.sign_in_as('ada');
select lives_ok($$ insert into public.user_activity (user_id, activity_type, activity_data)
  values (tests.id_of('ada'), 'account_created', '{"signup_method":"email","provider":"email","full_name":"Ada"}') $$,
  'an owner adds to her activity');
select results_eq('select user_id from public.user_activity', $$ select tests.id_of('ada') $$, 'an owner reads only her own activity');
select throws_ok($$ insert into public.user_activity (user_id, activity_type) values (tests.id_of('ada'), 'account_created') $$,
  '23505', null, 'an account is created once');
select throws_ok($$ insert into public.user_activity (user_id, activity_type) values (tests.id_of('bob'), 'account_created') $$,
  '42501', null, 'nobody adds to another''s activity');
select throws_ok($$ insert into public.user_activity (user_id, activity_type) values (tests.id_of('ada'), 'Not A Type') $$,
  '23514', null, 'a type of activity is one lower-case word');
select throws_ok($$ insert into public.user_activity (user_id, activity_type) values (tests.id_of('ada'), 'became_admin') $$,
  '23514', null, 'only what the product records is an activity');
select throws_ok($$ insert into public.user_activity (user_id, activity_type, activity_data)
  values (tests.id_of('ada'), 'account_created', to_jsonb(repeat('x', 4000))) $$, '23514', null, 'what is told of an activity has a limit');
select throws_ok('update public.user_activity set activity_type = ''x''', '42501', null, 'activity is not rewritten');
select throws_ok('delete from public.user_activity', '42501', null, 'activity is not deleted');
select lives_ok($$ insert into public.error_logs (error_message, user_id) values ('boom', tests.id_of('ada')) $$, 'a user reports an error as herself');
select lives_ok($$ insert into public.error_logs (error_message) values ('boom') $$, 'a user reports an error without a name');
select lives_ok($$ insert into public.error_logs (error_message, user_id, "timestamp")
  values ('ada as bob', tests.id_of('bob'), '2001-01-01') $$, 'a user may say whatever name and time');
select throws_ok('select * from public.error_logs', '42501', null, 'a user reads no errors, not even her own');

select tests.become_service();
select is((select count(*)::int from public.error_logs), 6, 'the service reads every error');
select is((select count(distinct fingerprint)::int from public.error_logs where error_message = 'boom'), 2,
  'an error''s group is known by its message and its stack');
select results_eq($$ select user_id from public.error_logs where error_message in ('visitor as ada', 'ada as bob') order by id $$,
  $$ values (null::uuid), (tests.id_of('ada')) $$, 'a report bears its reporter''s name, whatever it says');
select is((select count(*)::int from public.error_logs where "timestamp" <> private.clock_now()), 0,
  'when it was reported is our clock''s word');

select tests.become_owner();
delete from auth.users where id = tests.id_of('ada');
select is((select count(*)::int from public.error_logs where user_id is null), 6, 'errors outlive the account, without its name');
select * from finish();
rollback;
