-- Market data: candles of live venues, prices of coins, and what the reference feeds last said.

-- Candles by week: a week that is over for thirty days is dropped whole, and nobody deletes its rows one by one.
-- docs/decisions/044-partitions-and-retention.md
create table private.market_candles (
  venue  text not null check (venue ~ '^[a-z0-9-]{1,30}$'),
  sym    text not null check (sym ~ '^[A-Z0-9.!]{1,20}$'),
  time   bigint not null check (time >= 0 and time % 60 = 0),
  open   double precision not null,
  high   double precision not null,
  low    double precision not null,
  close  double precision not null,
  volume double precision check (volume >= 0 and volume < 1e18),
  primary key (venue, sym, time),
  check (low > 0 and low <= least(open, close) and greatest(open, close) <= high and high < 1e15)
) partition by range (time);
comment on table private.market_candles is 'Closed candles of thirty days and up to a week more, a partition a week from Monday on; read and written by the server alone';
comment on column private.market_candles.venue is 'binance, bybit, okx ...: candles of two venues are never mixed in one series';
comment on column private.market_candles.sym is 'The product''s own code: BTCUSDT.P, MSFT, GC1! ...';
comment on column private.market_candles.time is 'Opening second, Unix epoch, UTC; a whole minute';
comment on column private.market_candles.open is 'In the quote currency, as high, low and close';
comment on column private.market_candles.volume is 'In the base asset or in contracts, as the venue counts; null where it tells none';
create index market_candles_time_idx on private.market_candles (time);
alter table private.market_candles enable row level security;
revoke all on private.market_candles from public, anon, authenticated, service_role;

-- A candle of a week that has no partition is not lost.
create table private.market_candles_rest partition of private.market_candles default;
comment on table private.market_candles_rest is 'Candles of weeks without a partition; empty as long as partitions are made ahead';
alter table private.market_candles_rest enable row level security;
revoke all on private.market_candles_rest from public, anon, authenticated, service_role;

-- Monday, 00:00 UTC. The epoch began on a Thursday.
create function private.monday_s(p_time_s bigint) returns bigint
  language sql immutable as $$ select (p_time_s - 345600) / 604800 * 604800 + 345600 $$;
comment on function private.monday_s(bigint) is 'Epoch seconds of the begin of a week, UTC';

create function private.partition_ends(p_table regclass) returns table (partition regclass, ends_at bigint)
  language sql stable set search_path = '' as $$
  select c.oid::regclass, (regexp_match(pg_get_expr(c.relpartbound, c.oid), ' TO \(''?(\d+)'))[1]::bigint
    from pg_catalog.pg_inherits i join pg_catalog.pg_class c on c.oid = i.inhrelid
   where i.inhparent = p_table and pg_get_expr(c.relpartbound, c.oid) <> 'DEFAULT'
$$;
comment on function private.partition_ends(regclass) is 'Partitions by range of one bigint, each with the first value that is not in it';

create function private.make_candle_partitions(p_from_s bigint, p_to_s bigint) returns integer
  language plpgsql set search_path = '' set lock_timeout = '5s' as $$
declare
  week  bigint;
  leaf  text;
  made  integer := 0;
begin
  perform pg_advisory_xact_lock(7203115);
  select greatest(private.monday_s(p_from_s), max(e.ends_at)) into week
    from private.partition_ends('private.market_candles') e;
  while week <= p_to_s loop
    leaf := 'market_candles_w' || to_char(to_timestamp(week) at time zone 'UTC', 'YYYYMMDD');
    execute format('create table private.%I (like private.market_candles including all)', leaf);
    execute format('alter table private.%I enable row level security', leaf);
    execute format('revoke all on private.%I from public, anon, authenticated, service_role', leaf);
    execute format('with late as (delete from private.market_candles_rest where time >= %s and time < %s returning *)
      insert into private.%I select * from late', week, week + 604800, leaf);
    execute format('alter table private.market_candles attach partition private.%I for values from (%s) to (%s)',
      leaf, week, week + 604800);
    week := week + 604800;
    made := made + 1;
  end loop;
  return made;
end $$;
comment on function private.make_candle_partitions(bigint, bigint) is
  'Weeks from after the newest one that is there, at least from the first second given on, up to the last; whatever waited for one moves in';

create function private.drop_candle_partitions(p_before_s bigint) returns integer
  language plpgsql set search_path = '' set lock_timeout = '5s' as $$
declare
  leaf    regclass;
  dropped integer := 0;
begin
  perform pg_advisory_xact_lock(7203115);
  for leaf in select e.partition from private.partition_ends('private.market_candles') e where e.ends_at <= p_before_s loop
    execute format('drop table %s', leaf);
    dropped := dropped + 1;
  end loop;
  return dropped;
end $$;
comment on function private.drop_candle_partitions(bigint) is 'Those whose candles all open before that second';

do $$
declare
  name text;
begin
  foreach name in array array['monday_s(bigint)', 'partition_ends(regclass)', 'make_candle_partitions(bigint, bigint)',
      'drop_candle_partitions(bigint)'] loop
    execute format('revoke all on function private.%s from public, anon, authenticated, service_role', name);
  end loop;
end $$;

select private.make_candle_partitions(
  extract(epoch from private.clock_now())::bigint - 5 * 604800, extract(epoch from private.clock_now())::bigint + 2 * 604800);

-- Prices of coins: the newest of each symbol for everyone, and older ones for the server alone.
create table public.price_snapshots (
  symbol      text primary key check (char_length(symbol) between 1 and 32),
  price       double precision not null check (price > 0 and price < 'infinity'),
  change_24h  double precision check (change_24h > '-infinity' and change_24h < 'infinity'),
  pct_24h     double precision check (pct_24h > '-infinity' and pct_24h < 'infinity'),
  volume_24h  double precision check (volume_24h >= 0 and volume_24h < 'infinity'),
  fetched_at  timestamptz not null,
  market_kind text not null default 'live' check (market_kind in ('live', 'simulated'))
);
comment on table public.price_snapshots is
  'One row a symbol, its newest: ordered by price with a limit, older rows of the same symbol would push others out';
comment on column public.price_snapshots.symbol is 'Upper case, as BTC; of coins that share one, the larger coin';
comment on column public.price_snapshots.price is 'US dollars';
comment on column public.price_snapshots.change_24h is 'US dollars; null where the source has none';
comment on column public.price_snapshots.pct_24h is 'Per cent; null where the source has none';
comment on column public.price_snapshots.volume_24h is 'US dollars; null where the source has none';
comment on column public.price_snapshots.fetched_at is 'When the source was asked. A coin that left its list is removed after a day';
comment on column public.price_snapshots.market_kind is 'simulated: figures of the sandbox market, never mixed with live ones';
alter table public.price_snapshots enable row level security;
revoke all on public.price_snapshots from public, anon, authenticated;
grant all on public.price_snapshots to service_role;
grant select on public.price_snapshots to anon, authenticated;
create policy "everyone reads the price snapshots" on public.price_snapshots
  for select to anon, authenticated using (true);

create table private.price_snapshot_history (
  market_kind text not null check (market_kind in ('live', 'simulated')),
  fetched_at  timestamptz not null,
  figures     jsonb not null check (jsonb_typeof(figures) = 'object' and octet_length(figures::text) <= 100000),
  primary key (market_kind, fetched_at)
);
comment on table private.price_snapshot_history is
  'What prices were, one row a moment: every ten minutes for 7 days, one an hour for 90 days; for the server alone';
comment on column private.price_snapshot_history.figures is
  'Of each symbol price and 24 hours'' volume, US dollars: {"BTC": [100000, 2e11]}; a volume may be null';
alter table private.price_snapshot_history enable row level security;
revoke all on private.price_snapshot_history from public, anon, authenticated, service_role;

create table private.feed_values (
  feed        text not null check (feed ~ '^[a-z-]{1,60}$'),
  market_kind text not null check (market_kind in ('live', 'simulated')),
  body        jsonb not null check (octet_length(body::text) <= 1048576),
  attribution text not null check (char_length(attribution) between 1 and 100),
  fetched_at  timestamptz not null,
  primary key (feed, market_kind)
);
comment on table private.feed_values is 'The last good answer of each reference feed; read and written by the server alone';
comment on column private.feed_values.body is 'In the shape our own address answers with';
comment on column private.feed_values.attribution is 'Whose figures these are, as the screen names it';
comment on column private.feed_values.fetched_at is 'When the source was asked';
alter table private.feed_values enable row level security;
revoke all on private.feed_values from public, anon, authenticated, service_role;

create table private.feed_calls (
  feed  text not null check (feed ~ '^[a-z-]{1,60}$'),
  month date not null check (extract(day from month) = 1),
  calls integer not null check (calls >= 0),
  primary key (feed, month)
);
comment on table private.feed_calls is 'Calls made of a source that allows so many a month; counted before each call, so that no restart forgets one';
comment on column private.feed_calls.month is 'Its first day, UTC';
alter table private.feed_calls enable row level security;
revoke all on private.feed_calls from public, anon, authenticated, service_role;
