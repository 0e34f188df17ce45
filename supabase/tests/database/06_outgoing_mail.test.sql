begin;
select plan(17);
select tests.create_user('ada');
insert into private.outgoing_mail (kind, to_address, subject, text_body, html_body, next_try_at, created_at)
values ('confirmation', 'ada@example.com', 'Hello', 'code', '<p>code</p>', now(), now());

select tests.sign_out();
select throws_ok('select * from private.outgoing_mail', '42501', null, 'a visitor reads no mails');
select throws_ok($$ insert into private.outgoing_mail (kind, to_address, subject, next_try_at, created_at)
  values ('receipt', 'bob@example.com', 'x', now(), now()) $$, '42501', null, 'a visitor sends no mails');

select tests.sign_in_as('ada');
select throws_ok('select * from private.outgoing_mail', '42501', null, 'a user reads no mails, not even her own');
select throws_ok($$ insert into private.outgoing_mail (kind, to_address, subject, next_try_at, created_at)
  values ('receipt', 'bob@example.com', 'x', now(), now()) $$, '42501', null, 'a user sends no mails');
select throws_ok('update private.outgoing_mail set to_address = ''eve@example.com''', '42501', null, 'a user changes no mails');
select throws_ok('delete from private.outgoing_mail', '42501', null, 'a user removes no mails');

select tests.become_service();
select throws_ok('select * from private.outgoing_mail', '42501', null, 'the service key reads no mails: they hold codes');
select throws_ok($$ insert into private.outgoing_mail (kind, to_address, subject, next_try_at, created_at)
  values ('receipt', 'bob@example.com', 'x', now(), now()) $$, '42501', null, 'the service key sends no mails');
select throws_ok('update private.outgoing_mail set state = ''sent''', '42501', null, 'the service key changes no mails');
select throws_ok('delete from private.outgoing_mail', '42501', null, 'the service key removes no mails');

select tests.become_owner();
select is((select count(*)::int from private.outgoing_mail where state = 'waiting' and attempts = 0), 1, 'a new mail waits, untried');
select throws_ok($$ update private.outgoing_mail set kind = 'Not a kind' $$, '23514', null, 'a kind is one lower-case word');
select throws_ok($$ update private.outgoing_mail set state = 'lost' $$, '23514', null, 'no state but the four');
select throws_ok($$ update private.outgoing_mail set to_address = repeat('x', 321) $$, '23514', null, 'an address has a limit');
select throws_ok($$ update private.outgoing_mail set subject = repeat('x', 501) $$, '23514', null, 'a subject has a limit');
select throws_ok($$ update private.outgoing_mail set last_error = repeat('x', 501) $$, '23514', null, 'an error has a limit');
select throws_ok($$ insert into private.outgoing_mail (kind, to_address, subject, created_at) values ('receipt', 'bob@example.com', 'x', now()) $$,
  '23502', null, 'a mail without a time to send it is refused');
select * from finish();
rollback;
