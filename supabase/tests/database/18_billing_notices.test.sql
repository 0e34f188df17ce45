begin;
select plan(17);
select tests.create_user('ada');
insert into private.billing_notices (kind, subject_id, user_id, subscription_id, is_mailed, created_at)
values ('receipt', 'in_1', tests.id_of('ada'), 'sub_1', true, now());

select tests.sign_out();
select throws_ok('select * from private.billing_notices', '42501', null, 'a visitor reads no notices');
select throws_ok('delete from private.billing_notices', '42501', null, 'a visitor removes no notices');

select tests.sign_in_as('ada');
select throws_ok('select * from private.billing_notices', '42501', null, 'a user reads no notices, not even her own');
select throws_ok($$ insert into private.billing_notices (kind, subject_id, user_id, is_mailed, created_at)
  values ('receipt', 'in_2', tests.id_of('ada'), true, now()) $$, '42501', null, 'a user writes no notices');
select throws_ok('update private.billing_notices set is_mailed = false', '42501', null, 'a user changes no notices');
select throws_ok('delete from private.billing_notices', '42501', null, 'a user removes no notices');

select tests.become_service();
select throws_ok('select * from private.billing_notices', '42501', null, 'the service key reads no notices');
select throws_ok($$ insert into private.billing_notices (kind, subject_id, user_id, is_mailed, created_at)
  values ('receipt', 'in_2', gen_random_uuid(), true, now()) $$, '42501', null, 'the service key writes no notices');
select throws_ok('update private.billing_notices set is_mailed = false', '42501', null, 'the service key changes no notices');
select throws_ok('delete from private.billing_notices', '42501', null, 'the service key removes no notices');

select tests.become_owner();
select throws_ok($$ insert into private.billing_notices (kind, subject_id, user_id, is_mailed, created_at)
  values ('receipt', 'in_1', tests.id_of('ada'), true, now()) $$, '23505', null, 'a thing is told once');
select lives_ok($$ insert into private.billing_notices (kind, subject_id, user_id, is_mailed, created_at)
  values ('payment_failed', 'in_1', tests.id_of('ada'), true, now()) $$, 'another thing of the same invoice is another notice');
select throws_ok($$ insert into private.billing_notices (kind, subject_id, user_id, is_mailed, created_at)
  values ('gossip', 'in_1', tests.id_of('ada'), true, now()) $$, '23514', null, 'no kind but those');
select throws_ok($$ insert into private.billing_notices (kind, subject_id, user_id, is_mailed, created_at)
  values ('receipt', '', tests.id_of('ada'), true, now()) $$, '23514', null, 'a notice is about something');
select throws_ok($$ insert into private.billing_notices (kind, subject_id, user_id, is_mailed, created_at)
  values ('receipt', 'in_3', gen_random_uuid(), true, now()) $$, '23503', null, 'a notice is to somebody');
select is((select count(*)::int from private.billing_notices where subject_id = 'in_1'), 2, 'both are there');
delete from auth.users where id = tests.id_of('ada');
select is((select count(*)::int from private.billing_notices), 0, 'notices go with their account');
select * from finish();
rollback;
