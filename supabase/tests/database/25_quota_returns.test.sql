begin;
select plan(28);
-- Seconds to the next UTC morning: a day of quota does not end while the test moves its clock.
select tests.set_clock_offset((86400 - extract(epoch from now())::bigint % 86400 + 6 * 3600)::int);
select tests.create_user('ada');
select tests.create_user('bob');
select tests.create_user('root', 'admin');
select tests.give_subscription('ada', 'price_kat_lion_monthly');
select tests.give_subscription('bob', 'price_kat_bobcat_monthly');

create function tests.candles(p_count int, p_time bigint) returns jsonb language sql
  as $$ select jsonb_agg(jsonb_build_object('time', p_time + 60 * n, 'open', 100, 'high', 102, 'low', 99, 'close', 101, 'volume', 1) order by n)
          from generate_series(0, p_count - 1) n $$;
create function tests.rid(p_number int) returns uuid language sql as $$ select md5('return' || p_number)::uuid $$;
-- Predictions that were streamed to their end and saved, each in a different minute.
create function tests.save(p_number int, p_name text) returns text language plpgsql
as $$
declare
  v_t0 bigint := 1790000000 / 60 * 60 + 60 * p_number;
begin
  perform private.keep_forecast(tests.rid(p_number), tests.candles(150, v_t0 - 149 * 60), tests.candles(50, v_t0 + 60), '{"marketKind": "live"}');
  perform private.reserve_prediction(
    tests.rid(p_number), tests.id_of(p_name), 'kat1', '1', 'BINANCE', 'BTCUSDT.P', 'BTC', v_t0, tests.rid(p_number));
  perform private.mark_candles_sent(tests.rid(p_number), 50);
  return (select outcome from private.record_prediction(tests.id_of(p_name), 'kat1', 'BTC', '1min', tests.candles(200, v_t0 - 149 * 60)));
end;
$$;
create function tests.prediction_of(p_number int) returns uuid language sql stable security definer
  as $$ select prediction_id from private.prediction_reservations where id = tests.rid(p_number) $$;
create function tests.state_of(p_number int) returns text language sql stable security definer
  as $$ select state from private.prediction_reservations where id = tests.rid(p_number) $$;
create function tests.returned_at(p_number int) returns timestamptz language sql stable security definer
  as $$ select returned_at from public.prediction_outcomes where prediction_id = tests.prediction_of(p_number) $$;
-- As the server's job ends a waiting.
create function tests.end_void(p_number int, p_reason text) returns void language sql security definer
  as $$ update public.prediction_outcomes set state = 'void', void_reason = p_reason, resolved_at = private.clock_now()
         where prediction_id = tests.prediction_of(p_number) and state = 'waiting' $$;
create function tests.left_of(p_name text) returns text language sql stable security definer
  as $$ select remaining_daily || ' ' || remaining_monthly from private.quota_of(tests.id_of(p_name)) $$;

grant execute on all functions in schema tests to service_role, authenticated;

-- The rule
select ok(private.returns_quota(reason), reason || ' gives it back')
  from unnest(array['candles-missing', 'candles-gone', 'other-market', 'unreadable']) reason;
select ok(not private.returns_quota(reason), coalesce(reason, 'no reason') || ' does not')
  from unnest(array['market-closed', 'lost', null]) reason;

-- Once
select is(tests.save(n, 'bob'), 'saved', 'bob saves number ' || n) from generate_series(1, 3) n;
select is(tests.left_of('bob'), '7 57', 'three are spent');
select tests.end_void(1, 'candles-missing');
select is(tests.state_of(1), 'returned', 'the feed failed: it is returned');
select is(tests.left_of('bob'), '8 58', 'and counts as not spent');
select ok(tests.returned_at(1) is not null, 'and its owner is told');
select tests.end_void(1, 'candles-gone');
select ok(not private.return_reservation(tests.prediction_of(1)), 'what was returned is not returned again');
select is(tests.left_of('bob'), '8 58', 'nor counted again');
select tests.end_void(2, 'market-closed');
select is(tests.state_of(2) || ' ' || coalesce(tests.returned_at(2)::text, 'never'), 'spent never', 'a market that closed returns nothing');
select ok(not private.return_reservation(gen_random_uuid()), 'nor does a prediction that nobody made');
select is((select outcome from private.reserve_prediction(tests.rid(9), tests.id_of('bob'), 'kat1', '1', 'BINANCE', 'BTCUSDT.P', 'BTC', 1790000000 / 60 * 60 + 60, tests.rid(1))),
  'existing', 'asking for the same minute again finds the one that was returned');
select is((select count(*)::int from private.reservation_of(tests.id_of('bob'), tests.rid(1))), 1, 'readable, and at no cost');
select is(tests.left_of('bob'), '8 58', 'so that nothing is spent');

-- Where it makes no difference, it does not show
update private.plan_limits set per_day = -1, per_month = -1 where plan = 'lion';
select is(tests.save(4, 'ada'), 'saved', 'a plan without limits saves one');
select tests.end_void(4, 'candles-gone');
select ok(tests.returned_at(4) is null, 'and is told of no return');
update public.profiles set role = 'admin' where id = tests.id_of('bob');
select tests.end_void(3, 'candles-gone');
select ok(tests.returned_at(3) is null, 'nor is who has become an admin');

-- Users cannot return their own
select tests.sign_in_as('bob');
select throws_ok(text, '42501', null, 'a user cannot ' || what) from (values
  ('call for it', format('select private.return_reservation(%L)', tests.prediction_of(2))),
  ('call his outcome void', $$ update public.prediction_outcomes set state = 'void', void_reason = 'candles-gone', resolved_at = now() $$),
  ('write the return himself', 'update public.prediction_outcomes set returned_at = now()')) as t (what, text);
select tests.become_service();
select throws_ok(format('select private.return_reservation(%L)', tests.prediction_of(2)), '42501', null, 'nor can the server''s own key');
select * from finish();
rollback;
