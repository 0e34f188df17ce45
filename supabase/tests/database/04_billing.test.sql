begin;
select plan(38);
select tests.create_user('ada');
select tests.create_user('bob');
select tests.create_user('cleo');
select tests.create_user('root', 'admin');
select tests.give_subscription('ada', 'price_kat_lion_monthly');
select tests.give_subscription('bob', 'price_kat_bobcat_monthly');
insert into public.stripe_customers (user_id, customer_id) values (tests.id_of('cleo'), 'cus_cleo');
insert into public.payment_methods (payment_method_id, user_id, brand, last4, exp_month, exp_year, is_default) values
  ('pm_ada', tests.id_of('ada'), 'visa', '4242', 12, 2030, true), ('pm_bob', tests.id_of('bob'), 'visa', '4444', 1, 2031, true);
insert into public.stripe_events (event_id, type, livemode, created) values ('evt_1', 'invoice.paid', false, 1);
insert into public.billing_checkouts (user_id, price_id) values (tests.id_of('ada'), 'price_kat_lion_monthly');
insert into public.billing_quotes values ('sub_x', 'price_kat_lion_monthly', 1, 4000, now());

select tests.sign_out();
select throws_ok('select * from public.' || t, '42501', null, 'a visitor reads nothing of ' || t)
  from unnest(array['stripe_customers', 'stripe_subscriptions', 'payment_methods', 'stripe_events', 'billing_checkouts',
                    'billing_quotes', 'stripe_user_subscriptions']) as t;
select throws_ok(format('select private.plan_of(%L)', tests.id_of('ada')), '42501', null, 'a visitor asks for nobody''s plan');

select tests.sign_in_as('ada');
select results_eq('select user_id from public.stripe_customers', $$ select tests.id_of('ada') $$, 'an owner reads only her customer record');
select throws_ok('select creating_key from public.stripe_customers', '42501', null, 'an owner does not read the key of a creation');
select throws_ok('select sync_seq from public.stripe_customers', '42501', null, 'an owner does not read sync tickets');
select results_eq('select customer_id from public.stripe_subscriptions', array['cus_ada'], 'an owner reads only her subscriptions');
select results_eq('select payment_method_id from public.payment_methods', array['pm_ada'], 'an owner reads only her cards');
select results_eq('select user_id, price_id, status from public.stripe_user_subscriptions',
  $$ select tests.id_of('ada'), 'price_kat_lion_monthly', 'active' $$, 'the view shows an owner only her own row');
select is_empty($$ select 1 from public.stripe_user_subscriptions where user_id = tests.id_of('bob') $$,
  'asking for another''s row by id shows nothing');
select throws_ok('select * from public.' || t, '42501', null, 'a user reads nothing of ' || t)
  from unnest(array['stripe_events', 'billing_checkouts', 'billing_quotes']) as t;
select throws_ok(format('update public.%I set %s', t, c), '42501', null, 'a user changes nothing in ' || t)
  from (values ('stripe_customers', 'customer_id = ''cus_bob'''), ('stripe_subscriptions', 'price_id = ''price_kat_lion_monthly'''),
               ('payment_methods', 'is_default = true'), ('stripe_events', 'processed_at = now()'),
               ('billing_checkouts', 'state = ''complete'''), ('billing_quotes', 'amount_due = 0')) as w (t, c);
select throws_ok($$ update public.stripe_user_subscriptions set status = 'active' $$, '55000', null, 'the view takes no change');
select throws_ok($$ insert into public.stripe_subscriptions (subscription_id, customer_id, price_id, status, stripe_created)
  values ('sub_mine', 'cus_ada', 'price_kat_lion_monthly', 'active', 1) $$, '42501', null, 'a user writes no subscription');
select throws_ok($$ insert into public.stripe_customers (user_id, customer_id) values (tests.id_of('ada'), 'cus_bob') $$,
  '42501', null, 'a user claims no customer');
select throws_ok('delete from public.stripe_subscriptions', '42501', null, 'a user deletes no subscription');
select throws_ok(format('select private.plan_of(%L)', tests.id_of('bob')), '42501', null, 'a user asks for nobody''s plan');

select tests.sign_in_as('cleo');
select results_eq('select customer_id, status from public.stripe_user_subscriptions', $$ values ('cus_cleo', null::text) $$,
  'a customer without subscription has a row without status');

select tests.become_service();
select results_eq('select count(*)::int from public.stripe_user_subscriptions', array[3], 'the service sees one row for each customer');
select throws_ok($$ insert into public.billing_checkouts (user_id, price_id) values (tests.id_of('ada'), 'price_kat_bobcat_monthly') $$,
  '23505', null, 'a user has one open checkout');
select throws_ok($$ insert into public.stripe_subscriptions (subscription_id, customer_id, status, stripe_created) values ('s', 'c', 'live', 1) $$,
  '23514', null, 'a status is one of eight');
select throws_ok($$ insert into public.stripe_events (event_id, type, livemode, created) values ('evt_1', 'x', false, 1) $$,
  '23505', null, 'an event is received once');
select throws_ok($$ insert into public.payment_methods (payment_method_id, user_id, last4) values ('pm_x', tests.id_of('ada'), '4242424242424242') $$,
  '23514', null, 'no full card number is stored');
select is(private.plan_of(tests.id_of('ada')), 'lion', 'the service asks for a user''s plan');

select tests.become_owner();
select results_eq(
  $$ select private.plan_of(tests.id_of(n)) from unnest(array['ada', 'bob', 'cleo', 'root', 'nobody']) n $$,
  array['lion', 'bobcat', 'free', 'free', 'free'], 'a plan comes from a paid subscription alone');

delete from auth.users where id = tests.id_of('ada');
select is((select count(*)::int from public.stripe_customers where user_id = tests.id_of('ada')), 0, 'an account''s customer record goes with it');
select * from finish();
rollback;
