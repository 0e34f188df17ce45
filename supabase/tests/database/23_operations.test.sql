-- Error groups and the audit trail: only admins read them.
begin;
select plan(32);
-- What this test queries without the procedures; rolled back at the end.
grant usage on schema private to authenticated;
select tests.create_user('chief', 'admin');
select tests.create_user('guest');

-- Groups.
create function pg_temp.fingerprint(p_message text, p_stack text default null) returns text language sql
  as $$ select private.error_fingerprint(p_message, p_stack) $$;
select is(pg_temp.fingerprint('Row 17 of 30 is missing'), pg_temp.fingerprint('Row 4 of 1,200.5 is missing'),
  'numbers do not tell errors apart');
select is(
  pg_temp.fingerprint('No user 3f1c0a52-1111-4222-8333-123456789abc'), pg_temp.fingerprint('No user 00000000-0000-4000-8000-00000000a7e1'),
  'nor do ids');
select is(
  pg_temp.fingerprint('Failed: https://a.example/x?y=1'), pg_temp.fingerprint('failed:  https://b.example/'),
  'nor addresses, capitals and spaces');
select isnt(pg_temp.fingerprint('Row 17 is missing'), pg_temp.fingerprint('Column 17 is missing'), 'words do');
select is(
  pg_temp.fingerprint('boom', E'Error: boom\n    at draw (https://kat.example/assets/kat-page-Bx12_aZ9.js:1:2345)\n    at x (a.js:1:1)'),
  pg_temp.fingerprint('boom', E'Error: boom\n    at draw (https://kat.example/assets/kat-page-Q0-9abcd.js:7:1)\n    at y (b.js:2:2)'),
  'the next build of the site has the same groups');
select isnt(
  pg_temp.fingerprint('boom', E'Error: boom\n    at draw (https://kat.example/assets/kat-page-Bx12_aZ9.js:1:2345)'),
  pg_temp.fingerprint('boom', E'Error: boom\n    at save (https://kat.example/assets/kat-page-Bx12_aZ9.js:1:2345)'),
  'the function that it happened in tells errors apart');
select is(
  pg_temp.fingerprint('boom', E'draw@https://kat.example/assets/kat-page-Bx12_aZ9.js:1:2345\n'),
  pg_temp.fingerprint('boom', E'draw@https://kat.example/assets/kat-page-Cx12_aZ9.js:9:1\n'), 'other browsers'' stacks are read too');
select ok(pg_temp.fingerprint(repeat('a', 2000), repeat(E'at x\n', 4000)) is not null, 'the longest report has a group');

select tests.sign_out();
select lives_ok($$ insert into public.error_logs (error_message, error_stack, context)
  values ('Row 1 is missing', E'Error\n at draw (x.js:1:1)', '{"path":"/kat","where":"chart"}') $$, 'a visitor still reports errors');
select throws_ok($$ insert into public.error_logs (error_message, fingerprint) values ('x', repeat('0', 32)) $$,
  '42501', null, 'whose group is not for the reporter to say');
select tests.sign_in_as('guest');
insert into public.error_logs (error_message, error_stack, context)
  values ('Row 2 is missing', E'Error\n at draw (x.js:1:9)', '{"path":"/kat"}');
insert into public.error_logs (error_message, context) values ('All of 50%_\ is gone', '{"path":"/"}');

-- Refusals.
select throws_ok('select * from public.admin_error_groups()', '42501', 'Not authorized.', 'a user reads no groups');
select throws_ok('select * from public.admin_errors(''x'')', '42501', 'Not authorized.', 'nor single errors');
select throws_ok('select * from public.admin_audit_log()', '42501', 'Not authorized.', 'nor what admins did');
select tests.sign_out();
select throws_ok('select * from public.admin_error_groups()', '42501', null, 'a visitor may not even ask for groups');
select throws_ok('select * from public.admin_errors(''x'')', '42501', null, 'nor for single errors');
select throws_ok('select * from public.admin_audit_log()', '42501', null, 'nor for what admins did');
select tests.become_service();
select throws_ok('select * from public.admin_audit_log()', '42501', null, 'the service asks nothing in an admin''s name');

-- What an admin sees.
select tests.become_owner();
update public.error_logs set received_at = now() - interval '30 hours' where error_message like 'All of%';
select tests.sign_in_as('chief');
select results_eq(
  $$ select message, count, users, page, is_partial from public.admin_error_groups() $$,
  $$ values ('Row 2 is missing', 2::bigint, 1::bigint, '/kat', false) $$, 'one line a group, of the last day');
select is((select count(*)::int from public.admin_error_groups(null, 48)), 2, 'or of as many hours as are asked for');
select is((select count(*)::int from public.admin_error_groups(null, -5)), 1, 'at least one');
select is((select string_agg(message, '|') from public.admin_error_groups('50%', 48)), 'All of 50%_\ is gone', 'a percent sign is a percent sign');
select is((select count(*)::int from public.admin_error_groups('5_%', 48)), 0, 'no sign stands for another');
select is((select count(*)::int from public.admin_error_groups('%_\', 48)), 1, 'a backslash is searched too');
select is((select count from public.admin_error_groups('ROW 1 ', 48)), 1::bigint, 'reports are searched, whatever their capitals');
select is((select count from public.admin_error_groups(tests.id_of('guest')::text)), 1::bigint, 'or by who reported them');
select is((select count(*)::int from public.admin_error_groups('   ')), 1, 'nothing is no search');
select results_eq(
  $$ select message, page, component, user_id from public.admin_errors((select fingerprint from public.admin_error_groups())) order by id $$,
  $$ values ('Row 1 is missing', '/kat', 'chart', null::uuid), ('Row 2 is missing', '/kat', null, tests.id_of('guest')) $$,
  'a group opens to its reports');
select is((select count(*)::int from public.admin_errors('nothing')), 0, 'an unknown group has none');

-- What admins did.
select tests.become_owner();
select private.write_audit('billing.verify', null, '{"checked": 3}', tests.id_of('chief'));
select set_config('kat.done_by', 'command', true);
update public.profiles set role = 'admin' where id = tests.id_of('guest');
select tests.sign_in_as('chief');
select results_eq(
  $$ select action, actor_email, details ->> 'by' from public.admin_audit_log() order by id desc limit 2 $$,
  $$ values ('role.grant', null, 'command'), ('billing.verify', tests.email_of('chief'), null) $$,
  'what was done is told, by whom, the newest first');
select tests.become_owner();
insert into private.audit_log (action) select 'changelog.insert' from generate_series(1, 150);
select tests.sign_in_as('chief');
select is((select count(*)::int from public.admin_audit_log()), 100, 'no more than the newest hundred');

-- An admin whose second factor was not shown.
select tests.become_owner();
insert into auth.mfa_factors (id, user_id, friendly_name, factor_type, status, secret, created_at, updated_at)
values (gen_random_uuid(), tests.id_of('chief'), 'phone', 'totp', 'verified', 'x', now(), now());
select tests.sign_in_as('chief');
select throws_ok('select * from public.admin_error_groups()', '42501', 'Not authorized.', 'the second factor comes first');
select tests.sign_in_as('chief', 'aal2');
select is((select count(*)::int from public.admin_error_groups()), 1, 'and opens the errors');

select * from finish();
rollback;
