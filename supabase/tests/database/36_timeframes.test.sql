-- Candles of 5 and 15 minutes are separate rows, even where they open in the same second as a minute.
begin;
select plan(26);
select tests.set_clock_offset(86400 - extract(epoch from now())::bigint % 86400 + 6 * 3600);
select tests.create_user('ada');
select tests.create_user('bob');
select tests.give_subscription('ada', 'price_kat_bobcat_monthly');

create function tests.bars(p_count int, p_from bigint, p_timeframe text) returns jsonb language sql
  as $$ select jsonb_agg(jsonb_build_object('time', p_from + private.bar_s(p_timeframe) * n, 'open', 100, 'high', 102, 'low', 99, 'close', 101) order by n)
          from generate_series(0, p_count - 1) n $$;
create function tests.rid(p_timeframe text) returns uuid language sql as $$ select md5('reservation' || p_timeframe)::uuid $$;
-- Reserves the forecast whose last real candle opens at second 900,000, at every timeframe the same.
create function tests.reserve(p_timeframe text) returns text language plpgsql
as $$
declare
  v_outcome text;
  v_kept    uuid := md5('kept' || p_timeframe)::uuid;
  v_from    bigint := 900000 - 149 * private.bar_s(p_timeframe);
begin
  perform private.keep_forecast(v_kept, tests.bars(150, v_from, p_timeframe), tests.bars(50, 900000 + private.bar_s(p_timeframe), p_timeframe),
    '{"marketKind": "simulated"}');
  select outcome into v_outcome from private.reserve_prediction(
    tests.rid(p_timeframe), tests.id_of('ada'), 'kat1', '1', 'BINANCE', 'BTCUSDT.P', 'BTC', 900000, v_kept, p_timeframe);
  return v_outcome;
end;
$$;
create function tests.save(p_candles text, p_timeframe text) returns text language sql
  as $$ select outcome from private.record_prediction(tests.id_of('ada'), 'kat1', 'BTC', p_timeframe,
          tests.bars(200, 900000 - 149 * private.bar_s(p_candles), p_candles)) $$;
grant execute on all functions in schema tests to service_role;

select tests.sign_in_as('ada');
select throws_ok('select private.bar_s(''1min'')', '42501', null, 'a user calls no private function');
select tests.become_owner();
select results_eq($$ select private.bar_s(t) from unnest(array['1min', '5min', '15min', '10min']) t $$,
  array[60, 300, 900, null]::bigint[], 'the length of a candle, and none of an unknown one');

-- Reservations
select results_eq($$ select tests.reserve(t) from unnest(array['1min', '5min', '15min', '5min']) t $$,
  array['reserved', 'reserved', 'reserved', 'existing'], 'each timeframe of a second is reserved once');
select is((select remaining_daily from private.quota_of(tests.id_of('ada'))), 7, 'and one quota counts them all');
select throws_ok($$ select tests.reserve('10min') $$, null, null, 'no other timeframe is reserved');
select results_eq($$ select timeframe from private.unsaved_reservations_of(tests.id_of('ada')) order by 1 $$,
  array['15min', '1min', '5min'], 'the list of unsaved ones names the timeframe');
select results_eq($$ select timeframe from private.reservation_of(tests.id_of('ada'), tests.rid('15min')) $$,
  array['15min'], 'and so does one of them');
select is((select count(*)::int from private.prediction_reservations where timeframe = '1min'), 1, 'a reservation without a timeframe is of one minute');

-- Saving
select ok(private.mark_candles_sent(tests.rid(t), 50), 'all candles of ' || t || ' were sent') from unnest(array['1min', '5min', '15min']) t;
select results_eq($$ select tests.save('5min', t) from unnest(array['1min', '15min', '10min', '']) t $$,
  array['prediction/not-streamed', 'prediction/not-streamed', 'prediction/not-streamed', 'prediction/not-streamed'],
  'candles of five minutes are saved under no other timeframe');
select is(tests.save('5min', '5min'), 'saved', 'but under their own');
select is(tests.save('5min', '5min'), 'saved', 'twice is once');
select is(tests.save('15min', '15min'), 'saved', 'a quarter of an hour');
select results_eq('select timeframe from public.user_predictions order by created_at, timeframe desc', array['5min', '15min'], 'the rows say which');
select throws_ok($$ insert into public.user_predictions (user_id, cryptocurrency, timeframe, model, data)
  values (tests.id_of('ada'), 'BTC', '10min', 'kat1', tests.bars(200, 0, '1min')) $$, '23514', null, 'no row has another timeframe');

-- Settling: what was seen and not saved is saved under its timeframe, too
select tests.set_clock_offset(86400 - extract(epoch from now())::bigint % 86400 + 6 * 3600 + 660);
select results_eq('select spent, released from private.settle_reservations()', $$ values (1, 0) $$, 'the minute is settled');
select results_eq('select timeframe from public.user_predictions order by private.bar_s(timeframe)', array['1min', '5min', '15min'], 'as a minute');

-- Outcomes
select results_eq($$ select timeframe, join_s from public.prediction_outcomes order by private.bar_s(timeframe) $$,
  $$ values ('1min', 900000::bigint), ('5min', 900000), ('15min', 900000) $$, 'each waits for its own candles');
select results_eq($$ select private.outcome_due_at(900000, to_timestamp(900000 + private.bar_s(t) + 10), t) - to_timestamp(900000)
  from unnest(array['1min', '5min', '15min']) t $$,
  array['51 minutes', '255 minutes', '765 minutes']::interval[], '51 candles after the last real one');
select is(private.outcome_due_at(900000, to_timestamp(900000 + 900 + 830), '15min'), to_timestamp(900000 + 51 * 900),
  'a candle seen just before the next one closes is not of a delayed feed');
select is(private.outcome_due_at(900000, to_timestamp(900000 + 900 + 840 + 600), '15min'), to_timestamp(900000 + 51 * 900 + 600),
  'one seen ten minutes after the next one closed is');
select is(private.outcome_due_at(900000, to_timestamp(900000 + 660)), to_timestamp(900000 + 51 * 60 + 600), 'without a timeframe it is a minute');

-- Stored candles
select lives_ok($$ insert into private.market_candles (venue, sym, time, open, high, low, close, timeframe)
  select 'binance', 'TF', 900000, 1, 1, 1, 1, t from unnest(array['1min', '5min', '15min']) t $$, 'three candles of one second');
select throws_ok($$ insert into private.market_candles (venue, sym, time, open, high, low, close, timeframe)
  values ('binance', 'TF', 900300, 1, 1, 1, 1, '15min') $$, '23514', null, 'a candle opens at a whole multiple of its length');
select * from finish();
rollback;
