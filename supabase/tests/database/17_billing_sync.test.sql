begin;
select plan(17);
select tests.create_user('ada');
select tests.create_user('bob');
select tests.give_subscription('ada', 'price_kat_lion_monthly');
insert into public.billing_alarms (kind, subject) values ('refund', 'ch_1');

select tests.sign_out();
select throws_ok('select * from public.billing_alarms', '42501', null, 'a visitor reads no alarm');
select throws_ok('select private.payment_mode()', '42501', null, 'a visitor does not ask for the mode');

select tests.sign_in_as('ada');
select throws_ok('select * from public.billing_alarms', '42501', null, 'a user reads no alarm');
select throws_ok($$ insert into public.billing_alarms (kind, subject) values ('refund', 'x') $$, '42501', null, 'a user raises none');
select throws_ok($$ update public.billing_alarms set acknowledged_at = now() $$, '42501', null, 'a user acknowledges none');
select throws_ok('delete from public.billing_alarms', '42501', null, 'a user removes none');
select throws_ok('select * from private.payment_mode', '42501', null, 'a user does not read the table of the mode');
select throws_ok($$ update private.payment_mode set mode = 'live' $$, '42501', null, 'a user does not change the mode');
select throws_ok('select claimed_at from public.stripe_customers', '42501', null, 'a user does not read when a customer was claimed');
select throws_ok('select cards_seq from public.stripe_customers', '42501', null, 'a user does not read tickets of cards');
select results_eq('select status from public.stripe_user_subscriptions', array['active'], 'an owner sees her plan');

-- A server with the provider's keys starts on a database where play money was taken.
select tests.become_service();
update private.payment_mode set mode = 'live';
select is_empty('select 1 from public.stripe_user_subscriptions', 'customers of another mode count as none');
select is(private.plan_of(tests.id_of('ada')), 'free', 'a plan bought with play money is none where real money is taken');
select throws_ok($$ update private.payment_mode set mode = 'play' $$, '23514', null, 'a mode is one of three');
select throws_ok($$ insert into private.payment_mode (mode) values ('test') $$, '42501', null, 'there is one mode');
update private.payment_mode set mode = 'sandbox';
select is(private.plan_of(tests.id_of('ada')), 'lion', 'back in the former mode the plan is there again');
select throws_ok($$ insert into public.billing_alarms (kind, subject) values ('refund', 'ch_1') $$, '23505', null, 'an alarm is one row');

select * from finish();
rollback;
