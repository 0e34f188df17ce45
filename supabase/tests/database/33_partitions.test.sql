-- Partitions of candles and of the record: what makes and drops them is the server's alone, and they are as closed as the whole.
begin;
select plan(40);
select tests.create_user('ada');

create temporary table calls (call text) on commit drop;
insert into calls values
  ('select private.make_candle_partitions(0, 0)'), ('select private.drop_candle_partitions(0)'),
  ('select private.make_time_partitions(''market_candles'', 0, 0, 1, ''w'', 0)'), ('select private.drop_time_partitions(''market_candles'', 0, 0)'),
  ('select private.make_track_partitions(0)'), ('select private.track_head(''[]'')'), ('select * from private.market_candles_rest'),
  ('select * from private.track_records_m0'), ('insert into private.track_scores_m0 values (1, ''void'', ''candles-gone'')');
grant select on calls to anon, authenticated, service_role;

select tests.sign_out();
select throws_ok(call, '42501', null, 'a visitor cannot ' || call) from calls;
select tests.sign_in_as('ada');
select throws_ok(call, '42501', null, 'a user cannot ' || call) from calls;
select tests.become_service();
select throws_ok(call, '42501', null, 'the service cannot ' || call) from calls;

select tests.become_owner();
-- Wednesday 12 November 2025, 21:00 UTC, and the Monday before.
select is(private.monday_s(1762981200), 1762732800::bigint, 'a week begins on Monday at midnight, UTC');
select is(private.monday_s(1762732800), 1762732800::bigint, 'a Monday''s first second is of its own week');
select is(private.monday_s(1762732799), 1762732800 - 604800::bigint, 'the one before of the week before');

-- Far in the future, where nothing is made yet: Monday 4 January 2100.
select is(private.monday_s(4102704000), 4102704000::bigint, 'a Monday');
insert into private.market_candles values ('binance', 'X', 4102704000, 1, 1, 1, 1, 1), ('binance', 'X', 4103308800, 1, 1, 1, 1, 1);
select is(private.make_candle_partitions(4102704000, 4102704000 + 1), 1, 'the week that begins then is made');
select is(private.make_candle_partitions(4102704000, 4102704000 + 1), 0, 'once');
select results_eq('select tableoid::regclass::text, time from private.market_candles where time > 4000000000 order by time',
  $$ values ('private.market_candles_w21000104', 4102704000::bigint), ('private.market_candles_rest', 4103308800::bigint) $$,
  'and takes in what waited for it, its own alone');
select lives_ok('select private.drop_candle_partitions(4102704000 + 604799)', 'weeks go that were over by then');
select results_eq('select time from private.market_candles where time > 4000000000 order by time',
  $$ values (4102704000::bigint), (4103308800) $$, 'and none whose last second was not');
select is(private.drop_candle_partitions(4102704000 + 604800), 1, 'then that one too');

-- Days of other products are made and dropped in the same way.
select is(private.make_product_candle_partitions(4102704000 + 5, 4102704000 + 86400), 2, 'a day begins at midnight, UTC');
select is(private.drop_product_candle_partitions(4102704000 + 86400) >= 1, true, 'and goes once it is over');
select results_eq('select time from private.market_candles', $$ values (4103308800::bigint) $$, 'and nothing of another');
select * from finish();
rollback;
