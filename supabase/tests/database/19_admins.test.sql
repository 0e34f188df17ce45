-- Who counts as an admin, and that what admins become is noted.
begin;
select plan(9);
-- What policies would check without the function; rolled back at the end.
grant usage on schema private to authenticated;
select tests.create_user('chief');
select tests.create_user('guest');

select is((select count(*)::int from private.audit_log), 0, 'nothing is noted before anybody is an admin');
update public.profiles set role = 'admin' where id = tests.id_of('chief');
select results_eq(
  $$ select action, subject, details ->> 'after', actor_id from private.audit_log $$,
  $$ values ('role.grant', tests.id_of('chief')::text, 'admin', null::uuid) $$,
  'becoming an admin leaves one row, without an actor where no admin did it');
update public.profiles set full_name = 'Chief', role = 'admin' where id = tests.id_of('chief');
select is((select count(*)::int from private.audit_log), 1, 'a change that leaves the role alone is not noted');

select tests.sign_in_as('chief');
select ok(private.caller_is_admin(), 'an admin without a second factor is one');
select ok(private.require_admin(), 'and is let in');
select tests.sign_in_as('guest');
select ok(not private.caller_is_admin(), 'somebody else is none');
select throws_ok('select private.require_admin()', '42501', 'Not authorized.', 'and is refused');
select throws_ok('select * from private.audit_log', '42501', null, 'nobody reads what was noted by himself');

select tests.become_owner();
insert into auth.mfa_factors (id, user_id, friendly_name, factor_type, status, secret, created_at, updated_at)
values (gen_random_uuid(), tests.id_of('chief'), 'phone', 'totp', 'verified', 'x', now(), now());
select tests.sign_in_as('chief');
select ok(not private.caller_is_admin(), 'an admin whose second factor was not shown is none yet');

select * from finish();
rollback;
