begin;
select plan(36);
select tests.create_user('ada');
select tests.create_user('bob');
-- A trade, of which some fields differ. Its result is that of its prices unless it is among them.
create function tests.trade(p_n int, p_change jsonb default '{}') returns jsonb language sql stable as $$
  select jsonb_build_object('id', lpad(to_hex(p_n), 32, '0'), 'market_kind', 'simulated', 'sym', 'BTCUSDT.P', 'side', 'long',
    'entry_price', 100, 'exit_price', 110, 'pnl', 10, 'opened_at', '2026-01-05T10:00:00.000Z'::timestamptz + p_n * interval '1 minute',
    'closed_at', '2026-01-05T10:00:12.500Z'::timestamptz + p_n * interval '1 minute') || p_change $$;
create function tests.add(variadic p_trades jsonb[]) returns void language sql as $$ select public.add_paper_trades(to_jsonb(p_trades)) $$;
grant execute on function tests.trade(int, jsonb), tests.add(jsonb[]) to authenticated;

-- An owner
select tests.sign_in_as('ada');
select is_empty('select from public.paper_trades', 'a new account has no trades');
select lives_ok($$ select tests.add(tests.trade(1), tests.trade(2, '{"side": "short", "pnl": -10}')) $$, 'she adds trades');
select results_eq('select side, size::int, pnl, duration_s from public.paper_trades order by opened_at',
  $$ values ('long', 1, 10::double precision, 12.5::numeric), ('short', 1, -10::double precision, 12.5::numeric) $$,
  'the database computes result and duration');
select lives_ok($$ select tests.add(tests.trade(1), tests.trade(1, '{"exit_price": 120, "pnl": 10}'), tests.trade(3)) $$, 'a trade that is sent again is no error');
select results_eq('select count(*), sum(pnl) from public.paper_trades', $$ values (3::bigint, 10::double precision) $$, 'it is stored once, as it came first');
select lives_ok($$ select tests.add(tests.trade(4, '{"exit_price": null, "pnl": null}')) $$, 'a trade may end without a price');
select is((select pnl from public.paper_trades where id = lpad('4', 32, '0')), null, 'it has no result then');
select throws_ok(format('select tests.add(%L::jsonb)', tests.trade(9, change)), code, null, what) from (values
  ('{"pnl": 11}'::jsonb, '22023', 'a result that its prices do not give is refused'),
  ('{"pnl": null}', '22023', 'a result that is left out is refused'),
  ('{"exit_price": null}', '22023', 'a result without an exit is refused'),
  ('{"size": 2, "pnl": 20}', '23514', 'a trade has size 1'),
  ('{"side": "up"}', '23514', 'a trade is long or short'),
  ('{"sym": "btc"}', '23514', 'a symbol is in upper case'),
  ('{"market_kind": "dream"}', '23514', 'a kind of market is known'),
  ('{"id": "1"}', '23514', 'an id is 128 bits'),
  ('{"entry_price": 0}', '23514', 'a price is more than 0'),
  ('{"entry_price": "NaN"}', '23514', 'a price is a number'),
  ('{"exit_price": 1e13}', '23514', 'a price has a limit'),
  ('{"entry_price": null}', '23502', 'an entry has a price'),
  ('{"closed_at": null}', '23502', 'a trade has ended'),
  ('{"closed_at": "2026-01-05T10:10:01.001Z"}', '23514', 'no trade is longer than a minute and a second'),
  ('{"closed_at": "2026-01-05T10:08:59Z"}', '23514', 'nor ends before it starts'),
  ('{"opened_at": "1999-01-05T10:08:59Z", "closed_at": "1999-01-05T10:08:59Z"}', '23514', 'nor was long ago'),
  ('{"opened_at": "2126-01-05T10:08:59Z", "closed_at": "2126-01-05T10:08:59Z"}', '22023', 'nor ends in the future')) t (change, code, what);
select throws_ok(format('select public.add_paper_trades(%L)', body), '22023', null, what) from (values
  ('{}', 'an object is no list'), ('[1]', 'a number is no trade'),
  ((select jsonb_agg(tests.trade(n))::text from generate_series(1, 101) n), 'a call has at most 100')) t (body, what);
select is((select count(*) from public.paper_trades), 4::bigint, 'what is refused leaves nothing behind');
select throws_ok(text, '42501', null, 'she cannot ' || what) from (values
  ('add rows herself', $$ insert into public.paper_trades (user_id, id, market_kind, sym, side, entry_price, opened_at, closed_at)
     values (tests.id_of('ada'), repeat('a', 32), 'live', 'X', 'long', 1, now(), now()) $$),
  ('rewrite them', 'update public.paper_trades set entry_price = 1'),
  ('delete them', 'delete from public.paper_trades')) t (what, text);

-- Another account and the second factor
select tests.sign_in_as('bob');
select lives_ok($$ select tests.add(tests.trade(1, '{"sym": "MSFT"}')) $$, 'another account may have a trade with the same id');
select results_eq('select sym from public.paper_trades', $$ values ('MSFT') $$, 'and reads its own alone');
select throws_ok(format('select public.add_paper_trades(%L, %L)', to_jsonb(array[tests.trade(5)]), tests.id_of('ada')), '42501', null, 'another user''s trades are refused');
select lives_ok(format('select public.add_paper_trades(%L, %L)', to_jsonb(array[tests.trade(5)]), tests.id_of('bob')), 'his own are stored by his id too');
select tests.become_owner();
insert into auth.mfa_factors (user_id, factor_type, secret, status) values (tests.id_of('ada'), 'totp', 's', 'verified');
select tests.sign_in_as('ada');
select throws_ok($$ select tests.add(tests.trade(5)) $$, '42501', null, 'without the second factor nothing is stored');
select * from finish();
rollback;
