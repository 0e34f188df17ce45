-- Watchlists: the symbols and timeframes that a user follows, in their order. Users read their rows; three functions write
-- them, one call at a time for each user, so that two devices never disturb each other.

create table public.watched_pairs (
  user_id    uuid not null references auth.users on delete cascade,
  sym        text not null check (sym ~ '^[A-Z0-9.!]{1,20}$'),
  timeframe  text not null check (timeframe in ('1min', '5min', '15min')),
  place      smallint not null check (place between 1 and 50),
  created_at timestamptz not null default private.clock_now(),
  primary key (user_id, sym, timeframe),
  -- Fifty places, each held once: no writer can exceed the limit. A statement may exchange places.
  unique (user_id, place) deferrable initially immediate
);
comment on table public.watched_pairs is 'Watchlists: at most fifty pairs of symbol and timeframe a user, each once';
comment on column public.watched_pairs.sym is 'The product''s own code: BTCUSDT.P, MSFT, GC1! ...';
comment on column public.watched_pairs.place is 'Position in the list, from 1 and without holes';
alter table public.watched_pairs enable row level security;
revoke all on public.watched_pairs from public, anon, authenticated;
grant select on public.watched_pairs to authenticated;
grant all on public.watched_pairs to service_role;
create policy "owners read their watchlist" on public.watched_pairs
  for select to authenticated using (user_id = (select auth.uid()));
create policy "the second factor comes first" on public.watched_pairs
  as restrictive for all to authenticated
  using ((select private.has_shown_factors())) with check ((select private.has_shown_factors()));

-- A pair that is listed twice counts where it comes first.
create function private.pairs_in(p_pairs jsonb) returns table (sym text, timeframe text, nth bigint)
  language plpgsql immutable set search_path = ''
as $$
#variable_conflict use_column
begin
  if jsonb_typeof(p_pairs) is distinct from 'array' or jsonb_array_length(p_pairs) > 50 then
    raise exception 'A watchlist is an array of at most 50 pairs.' using errcode = '22023';
  end if;
  if exists (
    select from jsonb_array_elements(p_pairs) e
     where coalesce(e ->> 'sym' !~ '^[A-Z0-9.!]{1,20}$' or e ->> 'timeframe' not in ('1min', '5min', '15min'), true)
  ) then
    raise exception 'A pair has a symbol and a timeframe.' using errcode = '22023';
  end if;
  return query
    select e.value ->> 'sym', e.value ->> 'timeframe', min(e.nth)
      from jsonb_array_elements(p_pairs) with ordinality e (value, nth)
     group by 1, 2;
end;
$$;

-- The caller, whose other calls wait until this one's transaction ends. Pairs that are none are refused whatever the list
-- holds.
create function private.lock_watchlist(p_pairs jsonb) returns uuid
  language plpgsql volatile security definer set search_path = ''
as $$
declare
  v_user uuid := auth.uid();
begin
  if v_user is null or not private.has_shown_factors() then
    raise exception 'Sign in to change your watchlist.' using errcode = '42501';
  end if;
  perform from private.pairs_in(p_pairs);
  perform pg_advisory_xact_lock(hashtextextended('watchlist of ' || v_user, 0));
  return v_user;
end;
$$;

-- Numbers a user's pairs from 1: those in p_first in that order, then the others as they were.
create function private.place_watched_pairs(p_user uuid, p_first jsonb) returns void
  language sql volatile set search_path = ''
as $$
  update public.watched_pairs w
     set place = n.place
    from (select o.sym, o.timeframe, row_number() over (order by f.nth nulls last, o.place) as place
            from public.watched_pairs o
            left join private.pairs_in(p_first) f on f.sym = o.sym and f.timeframe = o.timeframe
           where o.user_id = p_user) n
   where w.user_id = p_user and w.sym = n.sym and w.timeframe = n.timeframe and w.place <> n.place
$$;
revoke all on function private.lock_watchlist(jsonb), private.pairs_in(jsonb), private.place_watched_pairs(uuid, jsonb)
  from public, anon, authenticated, service_role;

create function public.add_watched_pairs(p_pairs jsonb) returns table (sym text, timeframe text)
  language plpgsql volatile security definer set search_path = ''
as $$
#variable_conflict use_column
declare
  v_user  uuid := private.lock_watchlist(p_pairs);
  v_count integer;
begin
  select count(*) into v_count from public.watched_pairs w where w.user_id = v_user;
  insert into public.watched_pairs (user_id, sym, timeframe, place)
  select v_user, p.sym, p.timeframe, v_count + row_number() over (order by p.nth)
    from private.pairs_in(p_pairs) p
   where not exists (select from public.watched_pairs w
                      where w.user_id = v_user and w.sym = p.sym and w.timeframe = p.timeframe)
   order by p.nth
   limit 50 - v_count;
  return query select w.sym, w.timeframe from public.watched_pairs w where w.user_id = v_user order by w.place;
end;
$$;
comment on function public.add_watched_pairs(jsonb) is
  'Adds pairs at the end of the caller''s watchlist, in their order, while fewer than fifty are there. Returns the list';

create function public.remove_watched_pairs(p_pairs jsonb) returns table (sym text, timeframe text)
  language plpgsql volatile security definer set search_path = ''
as $$
#variable_conflict use_column
declare
  v_user uuid := private.lock_watchlist(p_pairs);
begin
  delete from public.watched_pairs w using private.pairs_in(p_pairs) p
   where w.user_id = v_user and w.sym = p.sym and w.timeframe = p.timeframe;
  perform private.place_watched_pairs(v_user, '[]');
  return query select w.sym, w.timeframe from public.watched_pairs w where w.user_id = v_user order by w.place;
end;
$$;
comment on function public.remove_watched_pairs(jsonb) is 'Removes pairs from the caller''s watchlist. Returns the list';

create function public.order_watched_pairs(p_pairs jsonb) returns table (sym text, timeframe text)
  language plpgsql volatile security definer set search_path = ''
as $$
#variable_conflict use_column
declare
  v_user uuid := private.lock_watchlist(p_pairs);
begin
  perform private.place_watched_pairs(v_user, p_pairs);
  return query select w.sym, w.timeframe from public.watched_pairs w where w.user_id = v_user order by w.place;
end;
$$;
comment on function public.order_watched_pairs(jsonb) is
  'Puts the caller''s pairs into this order. It adds none; pairs that it does not name come last, as they were. Returns the list';
revoke all on function
  public.add_watched_pairs(jsonb), public.remove_watched_pairs(jsonb), public.order_watched_pairs(jsonb)
  from public, anon, authenticated, service_role;
grant execute on function
  public.add_watched_pairs(jsonb), public.remove_watched_pairs(jsonb), public.order_watched_pairs(jsonb)
  to authenticated;
