begin;
select plan(22);
select tests.create_user('ada');
select tests.create_user('bob');
insert into public.user_activity (user_id, activity_type) values (tests.id_of('bob'), 'account_created');

select tests.sign_out();
select throws_ok('select * from public.user_activity', '42501', null, 'a visitor reads no activity');
select throws_ok($$ insert into public.user_activity (user_id, activity_type) values (tests.id_of('ada'), 'account_created') $$,
  '42501', null, 'a visitor writes no activity');
select lives_ok($$ insert into public.error_logs (error_message, error_stack, context, user_id, "timestamp")
  values ('boom', 'at x', '{"page":"/"}', null, now()) $$, 'a visitor reports an error');
select throws_ok($$ insert into public.error_logs (error_message, user_id) values ('boom', tests.id_of('ada')) $$,
  '42501', null, 'a visitor reports nothing in a user''s name');
select throws_ok('select * from public.error_logs', '42501', null, 'a visitor reads no errors');
select throws_ok($$ insert into public.error_logs (error_message, received_at) values ('boom', now()) $$,
  '42501', null, 'when a report arrived is not for the reporter to say');
select throws_ok($$ insert into public.error_logs (error_message) values (repeat('x', 2001)) $$,
  '23514', null, 'an error''s message has a limit');
select throws_ok($$ insert into public.error_logs (error_message, error_stack) values ('boom', repeat('x', 20001)) $$,
  '23514', null, 'an error''s stack has a limit');
select throws_ok($$ insert into public.error_logs (error_message, context) values ('boom', to_jsonb(repeat('x', 20000))) $$,
  '23514', null, 'an error''s context has a limit');

select tests.sign_in_as('ada');
select lives_ok($$ insert into public.user_activity (user_id, activity_type, activity_data)
  values (tests.id_of('ada'), 'account_created', '{"signup_method":"email","provider":"email","full_name":"Ada"}') $$,
  'an owner adds to her activity');
select results_eq('select user_id from public.user_activity', $$ select tests.id_of('ada') $$, 'an owner reads only her own activity');
select throws_ok($$ insert into public.user_activity (user_id, activity_type) values (tests.id_of('bob'), 'account_created') $$,
  '42501', null, 'nobody adds to another''s activity');
select throws_ok($$ insert into public.user_activity (user_id, activity_type) values (tests.id_of('ada'), 'Not A Type') $$,
  '23514', null, 'a type of activity is one lower-case word');
select throws_ok($$ insert into public.user_activity (user_id, activity_type, activity_data)
  values (tests.id_of('ada'), 'account_created', to_jsonb(repeat('x', 4000))) $$, '23514', null, 'what is told of an activity has a limit');
select throws_ok('update public.user_activity set activity_type = ''x''', '42501', null, 'activity is not rewritten');
select throws_ok('delete from public.user_activity', '42501', null, 'activity is not deleted');
select lives_ok($$ insert into public.error_logs (error_message, user_id) values ('boom', tests.id_of('ada')) $$, 'a user reports an error as herself');
select lives_ok($$ insert into public.error_logs (error_message) values ('boom') $$, 'a user reports an error without a name');
select throws_ok($$ insert into public.error_logs (error_message, user_id) values ('boom', tests.id_of('bob')) $$,
  '42501', null, 'a user reports nothing in another''s name');
select throws_ok('select * from public.error_logs', '42501', null, 'a user reads no errors, not even her own');

select tests.become_service();
select is((select count(*)::int from public.error_logs), 3, 'the service reads every error');

select tests.become_owner();
delete from auth.users where id = tests.id_of('ada');
select is((select count(*)::int from public.error_logs where user_id is null), 3, 'errors outlive the account, without its name');
select * from finish();
rollback;
