-- Records of longer candles: one more field of their key, their text and their waiting.
begin;
select plan(21);

-- 15:00 UTC on 12 November 2025. `p_text` changes a record's text alone, `p_row` its columns alone, `p_both` both.
create function tests.add(p_seq bigint, p_both jsonb default '{}', p_text jsonb default '{}', p_row jsonb default '{}')
  returns void language plpgsql
as $$
declare
  head text := coalesce((select rtrim(translate(encode(t.hash, 'base64'), '+/', '-_'), '=')
                           from private.track_records t order by t.seq desc limit 1), repeat('A', 43));
  r jsonb := jsonb_build_object('v', 1, 'seq', p_seq, 'slot', 1762959600, 'issued', 1762959602000, 'sym', 'BTCUSDT.P', 'model', 'lion',
    'version', 'lion-0000000001', 'role', 'serving', 'market', 'live', 'prev', head) || p_both;
  body text := (jsonb_strip_nulls(r || p_text))::text;
begin
  r := r || p_row;
  insert into private.track_records (seq, slot_s, timeframe, sym, model, model_version, role, market_kind, issued_ms, body, hash)
  values ((r ->> 'seq')::bigint, (r ->> 'slot')::bigint, coalesce(r ->> 'tf', '1min'), r ->> 'sym', r ->> 'model', r ->> 'version',
    r ->> 'role', r ->> 'market', (r ->> 'issued')::bigint, body, sha256(convert_to(body, 'UTF8')));
end;
$$;

select lives_ok($$ select tests.add(1) $$, 'a record of one minute names no timeframe');
select lives_ok($$ select tests.add(2, '{"v": 2, "tf": "5min"}') $$, 'one of 5 minutes has the same slot');
select lives_ok($$ select tests.add(3, '{"v": 2, "tf": "15min"}') $$, 'and one of 15');
select results_eq('select seq, next_try_s - 1762959600 from private.track_waiting order by seq',
  $$ values (1::bigint, 3000::bigint), (2, 15000), (3, 45000) $$, 'each waits until its own 50 bars are over');
select throws_ok($$ select tests.add(4, '{"v": 2, "tf": "15min"}') $$, '23505', null, 'there is one forecast a slot and timeframe');
select throws_ok(call, '22023', null, what) from (values
  ($$ select tests.add(4, '{"sym": "ETHUSDT.P"}', '{"tf": "5min", "v": 2}') $$, 'a text of longer candles is no record of one minute'),
  ($$ select tests.add(4, '{"sym": "ETHUSDT.P"}', '{}', '{"tf": "5min"}') $$, 'nor the other way round'),
  ($$ select tests.add(4, '{"sym": "ETHUSDT.P", "tf": "5min"}') $$, 'version 1 has no timeframe'),
  ($$ select tests.add(4, '{"sym": "ETHUSDT.P", "v": 2}') $$, 'version 2 has one'),
  ($$ select tests.add(4, '{"sym": "ETHUSDT.P"}', '{"tf": "1min"}') $$, 'one minute is not named')) t (call, what);
select throws_ok(call, '23514', null, what) from (values
  ($$ select tests.add(4, '{"v": 2, "tf": "5min", "slot": 1762959900}') $$, 'no slot of 5 minutes begins between two quarters'),
  ($$ select tests.add(4, '{"v": 2, "tf": "15min", "slot": 1762960500}') $$, 'and none of 15 within the hour'),
  ($$ select tests.add(4, '{"v": 2, "tf": "1h", "slot": 1762963200}') $$, 'no other timeframe is known')) t (call, what);
select throws_ok(format($$ select tests.add(4, '{"sym": "ETHUSDT.P", "x": "%s"}') $$, repeat('x', 860)), '23514', null,
  'a text of one minute has at most 1,024 bytes');
select lives_ok(format($$ select tests.add(4, '{"v": 2, "tf": "5min", "sym": "ETHUSDT.P", "x": "%s"}') $$, repeat('x', 860)),
  'and one of longer candles more');
select throws_ok(format($$ select tests.add(5, '{"v": 2, "tf": "5min", "sym": "SOLUSDT.P", "x": "%s"}') $$, repeat('x', 1000)), '23514', null,
  'but not more than 1,152');

select is(
  (select jsonb_agg(place order by place) from private.track_head('[
     {"place": 0, "market": "live", "slot": 1762959600, "sym": "BTCUSDT.P", "model": "lion", "role": "serving", "version": "lion-0000000001"},
     {"place": 1, "tf": "15min", "market": "live", "slot": 1762959600, "sym": "BTCUSDT.P", "model": "lion", "role": "serving", "version": "lion-0000000001"},
     {"place": 2, "tf": "15min", "market": "live", "slot": 1762959600, "sym": "ETHUSDT.P", "model": "lion", "role": "serving", "version": "lion-0000000001"}]') head,
     jsonb_array_elements(head.known) place),
  '[0, 1]'::jsonb, 'a forecast without a timeframe is one of one minute');

-- A partition made later has the same key.
select is(private.make_track_partitions(1500000), 2, 'the next partitions are made');
select col_is_unique('private', 'track_records_m1',
  array['market_kind', 'slot_s', 'sym', 'model', 'role', 'model_version', 'timeframe', 'window_min'], 'with the timeframe in their key');

insert into private.track_misses (market_kind, slot_s, sym, model, role, reason) values ('live', 1762959600, 'SOLUSDT.P', 'lion', 'serving', 'candle-late');
select lives_ok($$ insert into private.track_misses (market_kind, slot_s, sym, model, role, reason, timeframe)
  values ('live', 1762959600, 'SOLUSDT.P', 'lion', 'serving', 'candle-late', '15min') $$, 'longer candles are missed apart');
select throws_ok($$ insert into private.track_misses (market_kind, slot_s, sym, model, role, reason)
  values ('live', 1762959600, 'SOLUSDT.P', 'lion', 'serving', 'candle-late') $$, '23505', null, 'and each once');
select * from finish();
rollback;
