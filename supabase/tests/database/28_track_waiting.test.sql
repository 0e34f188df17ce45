-- Every record waits for its score from the moment it is written. Only the server reads and changes the list.
begin;
select plan(18);
select tests.create_user('ada');

create temporary table ways (way text, call text) on commit drop;
insert into ways values
  ('read', 'select * from private.track_waiting'),
  ('add to', $$insert into private.track_waiting values (1, 'BTCUSDT.P', 'live', 0, 0)$$),
  ('change', $$update private.track_waiting set next_try_s = 0$$),
  ('delete from', 'delete from private.track_waiting');
grant select on ways to anon, authenticated, service_role;

select tests.sign_out();
select throws_ok(call, '42501', null, format('a visitor cannot %s it', way)) from ways;
select tests.sign_in_as('ada');
select throws_ok(call, '42501', null, format('a user cannot %s it', way)) from ways;
select tests.become_service();
select throws_ok(call, '42501', null, format('the service cannot %s it', way)) from ways;

select tests.become_owner();
select throws_ok((select call from ways where way = 'add to'), '23503', null, 'only a record waits');
create function tests.body() returns text language sql immutable as $$
  select jsonb_build_object('v', 1, 'seq', 1, 'slot', 1762981200, 'issued', 1762981202000, 'sym', 'BTCUSDT.P', 'model', 'lion',
    'version', 'lion-0000000001', 'role', 'serving', 'market', 'live', 'prev', repeat('A', 43))::text $$;
select lives_ok($$
  insert into private.track_records (seq, slot_s, sym, model, model_version, role, market_kind, issued_ms, body, hash)
  values (1, 1762981200, 'BTCUSDT.P', 'lion', 'lion-0000000001', 'serving', 'live', 1762981202000, tests.body(),
    sha256(convert_to(tests.body(), 'UTF8'))) $$, 'a record is written');
select results_eq('select seq, sym, market_kind, issued_ms, next_try_s from private.track_waiting',
  $$ values (1::bigint, 'BTCUSDT.P', 'live', 1762981202000::bigint, 1762984200::bigint) $$,
  'and waits until its 50 minutes are over');
select throws_ok($$ insert into private.track_waiting values (1, 'BTCUSDT.P', 'live', 0, 0) $$, '23505', null, 'once');
select lives_ok('update private.track_waiting set next_try_s = next_try_s + 20', 'the server puts it off');
select lives_ok('delete from private.track_waiting', 'and ends its waiting');
select * from finish();
rollback;
