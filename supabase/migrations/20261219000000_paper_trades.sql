-- Paper trades that have closed. Users read their rows; one function adds trades, one call at a time for each user. A trade
-- is sent again until its page knows that it is stored, so its id decides whether it is new.
-- docs/decisions/099-stored-paper-trades.md

create table public.paper_trades (
  user_id     uuid not null references auth.users on delete cascade,
  id          text not null check (id ~ '^[0-9a-f]{32}$'),
  market_kind text not null check (market_kind in ('live', 'replayed', 'simulated')),
  sym         text not null check (sym ~ '^[A-Z0-9.!]{1,20}$'),
  side        text not null check (side in ('long', 'short')),
  size        smallint not null default 1 check (size = 1),
  -- NaN is larger than every number.
  entry_price double precision not null check (entry_price > 0 and entry_price < 1e12),
  exit_price  double precision check (exit_price > 0 and exit_price < 1e12),
  opened_at   timestamptz(3) not null check (opened_at >= '2020-01-01 00:00:00+00'),
  closed_at   timestamptz(3) not null check (closed_at >= opened_at),
  pnl         double precision generated always as (
                size * case side when 'long' then exit_price - entry_price else entry_price - exit_price end) stored,
  duration_s  numeric generated always as (extract(epoch from closed_at - opened_at)) stored,
  created_at  timestamptz not null default private.clock_now(),
  primary key (user_id, id),
  -- Sixty seconds, and one for a late timer.
  check (closed_at - opened_at <= interval '61 seconds')
);
comment on table public.paper_trades is 'Closed paper trades: of each user the newest 500, each once';
comment on column public.paper_trades.id is 'Drawn by the page: 128 random bits';
comment on column public.paper_trades.market_kind is 'Whether the prices were real, replayed or simulated; results of different kinds are never added';
comment on column public.paper_trades.sym is 'The product''s own code: BTCUSDT.P, MSFT, GC1! ...';
comment on column public.paper_trades.exit_price is 'In the market''s quote currency; null if there was no live price when the trade''s time ended';
comment on column public.paper_trades.pnl is 'In the market''s quote currency, before costs; null without an exit price';
create index paper_trades_newest_idx on public.paper_trades (user_id, closed_at desc, id desc);
alter table public.paper_trades enable row level security;
revoke all on public.paper_trades from public, anon, authenticated;
grant select on public.paper_trades to authenticated;
grant all on public.paper_trades to service_role;
create policy "owners read their paper trades" on public.paper_trades
  for select to authenticated using (user_id = (select auth.uid()));
create policy "the second factor comes first" on public.paper_trades
  as restrictive for all to authenticated
  using ((select private.has_shown_factors())) with check ((select private.has_shown_factors()));

-- A page may wait to send trades until another user has signed in: with p_user they are refused then.
create function public.add_paper_trades(p_trades jsonb, p_user uuid default null) returns void
  language plpgsql volatile security definer set search_path = ''
as $$
declare
  v_user  uuid := auth.uid();
  v_wrong text;
begin
  if v_user is null or not private.has_shown_factors() then
    raise exception 'Sign in to store your paper trades.' using errcode = '42501';
  end if;
  if p_user <> v_user then
    raise exception 'These paper trades are another account''s.' using errcode = '42501';
  end if;
  if jsonb_typeof(p_trades) is distinct from 'array' or jsonb_array_length(p_trades) > 100 then
    raise exception 'Paper trades are an array of at most 100.' using errcode = '22023';
  end if;
  perform pg_advisory_xact_lock(hashtextextended('paper trades of ' || v_user, 0));
  insert into public.paper_trades (user_id, id, market_kind, sym, side, size, entry_price, exit_price, opened_at, closed_at)
  select v_user, t.id, t.market_kind, t.sym, t.side, coalesce(t.size, 1), t.entry_price, t.exit_price, t.opened_at, t.closed_at
    from jsonb_to_recordset(p_trades) as t (id text, market_kind text, sym text, side text, size smallint,
      entry_price double precision, exit_price double precision, opened_at timestamptz, closed_at timestamptz)
  on conflict (user_id, id) do nothing;
  select t.id into v_wrong
    from jsonb_to_recordset(p_trades) as t (id text, pnl double precision)
    join public.paper_trades s on s.user_id = v_user and s.id = t.id
   where t.pnl is distinct from s.pnl or s.closed_at > private.clock_now() + interval '1 day'
   limit 1;
  if v_wrong is not null then
    raise exception 'Trade % has another result than its prices give, or ends in the future.', v_wrong using errcode = '22023';
  end if;
  delete from public.paper_trades d
   where d.user_id = v_user
     and d.id in (select o.id from public.paper_trades o where o.user_id = v_user
                   order by o.closed_at desc, o.id desc offset 500);
end;
$$;
comment on function public.add_paper_trades(jsonb, uuid) is
  'Stores the caller''s closed trades; one that is stored already stays as it is. Deletes all but the newest 500';
revoke all on function public.add_paper_trades(jsonb, uuid) from public, anon, authenticated, service_role;
grant execute on function public.add_paper_trades(jsonb, uuid) to authenticated;
