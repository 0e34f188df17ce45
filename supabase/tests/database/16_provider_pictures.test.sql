begin;
select plan(7);
select tests.create_user('ada');
insert into auth.users (id, email, raw_user_meta_data)
values (tests.id_of('eve'), tests.email_of('eve'), '{"full_name": "Eve", "avatar_url": "https://evil.example/p.png"}');

select results_eq($$ select full_name, avatar_url from public.profiles where id = tests.id_of('eve') $$,
  $$ values ('Eve'::text, null::text) $$, 'a picture that the metadata name is no picture of the profile');
insert into private.provider_pictures (user_id, url) values (tests.id_of('ada'), 'https://pictures.example/a.png');

select tests.sign_in_as('ada');
select throws_ok('select * from private.provider_pictures', '42501', null, 'an owner does not read what waits');
select throws_ok($$ insert into private.provider_pictures (user_id, url) values (tests.id_of('ada'), 'https://a.example/') $$,
  '42501', null, 'nor lets anything be fetched');
select tests.sign_out();
select throws_ok('select * from private.provider_pictures', '42501', null, 'a visitor reads nothing');
select tests.become_service();
select throws_ok('select * from private.provider_pictures', '42501', null, 'nor does the service: it is the server''s own');

select tests.become_owner();
select throws_ok($$ insert into private.provider_pictures (user_id, url) values (tests.id_of('eve'), repeat('x', 2001)) $$,
  '23514', null, 'an address has an end');
delete from auth.users where id = tests.id_of('ada');
select is_empty('select * from private.provider_pictures', 'what waits goes with its account');
select * from finish();
rollback;
