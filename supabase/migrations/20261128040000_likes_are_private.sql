-- Who likes a post is the user's own business: each reads their own likes, and everybody reads how many there are.
drop policy "everyone reads likes" on public.changelog_post_likes;
create policy "users read their own likes" on public.changelog_post_likes
  for select to authenticated using (user_id = (select auth.uid()));
-- Visitors keep the right to ask, so that the page's query still answers them: with no row.
create policy "visitors read no likes" on public.changelog_post_likes
  for select to anon using (false);
comment on table public.changelog_post_likes is
  'Who likes which post: one row each, read by its user alone; changelog_like_counts tells how many';

-- Counts what its caller cannot read row by row, and so asks for itself which posts the caller may read.
create or replace function public.changelog_like_counts(p_posts uuid[]) returns table (post_id uuid, likes bigint)
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
