-- Votes of the community: up or down, one a user, currency and 24 hours. Everybody reads how many; nobody reads whose.

create table private.votes (
  id         bigint primary key generated always as identity,
  user_id    uuid references auth.users on delete set null,
  currency   text not null check (currency in ('btc')),
  direction  text not null check (direction in ('up', 'down')),
  created_at timestamptz not null
);
comment on table private.votes is 'What was voted; written by submit_vote alone, never changed';
comment on column private.votes.user_id is 'Null once the account is gone: what was voted stays counted';
comment on column private.votes.created_at is 'By the product''s clock, whole milliseconds';
-- All that the counts read: no row of the table itself is touched.
create index votes_counted_idx on private.votes (currency, created_at, direction);
create index votes_user_id_idx on private.votes (user_id, created_at) where user_id is not null;
alter table private.votes enable row level security;
revoke all on private.votes from public, anon, authenticated, service_role;

-- One row for each user and currency: whoever comes second waits for the first one's row, and finds it too new.
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
