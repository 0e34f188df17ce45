-- Candles by week: a week that is over for thirty days is dropped whole, and nobody deletes its rows one by one.
-- docs/decisions/044-partitions-and-retention.md
alter table private.market_candles rename to market_candles_before;
alter index private.market_candles_pkey rename to market_candles_before_pkey;
alter index private.market_candles_time_idx rename to market_candles_before_time_idx;

create table private.market_candles (like private.market_candles_before including all) partition by range (time);
comment on table private.market_candles is 'Closed candles of thirty days and up to a week more, a partition a week from Monday on; read and written by the server alone';
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

-- What is there becomes the first partition as it is: no row is copied. It goes as one, thirty days after its week.
do $$
declare
  now_s   bigint := extract(epoch from private.clock_now())::bigint;
  ends_at bigint := private.monday_s(now_s) + 604800;
begin
  -- Of a time to come, which nobody believes, and which would hold up all weeks until then.
  with odd as (delete from private.market_candles_before where time >= ends_at returning *)
  insert into private.market_candles_rest select * from odd;
  if exists (select from private.market_candles_before) then
    execute format('alter table private.market_candles attach partition private.market_candles_before
      for values from (minvalue) to (%s)', ends_at);
  else
    drop table private.market_candles_before;
  end if;
  perform private.make_candle_partitions(now_s - 5 * 604800, now_s + 2 * 604800);
end $$;
