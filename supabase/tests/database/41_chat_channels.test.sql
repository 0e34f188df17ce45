begin;
select plan(34);
select tests.create_user('ada');
select tests.create_user('bob');
select tests.create_user('root', 'admin');
insert into public.chat_channels (user_id, service, chat_id, title)
values
  (tests.id_of('ada'), 'telegram', '-1001', 'Ada''s group'),
  (tests.id_of('bob'), 'discord', '1001', '#alerts');
insert into private.chat_messages (service, chat_id, channel_id, key, text_body, next_try_at, expires_at, created_at)
select service, chat_id, id, 'one', 'text', now(), now(), now() from public.chat_channels;
insert into private.chat_link_codes (user_id, service, code_hash, expires_at)
values (tests.id_of('ada'), 'telegram', repeat('a', 64), now());

-- What is a chat
select throws_ok(format($$ insert into public.chat_channels (user_id, service, chat_id, title, kinds) values (%L, %L, %L, %L, %L) $$,
    tests.id_of('ada'), service, chat_id, title, kinds), '23514', null, what || ' is refused')
  from (values
    ('another service', 'mail', '1', 'A chat', '{band-broken}'),
    ('a chat id that is a path', 'discord', '1/messages', 'A chat', '{band-broken}'),
    ('an empty chat id', 'discord', '', 'A chat', '{band-broken}'),
    ('an empty title', 'discord', '1', '', '{band-broken}'),
    ('a title of 81 characters', 'discord', '1', repeat('x', 81), '{band-broken}'),
    ('no kind of alert', 'discord', '1', 'A chat', '{}'),
    ('an unknown kind of alert', 'discord', '1', 'A chat', '{band-broken,price}'),
    ('a kind that is null', 'discord', '1', 'A chat', '{band-broken,null}')) t (what, service, chat_id, title, kinds);
select throws_ok($$ update public.chat_channels set state = 'paused' $$, '23514', null, 'a paused chat has a reason');
select throws_ok($$ update public.chat_channels set state = 'paused', pause_reason = 'other' $$, '23514', null, 'an unknown reason is refused');
select lives_ok($$ update public.chat_channels set state = 'paused', pause_reason = 'refused', refusals = 3 where service = 'discord' $$, 'refusals pause a chat');
update public.chat_channels set state = 'active', pause_reason = null;
select throws_ok($$ update public.chat_channels set pause_reason = 'blocked' $$, '23514', null, 'an active chat has none');
select throws_ok(format($$ insert into public.chat_channels (user_id, service, chat_id, title) values (%L, 'telegram', '-1001', 'Again') $$,
  tests.id_of('bob')), '23505', null, 'a chat belongs to one account');
select results_eq($$ select cardinality(kinds) from public.chat_channels $$, array[6, 6], 'a new chat gets every kind of alert');

-- Codes
select throws_ok(format($$ insert into private.chat_link_codes (user_id, service, code_hash, expires_at) values (%L, 'telegram', %L, now()) $$,
  tests.id_of('ada'), repeat('b', 64)), '23505', null, 'a user has one code of a service');
select throws_ok(format($$ insert into private.chat_link_codes (user_id, service, code_hash, expires_at) values (%L, 'telegram', %L, now()) $$,
  tests.id_of('bob'), 'ABCDEFGHJK'), '23514', null, 'a code is never stored as it is');

-- Messages
select throws_ok($$ insert into private.chat_messages (service, chat_id, channel_id, key, text_body, next_try_at, expires_at, created_at)
  select service, chat_id, id, 'one', 'again', now(), now(), now() from public.chat_channels $$, '23505', null, 'a chat gets a message once');
select throws_ok($$ update private.chat_messages set text_body = null $$, '23514', null, 'a waiting message has a text');

-- Its owner
select tests.sign_in_as('ada');
select results_eq('select title from public.chat_channels', array['Ada''s group'], 'an owner sees her own chats alone');
select throws_ok('select chat_id from public.chat_channels', '42501', null, 'never the id on the service');
select throws_ok('select * from public.chat_channels', '42501', null, 'not by a star either');
select throws_ok('select refusals from public.chat_channels', '42501', null, 'nor the number of refusals');
select throws_ok(text, '42501', null, 'she cannot ' || what) from (values
  ('link a chat without a code', $$ insert into public.chat_channels (user_id, service, chat_id, title)
    values (tests.id_of('ada'), 'telegram', '5', 'Mine') $$),
  ('change one past the server', $$ update public.chat_channels set kinds = '{band-broken}' $$),
  ('delete one past the server', 'delete from public.chat_channels'),
  ('read codes', 'select * from private.chat_link_codes'),
  ('read messages', 'select * from private.chat_messages')) t (what, text);

-- Everybody else
select tests.sign_in_as('root');
select is_empty('select id from public.chat_channels', 'an admin sees none of others');
select tests.become_owner();
select set_config('request.jwt.claims', '', true);
set local role anon;
select throws_ok('select id from public.chat_channels', '42501', null, 'a visitor reads none');
select tests.become_owner();

-- A second factor
insert into auth.mfa_factors (id, user_id, friendly_name, factor_type, status, secret, created_at, updated_at)
values (md5('first')::uuid, tests.id_of('ada'), 'first', 'totp', 'verified', 'sealed', now(), now());
select tests.sign_in_as('ada');
select is_empty('select id from public.chat_channels', 'a user with a second factor sees none before it is shown');
select tests.sign_in_as('ada', 'aal2');
select is((select count(*)::int from public.chat_channels), 1, 'and then her own');

-- The end
select tests.become_owner();
delete from auth.users where id = tests.id_of('ada');
select is((select count(*)::int from public.chat_channels) + (select count(*)::int from private.chat_messages)
  + (select count(*)::int from private.chat_link_codes), 2, 'all of it goes with the account');
select has_index('private', 'chat_messages', 'chat_messages_waiting_idx', 'a chat''s next message is found by an index');
select has_index('private', 'chat_link_codes', 'chat_link_codes_expiry_idx', 'so are codes that have expired');
select * from finish();
rollback;
