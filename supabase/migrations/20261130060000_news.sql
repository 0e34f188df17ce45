-- News: headlines with a link and a short summary, collected from feeds by the server; and, for the server alone, where
-- each came from, its picture, how the feeds answer, and what was taken down on request.
create table public.news_articles (
  id            uuid primary key default gen_random_uuid(),
  title         text not null check (char_length(title) between 1 and 300),
  url           text not null unique check (char_length(url) <= 2000 and url like 'https://%'),
  image_url     text check (image_url ~ '^/news/images/[0-9a-f-]{36}\.webp$'),
  body          text check (char_length(body) between 1 and 280),
  site          text not null check (char_length(site) between 1 and 60),
  published_at  timestamptz not null check (published_at > '-infinity' and published_at < 'infinity'),
  first_seen_at timestamptz not null default now(),
  kind          text not null default 'live' check (kind in ('live', 'simulated'))
);
comment on table public.news_articles is 'Articles of the last 30 days: headline, link and a short summary, never the article itself';
comment on column public.news_articles.title is 'Plain text: no markup, no control characters';
comment on column public.news_articles.url is 'Where to read it, without campaign parameters and fragment';
comment on column public.news_articles.image_url is 'Path of its picture on our own origin, null without one; its name is told to those who may read this alone';
comment on column public.news_articles.body is 'Summary as the feed gives it, plain text, cut to 280 characters; null where it gives none';
comment on column public.news_articles.site is 'The feed''s name in the settings';
comment on column public.news_articles.published_at is 'As the feed says, never in the future; when first seen where it does not say';
comment on column public.news_articles.first_seen_at is 'When the server first found it in a feed';
comment on column public.news_articles.kind is 'simulated: samples of the sandbox, never beside live ones';
create index on public.news_articles (published_at desc);
alter table public.news_articles enable row level security;
revoke all on public.news_articles from public, anon, authenticated;
grant all on public.news_articles to service_role;
grant select (id, title, url, site, published_at) on public.news_articles to anon;
grant select on public.news_articles to authenticated;
create policy "everyone reads the news" on public.news_articles
  for select to anon, authenticated using (true);

create table private.news_sources (
  article_id    uuid primary key references public.news_articles on delete cascade,
  feed_url      text not null check (char_length(feed_url) <= 2000),
  guid          text check (char_length(guid) between 1 and 500),
  picture_url   text check (char_length(picture_url) <= 2000),
  picture_tries smallint not null default 0 check (picture_tries >= 0),
  picture_due_at timestamptz not null default now()
);
comment on table private.news_sources is 'Where each article was found; read and written by the server alone';
comment on column private.news_sources.guid is 'The feed''s own name of the article, null without one: an article whose address changes keeps its row';
comment on column private.news_sources.picture_url is 'Address of the picture at its publisher; no browser learns it';
comment on column private.news_sources.picture_tries is 'How often the picture was asked for in vain';
comment on column private.news_sources.picture_due_at is 'When it is asked for again, by the database''s own clock: ever later';
create unique index on private.news_sources (feed_url, guid);
alter table private.news_sources enable row level security;
revoke all on private.news_sources from public, anon, authenticated, service_role;

create table private.news_pictures (
  article_id uuid primary key references public.news_articles on delete cascade,
  webp       bytea not null check (octet_length(webp) between 1 and 131072),
  name       uuid not null unique default gen_random_uuid()
);
comment on table private.news_pictures is 'Pictures of the newest articles, made small by the server, which alone reads and writes them';
comment on column private.news_pictures.name is 'In its address: of chance, since visitors know the article''s id and no picture''s';
comment on column private.news_pictures.webp is 'At most 320 x 180 pixels';
alter table private.news_pictures enable row level security;
revoke all on private.news_pictures from public, anon, authenticated, service_role;

create table private.news_feeds (
  kind          text not null check (kind in ('live', 'simulated')),
  url           text not null check (char_length(url) <= 2000),
  etag          text check (char_length(etag) <= 500),
  last_modified text check (char_length(last_modified) <= 100),
  next_due_at   timestamptz not null,
  last_ok_at    timestamptz,
  last_error    text check (char_length(last_error) <= 100),
  failures      integer not null default 0 check (failures >= 0),
  answers       bigint not null default 0 check (answers >= 0),
  unchanged     bigint not null default 0 check (unchanged >= 0),
  failed        bigint not null default 0 check (failed >= 0),
  primary key (kind, url)
);
comment on table private.news_feeds is 'How each feed answers, and when it is asked again; read and written by the server alone';
comment on column private.news_feeds.etag is 'Of its last good answer, to ask whether it still holds';
comment on column private.news_feeds.last_modified is 'Likewise, as the feed wrote it';
comment on column private.news_feeds.next_due_at is 'By the database''s own clock, which all processes share';
comment on column private.news_feeds.last_error is 'Code of the last failure, never its text; null since it answered';
comment on column private.news_feeds.failures is 'Failures in a row';
comment on column private.news_feeds.answers is 'Good answers with articles, of all time';
comment on column private.news_feeds.unchanged is 'Answers that nothing has changed, of all time';
comment on column private.news_feeds.failed is 'Failures of all time';
alter table private.news_feeds enable row level security;
revoke all on private.news_feeds from public, anon, authenticated, service_role;

create table private.news_takedowns (
  pattern  text primary key check (char_length(pattern) <= 2000 and pattern !~* '[?&]utm_'
           and pattern ~ '^[a-z0-9_-]+(\.[a-z0-9_-]+)*$|^https://[a-z0-9_-]+(\.[a-z0-9_-]+)*(:[0-9]+)?/[!-"$-~]*$'),
  reason   text check (char_length(reason) <= 1000),
  added_at timestamptz not null default now()
);
comment on table private.news_takedowns is 'What its owner does not want shown: removed within minutes, and not taken again. Written by the operator';
comment on column private.news_takedowns.pattern is 'An article''s address as news_articles.url has it, or a host name in lower case without a dot at its end, which stands for its subdomains too; what could match no article is refused';
alter table private.news_takedowns enable row level security;
revoke all on private.news_takedowns from public, anon, authenticated, service_role;
