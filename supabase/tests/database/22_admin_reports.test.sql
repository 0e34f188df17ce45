-- Admin reports: the right figures for admins, and no row for other users.
begin;
select plan(43);
-- The views could not be named without it; rolled back at the end.
grant usage on schema private to authenticated;
select tests.create_user('chief', 'admin');
select tests.create_user('guarded', 'admin');
select tests.create_user('cat');
select tests.create_user('king');
select tests.create_user('late');
select tests.create_user('guest');
-- Ten minutes less than whole days away.
select tests.give_subscription('cat', 'price_kat_bobcat_monthly', 'active', extract(epoch from now())::bigint + 86400 * 20 - 600);
select tests.give_subscription('king', 'price_kat_lion_monthly', 'active', extract(epoch from now())::bigint + 86400 * 2 - 600, true);
select tests.give_subscription('late', 'price_unknown', 'active');
insert into auth.mfa_factors (id, user_id, friendly_name, factor_type, status, secret, created_at, updated_at)
values (gen_random_uuid(), tests.id_of('guarded'), 'phone', 'totp', 'verified', 'x', now(), now());
insert into public.user_predictions (user_id, cryptocurrency, model, created_at, data)
select tests.id_of('cat'), c.label, 'kat1', now() - c.age, (select jsonb_agg(n) from generate_series(1, 200) n)
  from (values ('BTC', interval '3 days'), ('ETH', interval '2 days'), ('SOL', interval '1 day')) c (label, age);
update public.user_predictions
   set band = (select jsonb_object_agg(edge, (select jsonb_agg(n) from generate_series(1, 50) n))
                 from unnest(array['lower80', 'upper80', 'lower95', 'upper95']) edge)
 where user_id = tests.id_of('cat') and cryptocurrency = 'SOL';
insert into private.prediction_reservations
  (id, user_id, model, model_version, exc, sym, label, t0, state, created_at, expires_at)
select gen_random_uuid(), tests.id_of('cat'), 'kat1', '1', 'x', 'BTCUSDT.P', 'BTC', n, case when n < 4 then 'spent' else 'released' end,
       private.clock_now(), now()
  from generate_series(1, 5) n;

create temporary table calls (call text) on commit drop;
insert into calls values
  ('admin_list_users()'), ('admin_remaining_daily()'), ('admin_remaining_monthly()'), ('admin_scatter_quota()'),
  ('get_predictions_per_day()'), ('admin_summary()'), ('admin_renewals()');
grant select on calls to anon, authenticated, service_role;

select tests.sign_out();
select throws_ok(format('select * from public.%s', call), '42501', null, call || ' is closed to visitors') from calls;
select tests.become_service();
select throws_ok(format('select * from public.%s', call), '42501', null, call || ' is closed to the service') from calls;
select tests.sign_in_as('guest');
select throws_ok(format('select * from public.%s', call), '42501', 'Not authorized.', call || ' is closed to users') from calls;
select tests.sign_in_as('guarded');
select throws_ok(format('select * from public.%s', call), '42501', 'Not authorized.',
  call || ' is closed to an admin who has not shown the second factor') from calls;

-- The gate of the views themselves.
select tests.sign_in_as('guest');
select throws_ok('select id from private.admin_users', '42501', 'Not authorized.', 'the view of users guards itself');
select throws_ok('select user_id from private.admin_quotas', '42501', 'Not authorized.', 'the view of quotas guards itself');
select throws_ok($$ select count(*) from private.admin_users where 1 / (case when email like '%@%' then 0 else 1 end) = 1 $$,
  '42501', 'Not authorized.', 'a filter that would break on what it reads reads nothing');

select tests.sign_in_as('guarded', 'aal2');
select is((select count(*)::int from public.admin_list_users()), 6, 'an admin who has shown the second factor is let in');
select tests.sign_in_as('chief');
select results_eq(
  $$ select id, role, price_id, status, cancel_at_period_end from public.admin_list_users()
      where id in (tests.id_of('chief'), tests.id_of('cat'), tests.id_of('king')) order by role, price_id $$,
  $$ values (tests.id_of('chief'), 'admin', null, null, null::boolean),
            (tests.id_of('cat'), 'user', 'price_kat_bobcat_monthly', 'active', false),
            (tests.id_of('king'), 'user', 'price_kat_lion_monthly', 'active', true) $$,
  'users come with what they subscribed to, admins first when so ordered');
select is(
  (select last_two_predictions::jsonb #>> '{0,cryptocurrency}' || ',' || (last_two_predictions::jsonb #>> '{1,cryptocurrency}')
            || ',' || json_array_length(last_two_predictions) || ',' || jsonb_array_length(last_two_predictions::jsonb #> '{0,data}')
     from public.admin_list_users() where id = tests.id_of('cat')),
  'SOL,ETH,2,200', 'with the last two predictions, newest first, whole');
select results_eq(
  $$ select jsonb_array_length(last_two_predictions::jsonb #> '{0,band,lower80}'), last_two_predictions::jsonb #>> '{1,band}'
       from public.admin_list_users() where id = tests.id_of('cat') $$,
  $$ values (50, null::text) $$, 'and their bands, where they have one');
select is((select last_prediction_at from public.admin_list_users() where id = tests.id_of('cat')), now() - interval '1 day',
  'and when the last one was saved');
select is((select last_two_predictions::text from public.admin_list_users() where id = tests.id_of('king')), '[]',
  'no predictions are an empty list');
select results_eq(
  $$ select user_id, plan_tier, remaining_daily, remaining_monthly from public.admin_remaining_daily()
      where user_id in (tests.id_of('chief'), tests.id_of('cat'), tests.id_of('king'), tests.id_of('late'))
      order by remaining_monthly nulls last $$,
  $$ values (tests.id_of('late'), 'free', 0, 0), (tests.id_of('cat'), 'bobcat', 7, 57),
            (tests.id_of('king'), 'lion', 15, 300), (tests.id_of('chief'), 'free', null, null) $$,
  'quotas count what is not released; a price of nobody''s is free; an admin has no limit');
select results_eq('select * from public.admin_remaining_monthly() order by user_id',
  'select * from public.admin_remaining_daily() order by user_id', 'both procedures tell both');

select results_eq('select * from public.admin_summary()',
  $$ select 6::bigint, 2::bigint, 1::bigint, 1::bigint, 1::bigint, 1::bigint, extract(epoch from now())::bigint - 86400 * 10 - 600 $$,
  'the cards: users, paid, lion, bobcat, active, cancelling, and the newest start of a paid period');
select results_eq('select * from public.admin_scatter_quota() order by plan_tier',
  $$ values ('bobcat', 20, 57), ('lion', 2, 300) $$, 'paid users stand where their period and quota are');
select results_eq(
  $$ select (min(day) + 89 = max(day)), max(day) = (now() at time zone 'UTC')::date, count(*)::int, sum(total)::int
       from public.get_predictions_per_day() $$,
  $$ values (true, true, 90, 3) $$, '90 days up to today in UTC, days without predictions too');
select results_eq($$ select day - (now() at time zone 'UTC')::date, bobcat, lion from public.admin_renewals() where bobcat + lion > 0 $$,
  $$ select ((now() + interval '20 days' - interval '10 minutes') at time zone 'UTC')::date - (now() at time zone 'UTC')::date, 1::bigint, 0::bigint $$, 'only what is active, not cancelling and of a plan of ours renews');

select * from finish();
rollback;
