-- Who reads and writes the changelog, what its triggers stamp, and what is noted.
begin;
select plan(59);
select tests.create_user('chief', 'admin');
select tests.create_user('deputy', 'admin');
select tests.create_user('guest');
select tests.create_user('rival');
create function pg_temp.post(p_name text) returns uuid language sql immutable as $$ select md5('post:' || p_name)::uuid $$;
grant execute on function pg_temp.post(text) to anon, authenticated;
create function pg_temp.noted() returns bigint language sql as $$ select count(*) from private.audit_log where action like 'changelog.%' $$;

insert into public.changelog_posts (id, content, author_id, published_at) values
  (pg_temp.post('out'), 'Out', tests.id_of('chief'), private.clock_now()),
  (pg_temp.post('draft'), 'Draft', null, null),
  (pg_temp.post('tomorrow'), 'Tomorrow', null, private.clock_now() + interval '1 day');

-- Reading.
select tests.sign_out();
select results_eq('select content from public.changelog_posts', array['Out'], 'a visitor reads what is published and neither drafts nor tomorrow''s posts');
select tests.sign_in_as('guest');
select results_eq('select content from public.changelog_posts', array['Out'], 'so does a user');
select tests.sign_in_as('chief');
select is((select count(*)::int from public.changelog_posts), 3, 'an admin reads all');
select tests.set_clock_offset(86500);
select tests.sign_out();
select is((select count(*)::int from public.changelog_posts), 2, 'a post is out once its time has come, by the product''s clock');
select tests.set_clock_offset(0);

-- Writing: who.
select throws_ok($$ insert into public.changelog_posts (content) values ('x') $$, '42501', null, 'a visitor writes nothing');
select throws_ok($$ update public.changelog_posts set content = 'x' $$, '42501', null, 'and changes nothing');
select throws_ok($$ delete from public.changelog_posts $$, '42501', null, 'and deletes nothing');
select tests.sign_in_as('guest');
select throws_ok($$ insert into public.changelog_posts (content, author_id, published_at) values ('x', tests.id_of('guest'), now()) $$,
  '42501', 'You must be an admin to post.', 'a user is told why he may not post');
select throws_ok($$ insert into public.changelog_posts (content, author_id) values ('x', tests.id_of('chief')) $$,
  '42501', 'You must be an admin to post.', 'also under an admin''s name');
select throws_ok($$ update public.changelog_posts set content = 'x' $$, '42501', 'You must be an admin to post.', 'and why he may not edit');
select throws_ok($$ delete from public.changelog_posts $$, '42501', 'You must be an admin to delete.', 'and why he may not delete');
select tests.become_owner();
alter table public.changelog_posts disable trigger a_require_admin;
select tests.sign_in_as('guest');
select throws_ok($$ insert into public.changelog_posts (content, author_id) values ('x', tests.id_of('guest')) $$,
  '42501', 'new row violates row-level security policy for table "changelog_posts"', 'the policies alone refuse as well');
update public.changelog_posts set content = 'x';
delete from public.changelog_posts;
select tests.become_owner();
select is((select string_agg(content, ' ' order by content) from public.changelog_posts), 'Draft Out Tomorrow', 'and no row is within reach');
alter table public.changelog_posts enable trigger a_require_admin;
insert into auth.mfa_factors (id, user_id, friendly_name, factor_type, status, secret, created_at, updated_at)
values (gen_random_uuid(), tests.id_of('deputy'), 'phone', 'totp', 'verified', 'x', now(), now());
select tests.sign_in_as('deputy');
select throws_ok($$ insert into public.changelog_posts (content, author_id) values ('x', tests.id_of('deputy')) $$,
  '42501', 'You must be an admin to post.', 'an admin whose second factor was not shown is none');
select is((select count(*)::int from public.changelog_posts), 1, 'and reads no drafts');
select tests.sign_in_as('deputy', 'aal2');
select lives_ok($$ insert into public.changelog_posts (content, author_id) values ('By the deputy', tests.id_of('deputy')) $$, 'with it he posts');

-- Writing: what.
select tests.sign_in_as('chief');
select throws_ok($$ insert into public.changelog_posts (content, author_id) values ('x', tests.id_of('deputy')) $$,
  '42501', null, 'an admin writes in no other admin''s name');
select throws_ok($$ insert into public.changelog_posts (content, author_id) values ('x', null) $$, '42501', null, 'nor in nobody''s');
select lives_ok($$ insert into public.changelog_posts (content, published_at) values ('By default', now()) $$, 'in his own where he names nobody');
select is((select author_id from public.changelog_posts where content = 'By default'), tests.id_of('chief'), 'which is written down');
insert into public.changelog_posts (content, author_id, published_at) values
  ('Early', tests.id_of('chief'), '2001-01-01'), ('Late', tests.id_of('chief'), '2101-01-01');
select is((select count(*)::int from public.changelog_posts where content in ('Early', 'Late') and published_at = now()
             and created_at = published_at and updated_at = published_at), 2, 'the time of publication is the server''s, whatever the client says');
insert into public.changelog_posts (content, author_id) values ('Kept back', tests.id_of('chief'));
select is((select published_at from public.changelog_posts where content = 'Kept back'), null, 'without one it is a draft');
select throws_ok($$ insert into public.changelog_posts (content, author_id, created_at) values ('x', tests.id_of('chief'), now()) $$,
  '42501', null, 'nobody says when a post was made');
select throws_ok($$ update public.changelog_posts set author_id = tests.id_of('chief') $$, '42501', null, 'an author is not changed');
select throws_ok($$ update public.changelog_posts set published_at = now() $$, '42501', null, 'nor the time of publication');
select throws_ok($$ update public.changelog_posts set id = gen_random_uuid() $$, '42501', null, 'nor the id');

-- Content.
select throws_ok($$ insert into public.changelog_posts (content, author_id) values ('', tests.id_of('chief')) $$,
  '23514', 'Content is required', 'an empty post is refused');
select throws_ok($$ insert into public.changelog_posts (content, author_id) values (E' \n\u00A0\u200B\u3000\uFEFF', tests.id_of('chief')) $$,
  '23514', 'Content is required', 'and one of blanks of any script');
select throws_ok($$ insert into public.changelog_posts (content, author_id) values (null, tests.id_of('chief')) $$,
  '23514', 'Content is required', 'and none at all');
select throws_ok($$ insert into public.changelog_posts (content, author_id) values (repeat('é', 20001), tests.id_of('chief')) $$,
  '23514', 'Content must be at most 20,000 characters', 'and one too long');
select lives_ok($$ insert into public.changelog_posts (content, author_id) values (E'\n ' || repeat('😺', 20000) || E' \n', tests.id_of('chief')) $$,
  'blanks around it do not count');
select is((select max(char_length(content)) from public.changelog_posts), 20000, 'and are not kept');
select throws_ok($$ update public.changelog_posts set content = E'\t' where id = pg_temp.post('out') $$, '23514', 'Content is required', 'an edit is held to the same');
select tests.set_clock_offset(60);
update public.changelog_posts set content = ' Edited ' where id = pg_temp.post('out');
select results_eq($$ select content, updated_at = now() + interval '60 seconds', published_at = now(), created_at = now(), author_id
    from public.changelog_posts where id = pg_temp.post('out') $$,
  $$ values ('Edited', true, true, true, tests.id_of('chief')) $$, 'an edit moves the time of the last change and nothing else');
select tests.set_clock_offset(120);
update public.changelog_posts set content = 'Edited' where id = pg_temp.post('out');
select is((select updated_at from public.changelog_posts where id = pg_temp.post('out')), now() + interval '60 seconds', 'an edit to the same is none');
select tests.set_clock_offset(0);

-- What is noted.
select tests.become_owner();
delete from private.audit_log where action like 'changelog.%';
select tests.sign_in_as('chief');
insert into public.changelog_posts (content, author_id) values ('Noted', tests.id_of('chief'));
update public.changelog_posts set content = 'Noted, too' where content = 'Noted';
delete from public.changelog_posts where content = 'Noted, too';
delete from public.changelog_posts where content = 'Noted, too';
select tests.become_owner();
select results_eq($$ select action, actor_id, details ->> 'characters', details::text like '%oted%' from private.audit_log
    where action like 'changelog.%' order by id $$,
  $$ values ('changelog.insert', tests.id_of('chief'), '5', false), ('changelog.update', tests.id_of('chief'), '10', false),
            ('changelog.delete', tests.id_of('chief'), '10', false) $$,
  'each write leaves a row that says who, what and how much, and no content');
update public.changelog_posts set author_id = null where id = pg_temp.post('out');
select is(pg_temp.noted(), 3::bigint, 'an author whose account goes is no edit');

-- Likes.
select tests.sign_in_as('guest');
select lives_ok($$ insert into public.changelog_post_likes (post_id, user_id) values (pg_temp.post('out'), tests.id_of('guest')) $$, 'a user likes a post');
select throws_ok($$ insert into public.changelog_post_likes (post_id, user_id) values (pg_temp.post('out'), tests.id_of('guest')) $$,
  '23505', null, 'once');
select throws_ok($$ insert into public.changelog_post_likes (post_id, user_id) values (pg_temp.post('out'), tests.id_of('rival')) $$,
  '42501', null, 'and not as somebody else');
select throws_ok($$ insert into public.changelog_post_likes (post_id, user_id) values (pg_temp.post('draft'), tests.id_of('guest')) $$,
  '42501', null, 'nor a draft');
select throws_ok($$ insert into public.changelog_post_likes (post_id, user_id) values (gen_random_uuid(), tests.id_of('guest')) $$,
  '42501', null, 'nor what is not there');
select throws_ok($$ update public.changelog_post_likes set post_id = post_id $$, '42501', null, 'a like is not changed');
select tests.sign_in_as('rival');
delete from public.changelog_post_likes;
select is((select count(*)::int from public.changelog_post_likes), 0, 'nobody reads another''s like');
select is((select likes from public.changelog_like_counts(array[pg_temp.post('out')])), 1::bigint, 'or takes it back');
select tests.sign_in_as('chief');
select is((select count(*)::int from public.changelog_post_likes), 0, 'an admin reads nobody''s like');
select throws_ok($$ insert into public.changelog_post_likes (post_id, user_id) values (pg_temp.post('draft'), tests.id_of('chief')) $$,
  '42501', null, 'an admin likes no draft');
select tests.sign_in_as('guest');
select results_eq('select post_id, user_id from public.changelog_post_likes',
  $$ values (pg_temp.post('out'), tests.id_of('guest')) $$, 'each reads their own');
select tests.sign_out();
select is((select count(*)::int from public.changelog_post_likes), 0, 'a visitor''s query is answered, with nobody''s like');
select results_eq($$ select post_id, likes from public.changelog_like_counts(array[pg_temp.post('out'), pg_temp.post('draft'), null]) $$,
  $$ values (pg_temp.post('out'), 1::bigint) $$, 'a visitor counts the likes of what he may read');
select throws_ok($$ select * from public.changelog_like_counts((select array_agg(gen_random_uuid()) from generate_series(1, 201))) $$,
  '22023', 'At most 200 posts at once', 'of 200 posts at once');
select throws_ok($$ insert into public.changelog_post_likes (post_id, user_id) values (pg_temp.post('out'), tests.id_of('guest')) $$,
  '42501', null, 'a visitor likes nothing');
select tests.sign_in_as('guest');
delete from public.changelog_post_likes where post_id = pg_temp.post('out');
select is((select likes from public.changelog_like_counts(array[pg_temp.post('out')])), 0::bigint, 'a like is taken back by its owner');

-- What was seen.
select lives_ok($$ insert into public.user_changelog_state values (tests.id_of('guest'), pg_temp.post('out'), now())
    on conflict (user_id) do update set user_id = excluded.user_id, last_seen_post_id = excluded.last_seen_post_id $$, 'a user notes what he has seen');
select tests.sign_in_as('rival');
select is((select count(*)::int from public.user_changelog_state), 0, 'which nobody else reads');
select throws_ok($$ insert into public.user_changelog_state values (tests.id_of('guest'), null, null)
    on conflict (user_id) do update set last_seen_post_id = null $$, '42501', null, 'or writes');
update public.user_changelog_state set last_seen_post_id = null;
select tests.become_owner();
select is((select last_seen_post_id from public.user_changelog_state), pg_temp.post('out'), 'or changes');
delete from public.changelog_posts where id = pg_temp.post('out');
select is((select last_seen_post_id from public.user_changelog_state), pg_temp.post('out'), 'what was seen stays seen when the post goes');
delete from auth.users where id = tests.id_of('guest');
select is((select count(*)::int from public.user_changelog_state), 0, 'and goes with the account');

select * from finish();
rollback;
