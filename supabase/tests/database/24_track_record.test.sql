-- The track record only grows. Only the server reads it, and no one changes it, not even the owner of the database.
begin;
select plan(163);
select tests.create_user('ada');

create function tests.packed(p_hash bytea) returns text language sql immutable
  as $$ select rtrim(translate(encode(p_hash, 'base64'), '+/', '-_'), '=') $$;
-- The last hash, as the next record's text names it.
create function tests.head() returns text language sql stable
  as $$ select coalesce((select tests.packed(hash) from private.track_records order by seq desc limit 1), repeat('A', 43)) $$;
-- 21:00 UTC on 12 November 2025.
create function tests.evening() returns bigint language sql immutable as $$ select 1762981200::bigint $$;
-- A record of five minutes after the one before; `p_text` changes its text alone, `p_row` its columns alone.
create function tests.add(p_seq bigint, p_text jsonb default '{}', p_row jsonb default '{}') returns void language plpgsql
as $$
declare
  slot bigint := tests.evening() + (p_seq - 1) * 300;
  body text := (jsonb_build_object('v', 1, 'seq', p_seq, 'slot', slot, 'issued', slot * 1000 + 2000, 'sym', 'BTCUSDT.P',
    'model', 'lion', 'version', 'lion-0000000001', 'role', 'serving', 'market', 'live', 'prev', tests.head()) || p_text)::text;
  r jsonb := jsonb_build_object('seq', p_seq, 'slot', slot, 'issued', slot * 1000 + 2000, 'sym', 'BTCUSDT.P',
    'model', 'lion', 'version', 'lion-0000000001', 'role', 'serving', 'market', 'live') || p_row;
begin
  insert into private.track_records (seq, slot_s, sym, model, model_version, role, market_kind, issued_ms, body, hash)
  values ((r ->> 'seq')::bigint, (r ->> 'slot')::bigint, r ->> 'sym', r ->> 'model', r ->> 'version', r ->> 'role',
    r ->> 'market', (r ->> 'issued')::bigint, body, coalesce(decode(r ->> 'hash', 'hex'), sha256(convert_to(body, 'UTF8'))));
end;
$$;

create temporary table kept (name text, only_grows boolean) on commit drop;
insert into kept values ('track_records', true), ('track_scores', true), ('track_hours', true), ('track_days', true),
  ('track_keys', true), ('track_documents', false);
create temporary table ways (way text, call text) on commit drop;
insert into ways values
  ('read', 'select * from private.%I'), ('add to', 'insert into private.%I default values'),
  ('delete from', 'delete from private.%I'), ('empty', 'truncate private.%I cascade');
grant select on kept, ways to anon, authenticated, service_role;

-- Who may do what: nothing.
select tests.sign_out();
select throws_ok(format(call, name), '42501', null, format('a visitor cannot %s %s', way, name)) from kept, ways;
select tests.sign_in_as('ada');
select throws_ok(format(call, name), '42501', null, format('a user cannot %s %s', way, name)) from kept, ways;
select tests.become_service();
select throws_ok(format(call, name), '42501', null, format('the service cannot %s %s', way, name)) from kept, ways;
select tests.become_owner();
select ok(not has_any_column_privilege(role, format('private.%I', name), 'update'), format('%s changes nothing in %s', role, name))
  from kept, (values ('anon'), ('authenticated'), ('service_role')) r (role);

-- The chain.
select throws_ok($$ select tests.add(1, '{"prev": "x"}') $$, '40001', 'A record must follow the last one.', 'the first names no other');
select throws_ok($$ select tests.add(2) $$, '40001', null, 'and has the number one');
select lives_ok($$ select tests.add(1) $$, 'a first record');
select throws_ok($$ select tests.add(1, '{"slot": 1762981500}', '{"slot": 1762981500}') $$, '40001', null, 'a number is given once');
select throws_ok($$ select tests.add(3) $$, '40001', null, 'and none is left out');
select throws_ok(format($$ select tests.add(2, '{"prev": "%s"}') $$, repeat('A', 43)), '40001', null, 'a record names the one before');
select throws_ok($$ select tests.add(2, '{"prev": null}') $$, '40001', null, 'and does not leave it out');
select throws_ok(format($$ select tests.add(2, '{"issued": %1$s}', '{"issued": %1$s}') $$, tests.evening() * 1000 + 1999),
  '22023', 'A record is not older than the last one.', 'nothing is dated back');
select throws_ok(format($$ select tests.add(2, '{}', '{"%s": "%s"}') $$, field, value), '22023', 'A record and its text differ.',
  'another ' || field || ' than the text''s is refused')
  from (values ('sym', 'ETHUSDT.P'), ('model', 'bobcat'), ('version', 'x'), ('role', 'shadow'), ('market', 'simulated'),
    ('issued', '1762981599000'), ('slot', '1762981800')) t (field, value);
select throws_ok(format($$ select tests.add(2, '{"%s": null}') $$, field), '22023', null, 'a text without ' || field || ' is refused')
  from unnest(array['v', 'slot', 'issued', 'sym', 'model', 'version', 'role', 'market']) field;
select throws_ok($$ select tests.add(2, '{"seq": "2 "}') $$, '22023', null, 'and one whose number is another text');
select throws_ok(format($$ select tests.add(2, '{}', '{"hash": "%s"}') $$, repeat('00', 32)), '23514', null, 'a hash is that of its text');
select throws_ok(format($$ select tests.add(2, '{"x": "%s"}') $$, repeat('x', 1024)), '23514', null, 'a text has at most 1,024 bytes');
select throws_ok(format($$ select tests.add(2, '{"slot": %1$s}', '{"slot": %1$s}') $$, tests.evening()), '23505', null,
  'there is one forecast a slot, symbol, model, role and version');
select lives_ok(format($$ select tests.add(2, '{"issued": %1$s}', '{"issued": %1$s}') $$, tests.evening() * 1000 + 2000), 'two may have the same time');

-- The outcome, and the document.
select lives_ok($$ insert into private.track_scores (seq, state, score) values (1, 'known', '{}') $$, 'a record is scored');
select throws_ok($$ insert into private.track_scores (seq, state, void_reason) values (1, 'void', 'candles-gone') $$, '23505', null, 'once');
select throws_ok($$ insert into private.track_scores (seq, state, score) values (9, 'known', '{}') $$, '23503', null, 'if there is one');
select throws_ok($$ insert into private.track_documents (hash, slot_s, body) values (sha256('y'), 300, 'x') $$, '23514', null, 'a document has its own hash');

-- Hours.
create function tests.seal(p_hour bigint, p_first bigint, p_count int) returns void language sql as $$
  insert into private.track_hours (hour_s, first_seq, count, root) values (tests.evening() + 3600 * p_hour, p_first, p_count, sha256('root')) $$;
select throws_ok(text, code, null, what) from (values
  ($$ select tests.seal(0, 2, 1) $$, '40001', 'the first hour begins with the first record'),
  ($$ select tests.seal(0, 1, 3) $$, '22023', 'an hour counts what is there'),
  ($$ select tests.seal(1, 1, 2) $$, '22023', 'and only what was issued in it'),
  ($$ select tests.seal(0, 1, 0) $$, '23514', 'and something')) t (text, code, what);
select lives_ok($$ select tests.seal(0, 1, 2) $$, 'an hour is sealed');
select throws_ok($$ select tests.seal(0, 3, 1) $$, '40001', null, 'once');
select throws_ok(format($$ select tests.add(3, '{"issued": %1$s}', '{"issued": %1$s}') $$, (tests.evening() + 3599) * 1000), '22023', null,
  'nothing is issued into an hour that is sealed');
select lives_ok(format($$ select tests.add(3, '{"issued": %1$s}', '{"issued": %1$s}') $$, (tests.evening() + 3600) * 1000), 'the next hour is open');
select throws_ok($$ select tests.seal(-1, 3, 1) $$, '40001', null, 'hours are sealed in order');
select lives_ok($$ select tests.seal(1, 3, 1) $$, 'the next hour goes on where the last one ended');

-- Keys.
create function tests.key_id(p_bytes text) returns text language sql immutable
  as $$ select left(encode(sha256(sha256(p_bytes::bytea)), 'hex'), 16) $$;
create function tests.add_key(p_bytes text, p_by text default null, p_id text default null) returns void language sql as $$
  insert into private.track_keys (key_id, public_key, created_at, announced_by, announcement)
  values (coalesce(tests.key_id(p_id), tests.key_id(p_bytes)), sha256(p_bytes::bytea), now(), tests.key_id(p_by), case when p_by is not null then '{}' end) $$;
select throws_ok($$ select tests.add_key('one', null, 'another') $$, '23514', null, 'a key is named after its bytes');
select lives_ok($$ select tests.add_key('one') $$, 'a first key');
select throws_ok($$ select tests.add_key('two') $$, '23505', null, 'there is one first key');
select lives_ok($$ select tests.add_key('two', 'one') $$, 'a key may follow it');
select throws_ok($$ select tests.add_key('three', 'one') $$, '23505', null, 'one alone');
select throws_ok($$ select tests.add_key('three', 'four') $$, '23503', null, 'and none follows what is not there');

-- Days.
create function tests.sign_day(p_day text, p_previous text, p_key text default 'one', p_said text default null) returns void language sql as $$
  insert into private.track_days (day, statement, signature, key_id)
  select p_day::date, jsonb_build_object('day', coalesce(p_said, p_day), 'previous', p_previous, 'key', tests.key_id(p_key))::text,
         sha256('a') || sha256('b'), tests.key_id(p_key) $$;
create function tests.last_day() returns text language sql stable
  as $$ select encode(sha256(convert_to(statement, 'UTF8')), 'hex') from private.track_days order by day desc limit 1 $$;
select throws_ok(format($$ select tests.sign_day('2025-11-12', '%s') $$, repeat('1', 64)), '40001', null, 'the first day names no other');
select throws_ok(format($$ select tests.sign_day('2025-11-12', '%s', 'one', '2025-11-11') $$, repeat('0', 64)), '22023', null, 'a statement is of its day');
select throws_ok(format($$ select tests.sign_day('2025-11-12', '%s', 'nobody') $$, repeat('0', 64)), '23503', null, 'signed by a published key');
select lives_ok(format($$ select tests.sign_day('2025-11-12', '%s') $$, repeat('0', 64)), 'a day is signed');
select throws_ok(format($$ select tests.sign_day('2025-11-13', '%s') $$, repeat('0', 64)), '40001', null, 'the next names it');
select throws_ok(format($$ select tests.sign_day('2025-11-12', '%s') $$, tests.last_day()), '40001', null, 'a day is signed once');
select lives_ok(format($$ select tests.sign_day('2025-11-13', '%s') $$, tests.last_day()), 'the next day is signed');
select throws_ok(format($$ select tests.add(4, '{"issued": %1$s}', '{"issued": %1$s}') $$, (tests.evening() + 3 * 3600) * 1000), '22023', null,
  'nothing is issued into a day that is signed');

-- Even the owner can delete and change nothing.
select throws_ok(format(call, name), '42501', 'The track record is never changed.', format('the owner cannot %s %s', way, name))
  from kept, ways where way in ('delete from', 'empty') and only_grows;
select throws_ok(text, '42501', 'The track record is never changed.', 'the owner cannot change ' || what) from (values
  ('a record', $$ update private.track_records set issued_ms = issued_ms $$),
  ('a score', $$ update private.track_scores set score = '{"better": true}' $$),
  ('an hour', $$ update private.track_hours set count = count $$),
  ('a day', $$ update private.track_days set signature = signature $$),
  ('a key', $$ update private.track_keys set created_at = now() $$)) t (what, text);
select lives_ok($$ delete from private.track_documents $$, 'documents alone may go: their hashes stay in the records');
set local session_replication_role = replica;
select lives_ok($$ delete from private.track_scores $$, 'what a restored or replicated database may do, its superuser may: only kept statements show it');
set local session_replication_role = origin;
select * from finish();
rollback;
