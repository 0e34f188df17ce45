-- Changelog: posts that admins alone write, likes, and the newest post that each user has seen. Row-level security decides
-- who reads and writes what; the triggers stamp, and refuse in the words that a screen may show.

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

-- Policies are asked with the reader's rights; without a right to the schema nobody calls it by name.
grant execute on function private.clock_now() to anon, authenticated;

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

-- The policies would refuse as well, or find no row: this says why.
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

create table public.changelog_post_likes (
  post_id uuid not null references public.changelog_posts on delete cascade,
  user_id uuid not null references auth.users on delete cascade,
  primary key (post_id, user_id)
);
comment on table public.changelog_post_likes is 'Who likes which post: one row each, read by everyone';
create index changelog_post_likes_user_id_idx on public.changelog_post_likes (user_id, post_id);

alter table public.changelog_post_likes enable row level security;
revoke all on public.changelog_post_likes from public, anon, authenticated;
grant all on public.changelog_post_likes to service_role;
grant select on public.changelog_post_likes to anon, authenticated;
grant insert (post_id, user_id), delete on public.changelog_post_likes to authenticated;
create policy "everyone reads likes" on public.changelog_post_likes
  for select to anon, authenticated using (true);
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

-- With its caller's rights: what he cannot read is not counted.
create function public.changelog_like_counts(p_posts uuid[]) returns table (post_id uuid, likes bigint)
  language plpgsql stable set search_path = ''
as $$
begin
  if cardinality(p_posts) > 200 then
    raise exception 'At most 200 posts at once' using errcode = '22023';
  end if;
  return query
    select p.id, (select count(*) from public.changelog_post_likes l where l.post_id = p.id)
      from public.changelog_posts p where p.id = any (p_posts);
end;
$$;
comment on function public.changelog_like_counts(uuid[]) is
  'How many like each of the posts, one row for each that the caller may read, also where nobody does; at most 200 ids';
revoke all on function public.changelog_like_counts(uuid[]) from public, anon, authenticated, service_role;
grant execute on function public.changelog_like_counts(uuid[]) to anon, authenticated, service_role;
