begin;
select plan(21);
select tests.create_user('ada');
insert into private.market_candles values ('binance', 'BTCUSDT.P', 60, 100, 101, 99, 100.5, 3);

select tests.sign_out();
select throws_ok('select * from private.market_candles', '42501', null, 'a visitor reads no stored candles');
select throws_ok($$ insert into private.market_candles values ('binance', 'BTCUSDT.P', 120, 1, 1, 1, 1, 1) $$, '42501', null,
  'a visitor stores no candles');

select tests.sign_in_as('ada');
select throws_ok('select * from private.market_candles', '42501', null, 'a user reads no stored candles');
select throws_ok($$ insert into private.market_candles values ('binance', 'BTCUSDT.P', 120, 1, 1, 1, 1, 1) $$, '42501', null,
  'a user stores no candles');
select throws_ok('update private.market_candles set close = 1', '42501', null, 'a user changes no candles');
select throws_ok('delete from private.market_candles', '42501', null, 'a user removes no candles');

select tests.become_service();
select throws_ok('select * from private.market_candles', '42501', null, 'the service key reads no stored candles');
select throws_ok('delete from private.market_candles', '42501', null, 'the service key removes no candles');

select tests.become_owner();
select lives_ok($$ insert into private.market_candles values ('binance', 'BTCUSDT.P', 120, 1, 1, 1, 1, null) $$, 'a candle without volume');
select throws_ok($$ insert into private.market_candles values ('binance', 'BTCUSDT.P', 60, 1, 1, 1, 1, 1) $$, '23505', null,
  'one candle a venue, symbol and minute');
select throws_ok($$ insert into private.market_candles values ('Binance', 'X', 60, 1, 1, 1, 1, 1) $$, '23514', null, 'a venue is one lower-case word');
select throws_ok($$ insert into private.market_candles values ('binance', 'x', 60, 1, 1, 1, 1, 1) $$, '23514', null, 'a symbol is upper case');
select throws_ok($$ insert into private.market_candles values ('binance', 'X', 61, 1, 1, 1, 1, 1) $$, '23514', null, 'a time is a whole minute');
select throws_ok($$ insert into private.market_candles values ('binance', 'X', -60, 1, 1, 1, 1, 1) $$, '23514', null, 'no time before 1970');
select throws_ok($$ insert into private.market_candles values ('binance', 'X', 60, 3, 2, 1, 1, 1) $$, '23514', null, 'no open above the high');
select throws_ok($$ insert into private.market_candles values ('binance', 'X', 60, 1, 2, 1.5, 1.6, 1) $$, '23514', null, 'no open below the low');
select throws_ok($$ insert into private.market_candles values ('binance', 'X', 60, 0, 0, 0, 0, 1) $$, '23514', null, 'no price of zero');
select throws_ok($$ insert into private.market_candles values ('binance', 'X', 60, 'NaN', 2, 1, 1, 1) $$, '23514', null, 'no open that is no number');
select throws_ok($$ insert into private.market_candles values ('binance', 'X', 60, 1, 'Infinity', 1, 1, 1) $$, '23514', null, 'no endless high');
select throws_ok($$ insert into private.market_candles values ('binance', 'X', 60, 1, 1, 1, 1, -1) $$, '23514', null, 'no negative volume');
select throws_ok($$ insert into private.market_candles values ('binance', 'X', 60, 1, 1, 1, 1, 'NaN') $$, '23514', null, 'no volume that is no number');
select * from finish();
rollback;
