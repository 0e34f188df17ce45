begin;
select plan(37);
select tests.create_user('ada');
insert into public.news_articles (id, title, url, image_url, body, site, published_at)
values ('00000000-0000-4000-8000-00000000000a', 'One', 'https://test.invalid/1',
        '/news/images/00000000-0000-4000-8000-00000000000a.webp', 'A summary', 'ZZ', now()),
       ('00000000-0000-4000-8000-00000000000b', 'Two', 'https://test.invalid/2', null, null, 'ZZ', now() - interval '1 hour');
insert into private.news_sources (article_id, feed_url, guid) values ('00000000-0000-4000-8000-00000000000a', 'https://test.invalid/feed', 'g');
insert into private.news_pictures values ('00000000-0000-4000-8000-00000000000a', 'x'::bytea);

select tests.sign_out();
select results_eq($$ select title, site from (select id, title, url, site, published_at from public.news_articles
  where site = 'ZZ' order by published_at desc limit 3) as headlines $$,
  $$ values ('One', 'ZZ'), ('Two', 'ZZ') $$, 'a visitor reads the headlines');
select throws_ok('select body from public.news_articles', '42501', null, 'a visitor reads no summary');
select throws_ok('select image_url from public.news_articles', '42501', null, 'a visitor reads no picture''s address');
select throws_ok('select kind from public.news_articles', '42501', null, 'a visitor reads nothing else');
select throws_ok('select * from public.news_articles', '42501', null, 'a visitor does not read whole articles');
select throws_ok($$ select id from public.news_articles where body like 'A%' $$, '42501', null, 'a visitor does not ask by summary');
select throws_ok('select id from public.news_articles order by body', '42501', null, 'a visitor does not order by summary');
select throws_ok($$ insert into public.news_articles (title, url, site, published_at) values ('x', 'https://x.invalid/', 'x', now()) $$,
  '42501', null, 'a visitor adds no article');
select throws_ok('update public.news_articles set title = ''x''', '42501', null, 'a visitor changes no article');
select throws_ok('delete from public.news_articles', '42501', null, 'a visitor removes no article');
select throws_ok('select * from private.news_sources', '42501', null, 'a visitor reads no sources');
select throws_ok('select * from private.news_pictures', '42501', null, 'a visitor reads no pictures');
select throws_ok('select * from private.news_feeds', '42501', null, 'a visitor reads no feeds');
select throws_ok('select * from private.news_takedowns', '42501', null, 'a visitor reads no take-downs');

select tests.sign_in_as('ada');
select is((select body from public.news_articles where url = 'https://test.invalid/1'), 'A summary', 'a user reads the summary');
select is((select count(*)::int from (select * from public.news_articles where site = 'ZZ') as whole), 2, 'a user reads whole articles');
select throws_ok($$ insert into public.news_articles (title, url, site, published_at) values ('x', 'https://x.invalid/', 'x', now()) $$,
  '42501', null, 'a user adds no article');
select throws_ok('update public.news_articles set title = ''x''', '42501', null, 'a user changes no article');
select throws_ok('delete from public.news_articles', '42501', null, 'a user removes no article');
select throws_ok('select * from private.news_sources', '42501', null, 'a user reads no sources');
select throws_ok($$ insert into private.news_takedowns (pattern) values ('test.invalid') $$, '42501', null, 'a user takes nothing down');

select tests.become_service();
select lives_ok($$ update public.news_articles set title = 'New' where url = 'https://test.invalid/2' $$, 'the service corrects an article');
select throws_ok('select * from private.news_sources', '42501', null, 'the service key reads no sources');
select throws_ok('select * from private.news_pictures', '42501', null, 'the service key reads no pictures');
select throws_ok('update private.news_feeds set failures = 0', '42501', null, 'the service key changes no feed');
select throws_ok($$ insert into private.news_takedowns (pattern) values ('test.invalid') $$, '42501', null, 'the service key takes nothing down');

select tests.become_owner();
create function pg_temp.is_taken(pattern text) returns boolean language plpgsql as $$
begin
  insert into private.news_takedowns (pattern) values ($1);
  return true;
exception when check_violation then
  return false;
end $$;
select throws_ok($$ insert into public.news_articles (title, url, site, published_at) values ('x', 'https://test.invalid/1', 'x', now()) $$,
  '23505', null, 'an address has one row');
select throws_ok($$ insert into public.news_articles (title, url, site, published_at) values ('x', 'http://test.invalid/3', 'x', now()) $$,
  '23514', null, 'an address is https');
select throws_ok($$ insert into public.news_articles (title, url, site, published_at) values (repeat('x', 301), 'https://test.invalid/3', 'x', now()) $$,
  '23514', null, 'a title has a limit');
select throws_ok($$ insert into public.news_articles (title, url, body, site, published_at)
  values ('x', 'https://test.invalid/3', repeat('x', 281), 'x', now()) $$, '23514', null, 'a summary has a limit');
select throws_ok($$ insert into public.news_articles (title, url, image_url, site, published_at)
  values ('x', 'https://test.invalid/3', 'https://elsewhere.invalid/a.png', 'x', now()) $$, '23514', null, 'a picture is on our own origin');
select throws_ok($$ insert into public.news_articles (title, url, site, published_at) values ('x', 'https://test.invalid/3', 'x', 'infinity') $$,
  '23514', null, 'an article is of some time');
select throws_ok($$ insert into public.news_articles (title, url, site, published_at, kind)
  values ('x', 'https://test.invalid/3', 'x', now(), 'x') $$, '23514', null, 'an article is live or a sample');
select throws_ok($$ insert into private.news_takedowns (pattern) values ('*.test.invalid') $$, '23514', null, 'a take-down is an address or a host');
select is((select count(*)::int from unnest(array['https://A.test.invalid/x', 'https://test.invalid', 'https://test.invalid./x',
    'https://test.invalid/x#y', 'https://test.invalid/x?utm_source=y', 'https://test.invalid/ü', 'Test.invalid', 'test.invalid.', ''])
  as p (pattern) where pg_temp.is_taken(p.pattern)), 0, 'a take-down that could match no article is refused');
select lives_ok($$ insert into private.news_takedowns (pattern) values ('https://test.invalid:8443/x?a=1&b=%C3%BC'), ('a_b.test.invalid') $$,
  'an article''s address and a host are taken');
delete from public.news_articles where url = 'https://test.invalid/1';
select is((select count(*)::int from private.news_pictures where article_id = '00000000-0000-4000-8000-00000000000a'), 0,
  'an article''s picture goes with it');
select * from finish();
rollback;
