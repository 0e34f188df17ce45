-- The community: the changelog with its likes, and votes on where the price goes. Row-level security decides who reads and
-- writes what; the triggers stamp, and refuse in the words that a screen may show.

-- Posts that admins alone write.
create table public.changelog_posts (
  id           uuid primary key default gen_random_uuid(),
  content      text not null check (char_length(content) between 1 and 20000),
  author_id    uuid default auth.uid() references auth.users on delete set null,
  created_at   timestamptz not null check (created_at > '-infinity' and created_at < 'infinity'),
  updated_at   timestamptz not null check (updated_at > '-infinity' and updated_at < 'infinity'),
  published_at timestamptz check (published_at > '-infinity' and published_at < 'infinity')
);
comment on table public.changelog_posts is 'What is new on the site, written by admins';
comment on column public.changelog_posts.content is 'Markdown as it was written, without blanks around it; whoever shows it makes it harmless';
comment on column public.changelog_posts.author_id is 'The admin who wrote it; null once that account is gone';
comment on column public.changelog_posts.created_at is 'Set by the database; the service may say otherwise';
comment on column public.changelog_posts.updated_at is 'When the content or the publication changed last; set by the database';
comment on column public.changelog_posts.published_at is
  'Read by everyone from then on; null: a draft, for admins. For who is signed in it is always the time of writing, whatever the client''s clock says';
create index changelog_posts_published_idx on public.changelog_posts (published_at desc nulls last, created_at desc);
create index changelog_posts_author_id_idx on public.changelog_posts (author_id) where author_id is not null;

alter table public.changelog_posts enable row level security;
revoke all on public.changelog_posts from public, anon, authenticated;
grant all on public.changelog_posts to service_role;
grant select on public.changelog_posts to anon, authenticated;
grant insert (content, author_id, published_at), update (content), delete on public.changelog_posts to authenticated;
create policy "everyone reads what is published" on public.changelog_posts
  for select to anon, authenticated using (published_at <= (select private.clock_now()));
create policy "admins read every post" on public.changelog_posts
  for select to authenticated using ((select private.caller_is_admin()));
create policy "admins write posts in their own name" on public.changelog_posts
  for insert to authenticated
  with check ((select private.caller_is_admin()) and author_id = (select auth.uid()));
create policy "admins change posts" on public.changelog_posts
  for update to authenticated
  using ((select private.caller_is_admin())) with check ((select private.caller_is_admin()));
create policy "admins delete posts" on public.changelog_posts
  for delete to authenticated using ((select private.caller_is_admin()));

-- The policies would refuse as well, or find no row. This trigger gives the reason.
create function private.require_changelog_admin() returns trigger
  language plpgsql security definer set search_path = ''
as $$
begin
  if auth.uid() is not null and not private.caller_is_admin() then
    raise exception '%', case tg_op
        when 'DELETE' then 'You must be an admin to delete.'
        else 'You must be an admin to post.'
      end using errcode = '42501';
  end if;
  return null;
end;
$$;
revoke all on function private.require_changelog_admin() from public, anon, authenticated, service_role;
create trigger a_require_admin before insert or update of content or delete on public.changelog_posts
  for each statement execute function private.require_changelog_admin();

create function private.trimmed_post(p_content text) returns text
  language sql immutable set search_path = ''
as $$
  select btrim(p_content,
    E' \t\n\u000B\f\r\u0085\u00A0\u1680\u180E\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200A'
    || E'\u200B\u200C\u200D\u2028\u2029\u202F\u205F\u2060\u2800\u3000\u3164\uFEFF')
$$;
comment on function private.trimmed_post(text) is
  'Without what shows nothing at both ends; domain/community/changelog.ts trims the same characters';
revoke all on function private.trimmed_post(text) from public, anon, authenticated, service_role;

create function private.stamp_changelog_post() returns trigger
  language plpgsql security definer set search_path = ''
as $$
declare
  v_now timestamptz := private.clock_now();
  v_is_user boolean := auth.uid() is not null;
begin
  if tg_op = 'UPDATE' and (new.content, new.published_at) is not distinct from (old.content, old.published_at) then
    -- The author's account is gone.
    return new;
  end if;
  new.content := private.trimmed_post(new.content);
  if coalesce(new.content, '') = '' then
    raise exception 'Content is required' using errcode = '23514';
  end if;
  if char_length(new.content) > 20000 then
    raise exception 'Content must be at most 20,000 characters'
      using errcode = '23514', detail = format('It has %s characters', char_length(new.content));
  end if;
  if tg_op = 'UPDATE' then
    new.created_at := old.created_at;
    new.updated_at := v_now;
    return new;
  end if;
  if v_is_user or new.created_at is null then
    new.created_at := v_now;
  end if;
  if v_is_user and new.published_at is not null then
    new.published_at := v_now;
  end if;
  if v_is_user or new.updated_at is null then
    new.updated_at := new.created_at;
  end if;
  return new;
end;
$$;
revoke all on function private.stamp_changelog_post() from public, anon, authenticated, service_role;
create trigger stamp_changelog_post before insert or update on public.changelog_posts
  for each row execute function private.stamp_changelog_post();

create function private.audit_changelog() returns trigger
  language plpgsql security definer set search_path = ''
as $$
declare
  v_post public.changelog_posts := case tg_op when 'DELETE' then old else new end;
begin
  perform private.write_audit('changelog.' || lower(tg_op), v_post.id::text, jsonb_build_object(
    'characters', char_length(v_post.content), 'author_id', v_post.author_id, 'published_at', v_post.published_at));
  return null;
end;
$$;
revoke all on function private.audit_changelog() from public, anon, authenticated, service_role;
create trigger audit_changelog after insert or delete or update of content, published_at on public.changelog_posts
  for each row execute function private.audit_changelog();

-- Likes. Users read their own; everyone reads how many there are.
create table public.changelog_post_likes (
  post_id uuid not null references public.changelog_posts on delete cascade,
  user_id uuid not null references auth.users on delete cascade,
  primary key (post_id, user_id)
);
comment on table public.changelog_post_likes is
  'Who likes which post: one row each, read by its user alone; changelog_like_counts tells how many';
create index changelog_post_likes_user_id_idx on public.changelog_post_likes (user_id, post_id);
alter table public.changelog_post_likes enable row level security;
revoke all on public.changelog_post_likes from public, anon, authenticated;
grant all on public.changelog_post_likes to service_role;
grant select on public.changelog_post_likes to anon, authenticated;
grant insert (post_id, user_id), delete on public.changelog_post_likes to authenticated;
create policy "users read their own likes" on public.changelog_post_likes
  for select to authenticated using (user_id = (select auth.uid()));
-- Visitors keep the right to select, so that the page's query returns no rows for them instead of an error.
create policy "visitors read no likes" on public.changelog_post_likes
  for select to anon using (false);
create policy "users like what is published" on public.changelog_post_likes
  for insert to authenticated
  with check (
    user_id = (select auth.uid())
    and exists (select from public.changelog_posts p
                 where p.id = post_id and p.published_at <= (select private.clock_now()))
  );
create policy "users take back their likes" on public.changelog_post_likes
  for delete to authenticated using (user_id = (select auth.uid()));
create policy "the second factor comes first" on public.changelog_post_likes
  as restrictive for all to authenticated
  using ((select private.has_shown_factors())) with check ((select private.has_shown_factors()));

create table public.user_changelog_state (
  user_id                uuid primary key references auth.users on delete cascade,
  last_seen_post_id      uuid,
  last_seen_published_at timestamptz check (last_seen_published_at > '-infinity' and last_seen_published_at < 'infinity')
);
comment on table public.user_changelog_state is 'The newest post that each user has seen; written by the user''s own pages';
comment on column public.user_changelog_state.last_seen_post_id is
  'Without a foreign key: what was seen stays seen when the post goes, and its going touches nobody''s row';
comment on column public.user_changelog_state.last_seen_published_at is 'That post''s published_at';
alter table public.user_changelog_state enable row level security;
revoke all on public.user_changelog_state from public, anon, authenticated;
grant all on public.user_changelog_state to service_role;
grant select, insert, update on public.user_changelog_state to authenticated;
create policy "users read what they have seen" on public.user_changelog_state
  for select to authenticated using (user_id = (select auth.uid()));
create policy "users note what they have seen" on public.user_changelog_state
  for insert to authenticated with check (user_id = (select auth.uid()));
create policy "users note what they have seen since" on public.user_changelog_state
  for update to authenticated using (user_id = (select auth.uid())) with check (user_id = (select auth.uid()));
create policy "the second factor comes first" on public.user_changelog_state
  as restrictive for all to authenticated
  using ((select private.has_shown_factors())) with check ((select private.has_shown_factors()));

-- Counts what its caller cannot read row by row, and therefore checks which posts the caller may read. In one pass: counted
-- post by post, a page that many like took three times as long.
create function public.changelog_like_counts(p_posts uuid[]) returns table (post_id uuid, likes bigint)
  language plpgsql stable parallel safe security definer set search_path = ''
as $$
declare
  v_now      timestamptz := private.clock_now();
  v_is_admin boolean := private.caller_is_admin();
begin
  if cardinality(p_posts) > 200 then
    raise exception 'At most 200 posts at once' using errcode = '22023';
  end if;
  return query
    select p.id, coalesce(c.likes, 0)
      from public.changelog_posts p
      left join (select l.post_id, count(*) as likes from public.changelog_post_likes l
                  where l.post_id = any (p_posts) group by l.post_id) c on c.post_id = p.id
     where p.id = any (p_posts) and (v_is_admin or p.published_at <= v_now);
end;
$$;
comment on function public.changelog_like_counts(uuid[]) is
  'How many like each of the posts, one row for each that the caller may read, also where nobody does; at most 200 ids';
revoke all on function public.changelog_like_counts(uuid[]) from public, anon, authenticated, service_role;
grant execute on function public.changelog_like_counts(uuid[]) to anon, authenticated, service_role;

-- Votes: up or down, one a user, currency and 24 hours. Everybody reads how many; nobody reads whose. The crowd on the board
-- is compared with the models, so it must not be made of accounts that cost nothing: a vote counts there when its account
-- had a proven address or an identity at a provider at the time of voting.
create table private.votes (
  id         bigint primary key generated always as identity,
  user_id    uuid references auth.users on delete set null,
  currency   text not null check (currency in ('btc')),
  direction  text not null check (direction in ('up', 'down')),
  created_at timestamptz not null,
  is_verified boolean not null default false
);
comment on table private.votes is 'What was voted; written by submit_vote alone, never changed';
comment on column private.votes.user_id is 'Null once the account is gone: what was voted stays counted';
comment on column private.votes.created_at is 'By the product''s clock, whole milliseconds';
comment on column private.votes.is_verified is
  'Whether the account was verified when it voted; stays when the account is gone. The board counts these votes alone';
-- All that the counts read: no row of the table itself is touched.
create index votes_counted_idx on private.votes (currency, created_at, direction);
create index votes_user_id_idx on private.votes (user_id, created_at) where user_id is not null;
create index votes_verified_idx on private.votes (currency, created_at, direction) where is_verified;
alter table private.votes enable row level security;
revoke all on private.votes from public, anon, authenticated, service_role;

create function private.is_verified_account(p_user uuid) returns boolean
  language sql stable security definer set search_path = ''
as $$
  select exists (select from auth.users u where u.id = p_user and u.email_confirmed_at is not null)
      -- A wallet is as easily made as an address.
      or exists (select from auth.identities i
                  where i.user_id = p_user and i.provider not in ('email', 'phone', 'web3'))
$$;
comment on function private.is_verified_account(uuid) is 'A confirmed email address, or an identity at an OAuth or SSO provider';
revoke all on function private.is_verified_account(uuid) from public, anon, authenticated, service_role;

-- Votes without an account are the service's own: samples, and those of accounts that were erased.
create function private.stamp_vote() returns trigger
  language plpgsql security definer set search_path = ''
as $$
begin
  new.is_verified := new.user_id is null or private.is_verified_account(new.user_id);
  return new;
end;
$$;
revoke all on function private.stamp_vote() from public, anon, authenticated, service_role;
create trigger stamp_vote before insert on private.votes
  for each row execute function private.stamp_vote();

-- One row for each user and currency: a second vote waits for the first one's row and finds it too new.
create table private.last_votes (
  user_id   uuid not null references auth.users on delete cascade,
  currency  text not null check (currency in ('btc')),
  direction text not null check (direction in ('up', 'down')),
  voted_at  timestamptz not null,
  primary key (user_id, currency)
);
comment on table private.last_votes is 'The newest vote of each user: what the next one has to wait for';
alter table private.last_votes enable row level security;
revoke all on private.last_votes from public, anon, authenticated, service_role;

create function private.vote_window() returns interval
  language sql immutable set search_path = ''
as $$ select interval '24 hours' $$;
comment on function private.vote_window() is 'How long a vote counts, and how long its user waits for the next';
revoke all on function private.vote_window() from public, anon, authenticated, service_role;

create function private.require_vote_currency(p_currency text) returns void
  language plpgsql immutable set search_path = ''
as $$
begin
  if p_currency is distinct from 'btc' then
    raise exception 'Votes are taken for btc alone.' using errcode = '22023';
  end if;
end;
$$;
comment on function private.require_vote_currency(text) is 'Error 22023 for a currency without votes';
revoke all on function private.require_vote_currency(text) from public, anon, authenticated, service_role;

-- The counts of everybody's votes, which no caller may read one by one.
create function public.get_vote_stats(p_currency text, p_window interval default '24 hours')
  returns table (up_pct numeric, down_pct numeric, up_count bigint, down_count bigint, total bigint)
  language plpgsql stable security definer set search_path = ''
as $$
declare
  v_now     timestamptz := private.clock_now();
  v_seconds numeric := extract(epoch from p_window);
begin
  perform private.require_vote_currency(p_currency);
  if v_seconds is null or v_seconds not between 3600 and 31 * 86400 then
    raise exception 'The window must be between 1 hour and 31 days.' using errcode = '22023';
  end if;
  return query
    select round(100.0 * c.up / nullif(c.up + c.down, 0), 1),
           100 - round(100.0 * c.up / nullif(c.up + c.down, 0), 1),
           c.up, c.down, c.up + c.down
      from (select count(*) filter (where v.direction = 'up') as up, count(*) filter (where v.direction = 'down') as down
              from private.votes v
             where v.currency = p_currency and v.created_at <= v_now
               -- One that is as old as the window counts no more: its user may vote again.
               and v.created_at > v_now - make_interval(secs => v_seconds::double precision)) c;
end;
$$;
comment on function public.get_vote_stats(text, interval) is
  'Votes of the window that ends now; percentages sum to 100 and are null without a vote';

create function public.get_vote_timeseries(p_currency text, p_from timestamptz, p_bucket interval default '24 hours')
  returns table (ts timestamptz, up_count bigint, down_count bigint)
  language plpgsql stable security definer set search_path = ''
as $$
declare
  v_now     timestamptz := private.clock_now();
  v_seconds numeric := extract(epoch from p_bucket);
begin
  perform private.require_vote_currency(p_currency);
  if v_seconds is null or v_seconds not between 3600 and 31 * 86400 then
    raise exception 'A bucket must be between 1 hour and 31 days long.' using errcode = '22023';
  end if;
  if p_from is null or p_from > v_now or p_from < v_now - interval '31 days' then
    raise exception 'The series must begin within the last 31 days.' using errcode = '22023';
  end if;
  return query
    with counted as (
      select floor((extract(epoch from v.created_at) - extract(epoch from p_from)) / v_seconds)::int as bucket,
             count(*) filter (where v.direction = 'up') as up, count(*) filter (where v.direction = 'down') as down
        from private.votes v
       where v.currency = p_currency and v.created_at >= p_from and v.created_at <= v_now
       group by 1
    )
    select p_from + make_interval(secs => (b.bucket * v_seconds)::double precision),
           coalesce(c.up, 0), coalesce(c.down, 0)
      from generate_series(0, floor(extract(epoch from v_now - p_from) / v_seconds)::int) as b (bucket)
      left join counted c on c.bucket = b.bucket
     order by b.bucket;
end;
$$;
comment on function public.get_vote_timeseries(text, timestamptz, interval) is
  'Votes by buckets counted from p_from, oldest first, without gaps; the last one is not over';

create function public.get_own_vote(p_currency text)
  returns table (direction text, voted_at timestamptz, next_at timestamptz)
  language plpgsql stable security definer set search_path = ''
as $$
begin
  perform private.require_vote_currency(p_currency);
  return query
    select l.direction, l.voted_at, l.voted_at + private.vote_window()
      from private.last_votes l
     where l.user_id = auth.uid() and l.currency = p_currency and private.has_shown_factors();
end;
$$;
comment on function public.get_own_vote(text) is 'The caller''s newest vote and when the next is taken; no row without one';

create function public.submit_vote(p_currency text, p_direction text, p_window interval default '24 hours')
  returns table (direction text, voted_at timestamptz, next_at timestamptz)
  language plpgsql volatile security definer set search_path = ''
as $$
#variable_conflict use_column
declare
  v_user uuid := auth.uid();
  -- A moment that a browser can name: TOO_SOON tells it.
  v_now  timestamptz := date_trunc('milliseconds', private.clock_now());
  v_next timestamptz;
begin
  if v_user is null or not private.has_shown_factors() then
    raise exception 'Sign in to vote.' using errcode = '42501';
  end if;
  perform private.require_vote_currency(p_currency);
  if p_direction is null or p_direction not in ('up', 'down') then
    raise exception 'A vote is up or down.' using errcode = '22023';
  end if;
  if p_window is distinct from private.vote_window() then
    raise exception 'The window of a vote is 24 hours.' using errcode = '22023';
  end if;
  insert into private.last_votes as l (user_id, currency, direction, voted_at)
  values (v_user, p_currency, p_direction, v_now)
  on conflict (user_id, currency) do update
    set direction = excluded.direction, voted_at = excluded.voted_at
    where l.voted_at <= excluded.voted_at - private.vote_window();
  if not found then
    select l.voted_at + private.vote_window() into v_next
      from private.last_votes l where l.user_id = v_user and l.currency = p_currency;
    raise exception 'TOO_SOON' using errcode = 'PT429',
      detail = to_char(v_next at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
      hint = 'The time of the next possible vote is in the details.';
  end if;
  insert into private.votes (user_id, currency, direction, created_at) values (v_user, p_currency, p_direction, v_now);
  return query select p_direction, v_now, v_now + private.vote_window();
end;
$$;
comment on function public.submit_vote(text, text, interval) is
  'Takes one vote a user, currency and 24 hours. PT429 TOO_SOON tells the time of the next in its details; p_window can be no other';
revoke all on function
  public.get_vote_stats(text, interval), public.get_vote_timeseries(text, timestamptz, interval),
  public.get_own_vote(text), public.submit_vote(text, text, interval)
  from public, anon, authenticated, service_role;
grant execute on function public.get_vote_stats(text, interval), public.get_vote_timeseries(text, timestamptz, interval)
  to anon, authenticated, service_role;
grant execute on function public.get_own_vote(text), public.submit_vote(text, text, interval) to authenticated;
