begin;
select plan(26);
select tests.create_user('ada');
select tests.create_user('bob');
select tests.give_subscription('ada', 'price_kat_lion_monthly');

create function tests.candles(p_count int, p_time bigint) returns jsonb language sql
  as $$ select jsonb_agg(jsonb_build_object('time', p_time + 60 * n, 'open', 100, 'high', 102, 'low', 99, 'close', 101, 'volume', 1) order by n)
          from generate_series(0, p_count - 1) n $$;
create function tests.rid(p_number int) returns uuid language sql as $$ select md5('outcome' || p_number)::uuid $$;
-- The last whole minute before now.
create function tests.join_s() returns bigint language sql stable
  as $$ select (floor(extract(epoch from private.clock_now()) / 60)::bigint - 1) * 60 $$;
-- A prediction streamed to its end and saved; returns what saving says.
create function tests.saved(p_number int, p_t0 bigint, p_start jsonb) returns text language plpgsql
as $$
begin
  perform private.keep_forecast(tests.rid(p_number), tests.candles(150, p_t0 - 149 * 60), tests.candles(50, p_t0 + 60), p_start);
  perform private.reserve_prediction(
    tests.rid(p_number), tests.id_of('ada'), 'kat1', '1', 'BINANCE', 'BTCUSDT.P', 'BTC', p_t0, tests.rid(p_number));
  perform private.mark_candles_sent(tests.rid(p_number), 50);
  return (select outcome from private.record_prediction(tests.id_of('ada'), 'kat1', 'BTC', '1min', tests.candles(200, p_t0 - 149 * 60)));
end;
$$;
create function tests.outcome() returns setof public.prediction_outcomes language sql
  as $$ select * from public.prediction_outcomes order by join_s $$;
grant execute on all functions in schema tests to service_role;

-- What saving leaves behind
select tests.become_service();
select is(tests.saved(1, tests.join_s(), '{"marketKind": "replayed"}'), 'saved', 'a prediction is saved');
select results_eq('select user_id, market_kind, sym, join_s, state from tests.outcome()',
  $$ select tests.id_of('ada'), 'replayed', 'BTCUSDT.P', tests.join_s(), 'waiting' $$,
  'and waits for its outcome, of the market that its stream told');
select results_eq('select due_at, next_try_at from tests.outcome()',
  $$ select to_timestamp(tests.join_s() + 3060), to_timestamp(tests.join_s() + 3060) $$, 'until its last minute is over');
select is(tests.saved(1, tests.join_s(), '{"marketKind": "replayed"}'), 'saved', 'saving again finds it');
select is((select count(*)::int from tests.outcome()), 1, 'and it waits once');
select is(tests.saved(2, tests.join_s() - 60, '{}'), 'saved', 'one whose market nobody told is saved too');
select is((select count(*)::int from tests.outcome()), 1, 'and waits for nothing');
select is(tests.saved(3, tests.join_s() - 900, '{"marketKind": "live"}'), 'saved', 'one of a delayed feed is saved');
select ok((select due_at >= to_timestamp(join_s + 3060 + 840) from tests.outcome() limit 1), 'and its candles come as late again');
select is(private.outcome_due_at(0, to_timestamp(86400)), to_timestamp(3060 + 3600), 'no delay is more than an hour');

-- Who may read and write
select tests.sign_out();
select throws_ok('select * from public.prediction_outcomes', '42501', null, 'a visitor reads no outcome');
select tests.sign_in_as('bob');
select is_empty('select * from public.prediction_outcomes', 'another sees none');
select tests.sign_in_as('ada');
select is((select count(*)::int from public.prediction_outcomes), 2, 'an owner sees hers');
select throws_ok(text, '42501', null, 'an owner cannot ' || what) from (values
  ('make one', $$ insert into public.prediction_outcomes (prediction_id, user_id, market_kind, sym, join_s, due_at, next_try_at)
                  select prediction_id, user_id, 'live', 'BTC', 60, now(), now() from public.prediction_outcomes limit 1 $$),
  ('change it', $$ update public.prediction_outcomes set state = 'void' $$),
  ('take it away', $$ delete from public.prediction_outcomes $$),
  ('ask when one is due', $$ select private.outcome_due_at(60, now()) $$)) as t (what, text);

-- The row itself
select tests.become_service();
select throws_ok(text, '23514', null, what) from (values
  ('49 candles are no outcome', $$ update public.prediction_outcomes set state = 'known', candles = tests.candles(49, 60), score = '{}', resolved_at = now() $$),
  ('an object is no list of candles', $$ update public.prediction_outcomes set state = 'known', candles = '{}', score = '{}', resolved_at = now() $$),
  ('candles without a score are half an outcome', $$ update public.prediction_outcomes set state = 'known', candles = tests.candles(50, 60), resolved_at = now() $$),
  ('a void one has a reason', $$ update public.prediction_outcomes set state = 'void', resolved_at = now() $$),
  ('and one of those there are', $$ update public.prediction_outcomes set state = 'void', void_reason = 'lost', resolved_at = now() $$),
  ('what ended tells when', $$ update public.prediction_outcomes set state = 'void', void_reason = 'candles-gone' $$)) as t (what, text);
select lives_ok($$ update public.prediction_outcomes set state = 'known', candles = tests.candles(50, 60), score = '{}', resolved_at = now() $$,
  'a whole outcome stands');
select lives_ok('delete from public.user_predictions', 'a prediction can be taken away');
select is_empty('select * from public.prediction_outcomes', 'and takes its outcome along');
select * from finish();
rollback;
