-- What is missing from the track record is noted by the server alone, and for good.
begin;
select plan(21);
select tests.create_user('ada');

create temporary table ways (way text, call text) on commit drop;
insert into ways values
  ('read', 'select * from private.track_misses'),
  ('add to', $$insert into private.track_misses values ('live', 300, 'BTCUSDT.P', 'lion', 'serving', 'candle-late')$$),
  ('change', $$update private.track_misses set reason = 'x'$$),
  ('delete from', 'delete from private.track_misses'),
  ('empty', 'truncate private.track_misses');
grant select on ways to anon, authenticated, service_role;

select tests.sign_out();
select throws_ok(call, '42501', null, format('a visitor cannot %s it', way)) from ways;
select tests.sign_in_as('ada');
select throws_ok(call, '42501', null, format('a user cannot %s it', way)) from ways;
select tests.become_service();
select throws_ok(call, '42501', null, format('the service cannot %s it', way)) from ways;

select tests.become_owner();
select lives_ok((select call from ways where way = 'add to'), 'the server adds to it');
select throws_ok((select call from ways where way = 'add to'), '23505', null, 'one forecast is missed once');
select throws_ok(call, '42501', 'The track record is never changed.', format('not even the owner can %s it', way))
  from ways where way in ('change', 'delete from', 'empty');
select throws_ok($$insert into private.track_misses values ('live', 301, 'BTCUSDT.P', 'lion', 'serving', 'x')$$, '23514', null,
  'a miss is of a slot');
select * from finish();
rollback;
