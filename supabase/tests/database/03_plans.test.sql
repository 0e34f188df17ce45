begin;
select plan(12);
select tests.create_user('ada');

select tests.sign_out();
select results_eq('select plan, unit_amount from public.billing_prices order by unit_amount',
  $$ values ('bobcat', 2999), ('lion', 6999) $$, 'a visitor reads the prices');
select throws_ok('update public.billing_prices set unit_amount = 1', '42501', null, 'a visitor changes no price');
select throws_ok('select * from private.plan_limits', '42501', null, 'a visitor reads no limits');

select tests.sign_in_as('ada');
select is((select count(*)::int from public.billing_prices), 2, 'a user reads the prices');
select throws_ok($$ insert into public.billing_prices (price_id, plan, unit_amount) values ('price_mine', 'lion', 1) $$,
  '42501', null, 'a user sells herself no plan');
select throws_ok('update public.billing_prices set plan = ''lion''', '42501', null, 'a user changes no price');
select throws_ok('delete from public.billing_prices', '42501', null, 'a user removes no price');
select throws_ok('update private.plan_limits set per_day = 999', '42501', null, 'a user raises no limit');

select tests.become_service();
select lives_ok($$ insert into public.billing_prices (price_id, plan, unit_amount, mode) values ('price_1', 'lion', 6999, 'test') $$,
  'the service adds a price');
select throws_ok($$ insert into public.billing_prices (price_id, plan, unit_amount) values ('price_2', 'free', 1) $$,
  '23514', null, 'free has no price');
select throws_ok($$ insert into public.billing_prices (price_id, plan, unit_amount) values ('price_2', 'lion', 0) $$,
  '23514', null, 'a price is not nothing');
select throws_ok('update private.plan_limits set per_day = 999', '42501', null, 'limits change by migration only');
select * from finish();
rollback;
