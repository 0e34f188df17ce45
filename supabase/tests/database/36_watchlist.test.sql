begin;
select plan(26);
select tests.create_user('ada');
select tests.create_user('bob');
create function tests.pairs(variadic p_names text[]) returns jsonb language sql immutable
  as $$ select coalesce(jsonb_agg(jsonb_build_object('sym', split_part(n, ' ', 1), 'timeframe', split_part(n, ' ', 2))), '[]') from unnest(p_names) n $$;
create function tests.listed() returns text language sql
  as $$ select string_agg(w.sym || ' ' || w.timeframe, ', ' order by w.place) from public.watched_pairs w $$;
grant execute on function tests.pairs(text[]), tests.listed() to authenticated;

-- An owner
select tests.sign_in_as('ada');
select is(tests.listed(), null, 'a new account watches nothing');
select results_eq($$ select * from public.add_watched_pairs(tests.pairs('BTCUSDT.P 1min', 'MSFT 15min', 'BTCUSDT.P 5min')) $$,
  $$ values ('BTCUSDT.P', '1min'), ('MSFT', '15min'), ('BTCUSDT.P', '5min') $$, 'she adds pairs in their order');
select results_eq($$ select sym from public.add_watched_pairs(tests.pairs('GC1! 1min', 'MSFT 15min', 'GC1! 1min')) $$,
  $$ values ('BTCUSDT.P'), ('MSFT'), ('BTCUSDT.P'), ('GC1!') $$, 'a pair that is there or named twice is there once');
select lives_ok($$ select public.order_watched_pairs(tests.pairs('GC1! 1min', 'ETHUSDT.P 1min', 'BTCUSDT.P 5min')) $$, 'she orders them');
select is(tests.listed(), 'GC1! 1min, BTCUSDT.P 5min, BTCUSDT.P 1min, MSFT 15min', 'an order adds nothing, and pairs it does not name come last as they were');
select lives_ok($$ select public.remove_watched_pairs(tests.pairs('BTCUSDT.P 5min', 'TSLA 1min')) $$, 'she removes one; one that is not there changes nothing');
select results_eq('select place, sym from public.watched_pairs order by place', $$ values (1::smallint, 'GC1!'), (2::smallint, 'BTCUSDT.P'), (3::smallint, 'MSFT') $$,
  'places have no holes');
select lives_ok($$ select public.add_watched_pairs((select jsonb_agg(jsonb_build_object('sym', 'C' || n, 'timeframe', '1min')) from generate_series(1, 50) n)) $$,
  'fifty more are offered');
select results_eq($$ select count(*), max(place)::int, (array_agg(sym order by place))[50] from public.watched_pairs $$, $$ values (50::bigint, 50, 'C47') $$,
  'the first that fit are added');
select throws_ok(format('select public.add_watched_pairs(%L)', body), '22023', null, what) from (values
  ('null', 'a list is needed'), ('{}', 'an object is no list'), ('[1]', 'a number is no pair'), ('[{"sym": "BTC"}]', 'a pair has a timeframe'),
  ('[{"sym": "btc", "timeframe": "1min"}]', 'a symbol is in upper case'), ('[{"sym": "BTC", "timeframe": "2min"}]', 'a timeframe is one of three'),
  ((select jsonb_agg(jsonb_build_object('sym', 'C' || n, 'timeframe', '1min'))::text from generate_series(1, 51) n), 'a list has at most fifty')) t (body, what);
select throws_ok(text, '42501', null, 'she cannot ' || what) from (values
  ('add rows herself', $$ insert into public.watched_pairs (user_id, sym, timeframe, place) values (tests.id_of('ada'), 'X', '1min', 51) $$),
  ('rewrite them', 'update public.watched_pairs set place = 1'),
  ('delete them', 'delete from public.watched_pairs')) t (what, text);

-- Another account, the second factor, a visitor
select tests.sign_in_as('bob');
select is(tests.listed(), null, 'nobody else reads her list');
select tests.become_owner();
select throws_ok($$ insert into public.watched_pairs (user_id, sym, timeframe, place) values (tests.id_of('ada'), 'X', '1min', 50) $$, '23505', null,
  'a place is held once');
select throws_ok($$ insert into public.watched_pairs (user_id, sym, timeframe, place) values (tests.id_of('ada'), 'X', '1min', 51) $$, '23514', null,
  'and there is none after the fiftieth');
insert into auth.mfa_factors (user_id, factor_type, secret, status) values (tests.id_of('ada'), 'totp', 's', 'verified');
select tests.sign_in_as('ada');
select is(tests.listed(), null, 'without the second factor nothing is read');
select throws_ok($$ select public.remove_watched_pairs(tests.pairs('MSFT 15min')) $$, '42501', null, 'and nothing is changed');
select tests.sign_out();
select throws_ok($$ select public.add_watched_pairs('[]') $$, '42501', null, 'a visitor has no watchlist here');

-- Without the account
select tests.become_owner();
delete from auth.users where id = tests.id_of('ada');
select is_empty('select from public.watched_pairs', 'a watchlist is deleted with the account');
select * from finish();
rollback;
