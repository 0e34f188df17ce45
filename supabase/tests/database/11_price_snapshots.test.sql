begin;
select plan(20);
select tests.create_user('ada');
insert into public.price_snapshots (symbol, price, change_24h, pct_24h, volume_24h, fetched_at)
values ('ZZA', 100, 1, 1, 5, now()), ('ZZB', 200, null, null, null, now());

select tests.sign_out();
select results_eq($$ select symbol, price from public.price_snapshots where symbol like 'ZZ_' order by price desc $$,
  $$ values ('ZZB', 200::float8), ('ZZA', 100::float8) $$, 'a visitor reads the prices');
select throws_ok($$ insert into public.price_snapshots (symbol, price, fetched_at) values ('ZZC', 1, now()) $$,
  '42501', null, 'a visitor adds no price');
select throws_ok('update public.price_snapshots set price = 1', '42501', null, 'a visitor changes no price');
select throws_ok('delete from public.price_snapshots', '42501', null, 'a visitor removes no price');
select throws_ok('select * from private.price_snapshot_history', '42501', null, 'a visitor reads no history');

select tests.sign_in_as('ada');
select is((select count(*)::int from public.price_snapshots where symbol like 'ZZ_'), 2, 'a user reads the prices');
select throws_ok($$ insert into public.price_snapshots (symbol, price, fetched_at) values ('ZZC', 1, now()) $$,
  '42501', null, 'a user adds no price');
select throws_ok('update public.price_snapshots set price = 1', '42501', null, 'a user changes no price');
select throws_ok('delete from public.price_snapshots', '42501', null, 'a user removes no price');
select throws_ok('delete from private.price_snapshot_history', '42501', null, 'a user removes no history');

select tests.become_service();
select lives_ok($$ update public.price_snapshots set price = 101 where symbol = 'ZZA' $$, 'the service writes prices');
select throws_ok('select * from private.price_snapshot_history', '42501', null, 'the service key reads no history');

select tests.become_owner();
select throws_ok($$ insert into public.price_snapshots (symbol, price, fetched_at) values ('ZZA', 1, now()) $$,
  '23505', null, 'a symbol has one row');
select throws_ok($$ insert into public.price_snapshots (symbol, price, fetched_at) values ('ZZC', 0, now()) $$,
  '23514', null, 'a price is not nothing');
select throws_ok($$ insert into public.price_snapshots (symbol, price, fetched_at) values ('ZZC', 'infinity', now()) $$,
  '23514', null, 'a price is not endless');
select throws_ok($$ insert into public.price_snapshots (symbol, price, fetched_at) values ('ZZC', 'nan', now()) $$,
  '23514', null, 'a price is a number');
select throws_ok($$ insert into public.price_snapshots (symbol, price, pct_24h, fetched_at) values ('ZZC', 1, 'nan', now()) $$,
  '23514', null, 'a change is a number');
select throws_ok($$ insert into public.price_snapshots (symbol, price, volume_24h, fetched_at) values ('ZZC', 1, -1, now()) $$,
  '23514', null, 'a volume is not negative');
select throws_ok($$ insert into public.price_snapshots (symbol, price, fetched_at) values ('', 1, now()) $$,
  '23514', null, 'a symbol is not empty');
select throws_ok($$ insert into public.price_snapshots (symbol, price, fetched_at, market_kind) values ('ZZC', 1, now(), 'x') $$,
  '23514', null, 'prices are live or simulated');
select * from finish();
rollback;
