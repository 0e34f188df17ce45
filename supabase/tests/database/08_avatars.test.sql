begin;
select plan(25);
select tests.create_user('ada');
select tests.create_user('bob');
insert into storage.buckets (id, name) values ('closed', 'closed');

select is(storage.foldername('a/b/c.png'), array['a', 'b'], 'the folders of a name, outermost first');
select is(storage.foldername('c.png'), array[]::text[], 'a name without a folder has none');
select is(storage.filename('a/b/c.tar.gz'), 'c.tar.gz', 'the file''s own name');
select is(storage.extension('a/b/c.tar.gz'), 'gz', 'its ending');
select is_empty($$ select relname from pg_class where relnamespace = 'storage'::regnamespace and relkind = 'r' and not relrowsecurity $$,
  'every table of stored files has row-level security');
select results_eq(
  $$ select public, file_size_limit, 'image/svg+xml' = any (allowed_mime_types) from storage.buckets where id = 'avatars' $$,
  $$ values (true, 5242880::bigint, false) $$, 'avatars are public, at most 5 MB, and no drawings with scripts');

select tests.sign_in_as('ada');
select lives_ok($$ insert into storage.objects (bucket_id, name, owner_id, version)
  values ('avatars', tests.id_of('ada') || '/1.png', tests.id_of('ada'), 'v1') $$, 'an owner adds a file to her folder');
select lives_ok($$ update storage.objects set version = 'v2' where name = tests.id_of('ada') || '/1.png' $$, 'she replaces it');
select results_eq('select version from storage.objects', array['v2'], 'she sees it');
select throws_ok($$ insert into storage.objects (bucket_id, name) values ('avatars', tests.id_of('bob') || '/1.png') $$,
  '42501', null, 'she adds nothing to another''s folder');
select throws_ok($$ insert into storage.objects (bucket_id, name) values ('avatars', 'x/' || tests.id_of('ada') || '/1.png') $$,
  '42501', null, 'her id counts as the first folder alone');
select throws_ok($$ insert into storage.objects (bucket_id, name) values ('avatars', tests.id_of('ada')::text) $$,
  '42501', null, 'a file named like her folder is not in it');
select throws_ok($$ insert into storage.objects (bucket_id, name) values ('closed', tests.id_of('ada') || '/1.png') $$,
  '42501', null, 'other buckets are closed');
select throws_ok($$ update storage.objects set name = tests.id_of('bob') || '/1.png' $$, '42501', null,
  'she moves nothing into another''s folder');
select throws_ok($$ update storage.objects set bucket_id = 'closed' $$, '42501', null, 'nor into another bucket');
select is_empty('select id from storage.buckets', 'buckets themselves are not hers to read');
select throws_ok($$ insert into storage.buckets (id, name) values ('mine', 'mine') $$, '42501', null, 'nor to make');

select tests.sign_in_as('bob');
select is_empty('select name from storage.objects', 'another user sees no file of hers');
select is_empty($$ update storage.objects set version = 'v3' returning id $$, 'replaces none');
select is_empty('delete from storage.objects returning id', 'removes none');

select tests.sign_out();
select is_empty('select name from storage.objects', 'a visitor lists nothing');
select throws_ok($$ insert into storage.objects (bucket_id, name) values ('avatars', tests.id_of('ada') || '/2.png') $$,
  '42501', null, 'a visitor adds nothing');
select is_empty('delete from storage.objects returning id', 'a visitor removes nothing');

select tests.become_service();
select results_eq('select version from storage.objects', array['v2'], 'the service sees every file');

select tests.sign_in_as('ada');
delete from storage.objects;
select tests.become_owner();
select is_empty('select name from storage.objects', 'an owner removes hers');
select * from finish();
rollback;
