-- Chances of clock windows: one more kind of text in the chain.
begin;
select plan(26);

-- 15:03 UTC on 12 November 2025. `p_text` changes a record's text alone, `p_row` its columns alone, `p_both` both.
create function tests.add(p_seq bigint, p_both jsonb default '{}', p_text jsonb default '{}', p_row jsonb default '{}')
  returns void language plpgsql
as $$
declare
  head text := coalesce((select rtrim(translate(encode(t.hash, 'base64'), '+/', '-_'), '=')
                           from private.track_records t order by t.seq desc limit 1), repeat('A', 43));
  r jsonb := jsonb_build_object('v', 3, 'seq', p_seq, 'slot', 1762959780, 'window', 5, 'issued', 1762959782000, 'sym', 'BTCUSDT.P',
    'model', 'lion', 'version', 'lion-0000000001', 'role', 'serving', 'market', 'live', 'prev', head) || p_both;
  body text := (jsonb_strip_nulls(r || p_text))::text;
begin
  r := r || p_row;
  insert into private.track_records (seq, slot_s, timeframe, window_min, sym, model, model_version, role, market_kind, issued_ms, body, hash)
  values ((r ->> 'seq')::bigint, (r ->> 'slot')::bigint, coalesce(r ->> 'tf', '1min'), coalesce((r ->> 'window')::smallint, 0), r ->> 'sym',
    r ->> 'model', r ->> 'version', r ->> 'role', r ->> 'market', (r ->> 'issued')::bigint, body, sha256(convert_to(body, 'UTF8')));
end;
$$;

select lives_ok($$ select tests.add(1) $$, 'three minutes into a window of five');
select lives_ok($$ select tests.add(2, '{"window": 15}') $$, 'and of fifteen, at the same moment');
select lives_ok($$ select tests.add(3, '{"v": 1, "window": null, "slot": 1762959600}') $$, 'a forecast names no window');
select results_eq('select seq, next_try_s - 1762959600 from private.track_waiting order by seq',
  $$ values (1::bigint, 300::bigint), (2, 900), (3, 3000) $$, 'a chance waits until its window has closed');
select throws_ok($$ select tests.add(4) $$, '23505', null, 'there is one chance a moment and window');
select throws_ok(call, '22023', null, what) from (values
  ($$ select tests.add(4, '{"sym": "ETHUSDT.P"}', '{"window": null, "v": 1}') $$, 'a forecast''s text is no chance'),
  ($$ select tests.add(4, '{"sym": "ETHUSDT.P"}', '{"window": 15}') $$, 'a text has the window of its record'),
  ($$ select tests.add(4, '{"sym": "ETHUSDT.P", "v": 2}') $$, 'a chance''s text has version 3'),
  ($$ select tests.add(4, '{"sym": "ETHUSDT.P", "v": 3, "window": null, "slot": 1762959600}') $$, 'and a forecast''s has not'),
  ($$ select tests.add(4, '{"sym": "ETHUSDT.P"}', '{"tf": "5min"}') $$, 'a chance names no timeframe')) t (call, what);
select throws_ok(call, '23514', null, what) from (values
  ($$ select tests.add(4, '{"slot": 1762959720}') $$, 'two minutes in are no moment'),
  ($$ select tests.add(4, '{"slot": 1762959600}') $$, 'and the open is none'),
  ($$ select tests.add(4, '{"slot": 1762959781}') $$, 'a moment is a whole minute'),
  ($$ select tests.add(4, '{"window": 15, "slot": 1762959660}') $$, 'one minute is no moment of a quarter of an hour'),
  ($$ select tests.add(4, '{"window": 60}') $$, 'an hour is no window of the record'),
  ($$ select tests.add(4, '{"tf": "5min"}') $$, 'chances come from forecasts of one minute'),
  ($$ select tests.add(4, '{"window": null, "v": 1, "slot": 1762959780}') $$, 'a forecast is issued on its slot')) t (call, what);

select is(
  (select jsonb_agg(place order by place) from private.track_head('[
     {"place": 0, "market": "live", "slot": 1762959780, "window": 5, "sym": "BTCUSDT.P", "model": "lion", "role": "serving", "version": "lion-0000000001"},
     {"place": 1, "market": "live", "slot": 1762959780, "sym": "BTCUSDT.P", "model": "lion", "role": "serving", "version": "lion-0000000001"},
     {"place": 2, "market": "live", "slot": 1762959600, "sym": "BTCUSDT.P", "model": "lion", "role": "serving", "version": "lion-0000000001"}]') head,
     jsonb_array_elements(head.known) place),
  '[0, 2]'::jsonb, 'a key without a window is a forecast''s');

select is(private.make_track_partitions(1500000), 2, 'the next partitions are made');
select col_is_unique('private', 'track_records_m1',
  array['market_kind', 'slot_s', 'sym', 'model', 'role', 'model_version', 'timeframe', 'window_min'], 'with the window in their key');

insert into private.track_misses (market_kind, slot_s, window_min, sym, model, role, reason)
values ('live', 1762959780, 5, 'SOLUSDT.P', 'lion', 'serving', 'candle-late');
select lives_ok($$ insert into private.track_misses (market_kind, slot_s, window_min, sym, model, role, reason)
  values ('live', 1762959780, 15, 'SOLUSDT.P', 'lion', 'serving', 'candle-late') $$, 'each window is missed apart');
select throws_ok($$ insert into private.track_misses (market_kind, slot_s, sym, model, role, reason)
  values ('live', 1762959780, 'SOLUSDT.P', 'lion', 'serving', 'candle-late') $$, '23514', null, 'a forecast is missed on its slot');

set local role service_role;
select throws_ok(call, '42501', null, 'the service role has no way to ' || call) from (values
  ('select * from private.track_chance_blocks'), ('delete from private.track_chance_blocks'),
  ('select * from private.track_chance_summaries')) t (call);
reset role;
select throws_ok($$ update private.track_records set window_min = 0 $$, '42501', null, 'a chance stays one');

select * from finish();
rollback;
