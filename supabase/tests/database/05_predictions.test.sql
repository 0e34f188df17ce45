begin;
select plan(83);
-- Seconds to the next UTC morning: a day of quota does not end while the test moves its clock.
create function tests.until_morning() returns int language sql stable
  as $$ select 86400 - extract(epoch from now())::bigint % 86400 + 6 * 3600 $$;
select tests.set_clock_offset(tests.until_morning());
select tests.create_user('ada');
select tests.create_user('bob');
select tests.create_user('cleo');
select tests.create_user('root', 'admin');
select tests.give_subscription('ada', 'price_kat_lion_monthly');
select tests.give_subscription('bob', 'price_kat_bobcat_monthly');

-- `count` candles of one minute from `p_time` on, at a price that tells them apart.
create function tests.candles(p_count int, p_time bigint, p_price numeric default 100) returns jsonb language sql
  as $$ select jsonb_agg(jsonb_build_object('time', p_time + 60 * n, 'open', p_price, 'high', p_price + 2, 'low', p_price - 1,
                                            'close', p_price + 1, 'volume', p_time / 60 + n) order by n) from generate_series(0, p_count - 1) n $$;
create function tests.band(p_price numeric, p_count int default 50) returns jsonb language sql
  as $$ select jsonb_object_agg(edge, (select jsonb_agg(p_price) from generate_series(1, p_count)))
          from unnest(array['lower80', 'upper80', 'lower95', 'upper95']) edge $$;
create function tests.rid(p_number int) returns uuid language sql as $$ select md5('reservation' || p_number)::uuid $$;
-- What the server does when a stream opens; returns the outcome.
create function tests.reserve(p_number int, p_name text, p_t0 bigint, p_model text default 'kat1', p_sym text default 'BTCUSDT.P')
  returns text language plpgsql
as $$
declare
  v_outcome text;
begin
  perform private.keep_forecast(md5('kept' || p_t0)::uuid, tests.candles(150, p_t0 - 149 * 60), tests.candles(50, p_t0 + 60), '{}');
  select outcome into v_outcome from private.reserve_prediction(
    tests.rid(p_number), tests.id_of(p_name), p_model, '1', 'BINANCE', p_sym, 'BTC', p_t0, md5('kept' || p_t0)::uuid);
  return v_outcome;
end;
$$;
create function tests.save(p_name text, p_t0 bigint, p_model text default 'kat1') returns text language sql
  as $$ select outcome from private.record_prediction(tests.id_of(p_name), p_model, 'BTC', '1min', tests.candles(200, p_t0 - 149 * 60)) $$;
grant execute on all functions in schema tests to service_role;

-- Who may read and write
insert into public.user_predictions (user_id, cryptocurrency, model, data)
values (tests.id_of('ada'), 'BTC', 'kat1', tests.candles(200, 60000)), (tests.id_of('bob'), 'ETH', 'kat1', tests.candles(200, 60000));

select tests.sign_out();
select throws_ok('select * from public.user_predictions', '42501', null, 'a visitor reads no prediction');
select throws_ok('select * from private.' || t, '42501', null, 'a visitor reads nothing of ' || t)
  from unnest(array['prediction_reservations', 'kept_forecasts', 'quota_locks']) t;
select throws_ok(format('select * from private.quota_of(%L)', tests.id_of('ada')), '42501', null, 'a visitor asks for no quota');

select tests.sign_in_as('ada');
select results_eq('select user_id from public.user_predictions', $$ select tests.id_of('ada') $$, 'an owner reads her predictions alone');
select is_empty($$ select 1 from public.user_predictions where user_id = tests.id_of('bob') $$, 'asking for another''s by id shows nothing');
select throws_ok($$ insert into public.user_predictions (user_id, cryptocurrency, model, data) values (tests.id_of('ada'), 'BTC', 'kat1', '[]') $$,
  '42501', null, 'no one writes past the quota');
select throws_ok($$ update public.user_predictions set data = '[]' $$, '42501', null, 'no one changes what was forecast');
select throws_ok('delete from public.user_predictions', '42501', null, 'no one deletes directly');
select throws_ok('select * from private.' || t, '42501', null, 'a user reads nothing of ' || t)
  from unnest(array['prediction_reservations', 'kept_forecasts', 'quota_locks']) t;
select throws_ok('select private.' || f, '42501', null, 'a user may not call ' || f)
  from unnest(array[
    'quota_of(tests.id_of(''ada''))',
    'quota_month_start(tests.id_of(''ada''))',
    'may_reserve(tests.id_of(''ada''), ''kat1'', ''BINANCE'', ''BTCUSDT.P'')',
    'reservation_refusal(tests.id_of(''ada''), ''kat1'')',
    'reserve_prediction(gen_random_uuid(), tests.id_of(''ada''), ''kat1'', ''1'', ''BINANCE'', ''BTCUSDT.P'', ''BTC'', 60, gen_random_uuid())',
    'keep_forecast(gen_random_uuid(), ''[]'', ''[]'', ''{}'')',
    'release_reservation(gen_random_uuid())',
    'withdraw_reservation(gen_random_uuid())',
    'mark_candles_sent(gen_random_uuid(), 50)',
    'reservation_of(tests.id_of(''ada''), gen_random_uuid())',
    'read_forecast(tests.id_of(''ada''), gen_random_uuid(), 50)',
    'forecast_content(tests.id_of(''ada''), gen_random_uuid(), 50)',
    'unsaved_reservations_of(tests.id_of(''ada''))',
    'record_prediction(tests.id_of(''ada''), ''kat1'', ''BTC'', ''1min'', ''[]'')',
    'spend_reservation(gen_random_uuid())',
    'settle_reservations()'
  ]) f;

select tests.become_service();
select throws_ok('select * from private.prediction_reservations', '42501', null, 'the service reaches reservations by functions alone');
select throws_ok('select private.spend_reservation(gen_random_uuid())', '42501', null, 'the service spends only what was streamed');

-- The row itself
select throws_ok(format($$ insert into public.user_predictions (user_id, cryptocurrency, model, data) values (%L, 'BTC', 'kat1', tests.candles(199, 60)) $$,
  tests.id_of('ada')), '23514', null, '199 candles are no prediction');
select throws_ok(format($$ insert into public.user_predictions (user_id, cryptocurrency, model, data) values (%L, 'BTC', 'kat1', '{}') $$,
  tests.id_of('ada')), '23514', null, 'an object is no list of candles');
select throws_ok(format($$ insert into public.user_predictions (user_id, cryptocurrency, model, data) values (%L, 'BTC', 'kat9', tests.candles(200, 60)) $$,
  tests.id_of('ada')), '23514', null, 'an unknown model is refused');

-- What is left, and what takes it
select results_eq($$ select q.is_admin, q.remaining_daily from private.quota_of(tests.id_of('root')) q $$,
  $$ values (true, null::int) $$, 'an admin has no limit');
select is(tests.reserve(1, 'bob', 60000), 'reserved', 'a forecast is reserved');
select is(tests.reserve(2, 'bob', 60000), 'existing', 'the same minute is reserved once');
select is(tests.reserve(3, 'bob', 60060), 'reserved', 'another minute is another one');
select is(tests.reserve(4, 'bob', 60000, 'kat2_4'), 'forecast/model-locked', 'a model outside the plan is refused');
select is(tests.reserve(5, 'cleo', 60000), 'forecast/model-locked', 'without a plan nothing is reserved');
select is(tests.reserve(6, 'root', 60000), 'prediction/admin-saves-nothing', 'an admin reserves nothing');
select results_eq($$ select q.remaining_daily, q.remaining_monthly from private.quota_of(tests.id_of('bob')) q $$,
  $$ values (8, 58) $$, 'each reservation counts by day and by period');
select is(private.mark_candles_sent(tests.rid(3), 1), true, 'a first candle is recorded');
select is(private.release_reservation(tests.rid(3)), false, 'what was seen is not given back');
select is(private.release_reservation(tests.rid(1)), true, 'a failure gives the unit back');
select is(private.mark_candles_sent(tests.rid(1), 1), false, 'nothing is sent of what was given back');
select results_eq($$ select q.remaining_daily from private.quota_of(tests.id_of('bob')) q $$, array[9], 'and the quota shows it');
select is_empty($$ select 1 from private.reservation_of(tests.id_of('ada'), tests.rid(3)) $$, 'another''s reservation is not found');
select is_empty($$ select 1 from private.read_forecast(tests.id_of('ada'), tests.rid(3), 50) $$, 'nor is its forecast');
select throws_ok(format('select * from private.read_forecast(tests.id_of(''bob''), tests.rid(3), %s)', n), null, null,
  'no forecast is read without counting its candles: ' || n) from unnest(array[0, 51]) n;
select results_eq($$ select jsonb_array_length(forecast) from private.read_forecast(tests.id_of('bob'), tests.rid(3), 7) $$,
  array[50], 'its owner reads it');
select results_eq($$ select candles_sent from private.reservation_of(tests.id_of('bob'), tests.rid(3)) $$, array[7],
  'and so many candles count as sent');
select is_empty($$ select 1 from private.read_forecast(tests.id_of('bob'), tests.rid(1), 50) $$, 'what was given back is not read');
select set_eq($$
  select p.proname::text from pg_proc p join pg_namespace n on n.oid = p.pronamespace
   where n.nspname in ('public', 'private') and p.prosrc ~ 'kept_forecasts' $$,
  array['forecast_content', 'keep_forecast', 'record_prediction', 'spend_reservation'],
  'no other function reads stored forecasts: one returns them and counts, one stores, two compare and save what is paid for');
select is_empty($$ select 1 from pg_views where definition ~ 'kept_forecasts' $$, 'and no view does');
select is(tests.reserve(90, 'bob', 66000), 'reserved', 'a forecast whose product will end is reserved');
select is(private.mark_candles_sent(tests.rid(90), 20), true, 'a part of it is sent');
select is(private.withdraw_reservation(tests.rid(90)), true, 'the product ended, so its unit is given back');
select results_eq($$ select q.remaining_daily from private.quota_of(tests.id_of('bob')) q $$, array[9], 'and the quota shows that');
select is(private.mark_candles_sent(tests.rid(90), 21), false, 'nothing more of it is sent');

-- Saving
select is(tests.save('bob', 60060), 'prediction/not-streamed', 'what was not streamed to its end is not saved');
select is(private.mark_candles_sent(tests.rid(3), 50), true, 'the last candle is recorded');
select is(private.withdraw_reservation(tests.rid(3)), false, 'what was sent whole is not given back');
select is(tests.save('ada', 60060), 'prediction/not-streamed', 'what was streamed to another is not saved');
select is(tests.save('bob', 60060), 'saved', 'what was streamed to its end is saved');
select is(tests.save('bob', 60060), 'saved', 'saving again finds the same row');
select is((select count(*)::int from public.user_predictions where user_id = tests.id_of('bob')), 2, 'there is one row of it');
select is(tests.save('root', 60060), 'prediction/admin-saves-nothing', 'an admin saves nothing');
select results_eq($$ select q.remaining_daily from private.quota_of(tests.id_of('bob')) q $$, array[9], 'saving costs nothing more');

-- Its bands
select is((select band from public.user_predictions where user_id = tests.id_of('bob') order by created_at desc limit 1), null,
  'a forecast that was streamed without bands is saved without them');
select private.keep_forecast(md5('kept60120')::uuid, tests.candles(150, 60120 - 149 * 60), tests.candles(50, 60180),
  jsonb_build_object('band', tests.band(99.5)));
select private.keep_forecast(md5('kept60180')::uuid, tests.candles(150, 60180 - 149 * 60), tests.candles(50, 60240),
  jsonb_build_object('band', tests.band(99.5, 49)));
select tests.reserve(7, 'bob', 60120), tests.reserve(8, 'bob', 60180);
select private.mark_candles_sent(tests.rid(7), 50), private.mark_candles_sent(tests.rid(8), 50);
select is(tests.save('bob', 60120), 'saved', 'a forecast is saved with its bands');
select is((select band from public.user_predictions where data -> 149 -> 'time' = '60120'), tests.band(99.5), 'as they were streamed');
select is(tests.save('bob', 60180), 'saved', 'a band that is not whole stops nothing');
select is((select band from public.user_predictions where data -> 149 -> 'time' = '60180'), null, 'and is not saved');
select throws_ok(format($$ update public.user_predictions set band = %L where data -> 149 -> 'time' = '60120' $$, bad), '23514', null,
  'no band: ' || what)
  from (values ('a list', jsonb '[]'), ('an edge is missing', tests.band(1) - 'upper95'),
               ('a fifth edge', tests.band(1) || '{"x": []}'), ('a text among the prices', jsonb_set(tests.band(1), '{lower80,7}', '"1"'))) b (what, bad);

-- Ten minutes later
select tests.reserve(10, 'ada', 60000), tests.reserve(11, 'ada', 60060);
select private.mark_candles_sent(tests.rid(11), 1);
select results_eq('select * from private.settle_reservations()', $$ values (0, 0) $$, 'nothing is settled before its time');
select tests.set_clock_offset(tests.until_morning() + 601);
select results_eq('select * from private.settle_reservations()', $$ values (1, 1) $$, 'a seen one is spent, an unseen one given back');
select results_eq($$ select q.remaining_daily from private.quota_of(tests.id_of('ada')) q $$, array[14], 'the seen one alone has cost');
select is((select data from public.user_predictions where user_id = tests.id_of('ada') order by created_at desc limit 1),
  tests.candles(150, 60060 - 149 * 60) || tests.candles(50, 60120), 'and is saved in full');
select * from finish();
rollback;
