begin;
select plan(16);
select tests.create_user('ada');
insert into private.jobs (name, next_due_at) values ('test:job', now());

select tests.sign_out();
select throws_ok('select * from private.jobs', '42501', null, 'a visitor reads no jobs');
select throws_ok('select * from private.feed_values', '42501', null, 'a visitor reads no feeds');
select throws_ok('select * from private.feed_calls', '42501', null, 'a visitor reads no counts');

select tests.sign_in_as('ada');
select throws_ok('update private.jobs set next_due_at = ''infinity''', '42501', null, 'a user stops no job');
select throws_ok('delete from private.feed_values', '42501', null, 'a user removes no feed');
select throws_ok('update private.feed_calls set calls = 0', '42501', null, 'a user resets no count');

select tests.become_service();
select throws_ok('update private.jobs set next_due_at = ''infinity''', '42501', null, 'the service key stops no job');
select throws_ok('select * from private.feed_values', '42501', null, 'the service key reads no feeds');
select throws_ok('update private.feed_calls set calls = 0', '42501', null, 'the service key resets no count');

select tests.become_owner();
select throws_ok($$ insert into private.jobs (name, next_due_at) values ('Not a name', now()) $$, '23514', null, 'a job has a plain name');
select throws_ok($$ update private.jobs set holder = gen_random_uuid() $$, '23514', null, 'nobody holds a job without an end');
select throws_ok($$ update private.jobs set last_error = repeat('x', 201) $$, '23514', null, 'an error has a limit');
select throws_ok($$ insert into private.feed_values (feed, market_kind, body, attribution, fetched_at)
  values ('global', 'live', to_jsonb(repeat('x', 1048577)), 'x', now()) $$, '23514', null, 'a body has a limit');
select throws_ok($$ insert into private.feed_values (feed, market_kind, body, attribution, fetched_at)
  values ('global', 'live', '{}', '', now()) $$, '23514', null, 'somebody is named');
select throws_ok($$ insert into private.feed_calls values ('coingecko', '2026-11-02', 1) $$, '23514', null, 'a month is its first day');
select throws_ok($$ insert into private.feed_calls values ('coingecko', '2026-11-01', -1) $$, '23514', null, 'a count is not negative');
select * from finish();
rollback;
