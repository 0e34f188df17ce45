-- Votes: one per user and 24 hours. Everyone sees the totals, no one sees whose votes they are.
begin;
select plan(39);
select tests.create_user('ada');
select tests.create_user('bob');
select tests.create_user('eve');

-- Who may do what.
select tests.sign_out();
select throws_ok($$ select * from private.votes $$, '42501', null, 'a visitor reads no votes');
select throws_ok($$ select public.submit_vote('btc', 'up') $$, '42501', null, 'a visitor does not vote');
select throws_ok($$ select public.get_own_vote('btc') $$, '42501', null, 'a visitor has no vote to ask for');
select results_eq(
  $$ select up_pct, down_pct, up_count, down_count, total from public.get_vote_stats('btc') $$,
  $$ values (null::numeric, null::numeric, 0::bigint, 0::bigint, 0::bigint) $$,
  'a visitor reads the counts, and without a vote there is no percentage');
select tests.become_service();
select throws_ok($$ select public.submit_vote('btc', 'up') $$, '42501', null, 'the service votes for nobody');
select tests.sign_in_as('ada');
select throws_ok($$ select * from private.votes $$, '42501', null, 'a user reads no votes, not even an own one');
select throws_ok($$ insert into private.votes (currency, direction, created_at) values ('btc', 'up', now()) $$, '42501', null,
  'a user writes no vote past the procedure');
select throws_ok($$ delete from private.last_votes $$, '42501', null, 'a user does not shorten the wait');
select is_empty($$ select * from public.get_own_vote('btc') $$, 'who has not voted has no vote');

-- One vote.
select results_eq(
  $$ select direction, next_at - voted_at from public.submit_vote('btc', 'up', '24 hours') $$,
  $$ values ('up', interval '24 hours') $$, 'a vote is taken, and tells when the next one is');
select throws_matching($$ select public.submit_vote('btc', 'down') $$, '^TOO_SOON$', 'a second vote is too soon');
select throws_ok($$ select public.submit_vote('btc', 'down') $$, 'PT429', 'TOO_SOON', 'and is refused with a status of its own');
select results_eq(
  $$ select up_pct, down_pct, total from public.get_vote_stats('btc', '24 hours') $$,
  $$ values (100.0, 0.0, 1::bigint) $$, 'it counts');
select results_eq($$ select direction from public.get_own_vote('btc') $$, $$ values ('up') $$, 'its user sees it again');
select tests.sign_in_as('bob');
select is_empty($$ select * from public.get_own_vote('btc') $$, 'and nobody else does');
select lives_ok($$ select public.submit_vote('btc', 'down', interval '1 day') $$, 'another user votes, a day being 24 hours');
select tests.sign_in_as('eve');
select lives_ok($$ select public.submit_vote('btc', 'down') $$, 'and a third one');
select results_eq(
  $$ select up_pct, down_pct, up_pct + down_pct, up_count, down_count from public.get_vote_stats('btc') $$,
  $$ values (33.3, 66.7, 100.0, 1::bigint, 2::bigint) $$, 'percentages sum to 100');

-- What is refused.
select throws_ok($$ select public.submit_vote('eth', 'up') $$, '22023', 'Votes are taken for btc alone.', 'another currency');
select throws_ok($$ select public.submit_vote(null, 'up') $$, '22023', 'Votes are taken for btc alone.', 'no currency');
select throws_ok($$ select public.submit_vote('BTC', 'up') $$, '22023', 'Votes are taken for btc alone.', 'other letters');
select throws_ok($$ select public.submit_vote('btc', 'sideways') $$, '22023', 'A vote is up or down.', 'another direction');
select throws_ok($$ select public.submit_vote('btc', null) $$, '22023', 'A vote is up or down.', 'no direction');
select throws_ok($$ select public.submit_vote('btc', 'up', '1 second') $$, '22023', 'The window of a vote is 24 hours.',
  'a shorter wait');
select throws_ok($$ select public.submit_vote('btc', 'up', '-24 hours') $$, '22023', null, 'a wait that is over already');
select throws_ok($$ select public.submit_vote('btc', 'up', null) $$, '22023', null, 'no wait at all');
select throws_ok($$ select public.get_vote_stats('btc', '32 days') $$, '22023', null, 'counts of more than 31 days');
select throws_ok($$ select public.get_vote_stats('btc', '5 minutes') $$, '22023', null, 'counts of less than an hour');
select throws_ok($$ select public.get_vote_timeseries('btc', now() - interval '32 days') $$, '22023', null, 'a series that begins too early');
select throws_ok($$ select public.get_vote_timeseries('btc', 'infinity') $$, '22023', null, 'a series that never begins');
select throws_ok($$ select public.get_vote_timeseries('btc', now() - interval '1 day', '1 second') $$, '22023', null,
  'a series of too many buckets');

-- The clock, and time's edges.
select tests.become_owner();
create temp table base as select voted_at from private.last_votes where user_id = tests.id_of('ada');
grant select on base to public;
select tests.set_clock_offset(extract(epoch from (select voted_at from base) - now()) + 86400 - 0.001);
select tests.sign_in_as('ada');
select throws_ok($$ select public.submit_vote('btc', 'down') $$, 'PT429', 'TOO_SOON', 'a millisecond before the 24 hours it is too soon');
select tests.set_clock_offset(extract(epoch from (select voted_at from base) - now()) + 86400);
select lives_ok($$ select public.submit_vote('btc', 'down') $$, 'at exactly 24 hours a vote is taken');
select results_eq($$ select up_count, down_count from public.get_vote_stats('btc') $$, $$ values (0::bigint, 1::bigint) $$,
  'and the old ones, as old as the window, count no more');
select results_eq(
  $$ select up_count, down_count from public.get_vote_timeseries('btc', (select voted_at from base) - interval '1 day', '24 hour') $$,
  $$ values (0::bigint, 0::bigint), (1, 2), (0, 1) $$,
  'the series has every bucket from its beginning on, also those without a vote');

-- A second factor that was not shown.
select tests.become_owner();
insert into auth.mfa_factors (id, user_id, friendly_name, factor_type, status, secret, created_at, updated_at)
values (gen_random_uuid(), tests.id_of('bob'), 'phone', 'totp', 'verified', 'x', now(), now());
select tests.set_clock_offset(86400 * 3);
select tests.sign_in_as('bob');
select throws_ok($$ select public.submit_vote('btc', 'up') $$, '42501', 'Sign in to vote.', 'who has not shown the second factor does not vote');
select is_empty($$ select * from public.get_own_vote('btc') $$, 'and reads no own vote');
select tests.sign_in_as('bob', 'aal2');
select lives_ok($$ select public.submit_vote('btc', 'up') $$, 'who has shown it votes');

-- The account goes, the votes stay.
select tests.become_owner();
delete from auth.users where id = tests.id_of('bob');
select results_eq(
  $$ select count(*)::int, count(user_id)::int from private.votes $$, $$ values (5, 3) $$,
  'votes of a removed account stay counted, without a name');

select * from finish();
rollback;
