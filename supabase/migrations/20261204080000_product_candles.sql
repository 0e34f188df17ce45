-- Candles of products beside the ten, while somebody watches them. Hundreds of products are watched at a time, so they are
-- stored for two days only, in partitions of a day. docs/decisions/068-any-market.md
create table private.product_candles (
  like private.market_candles including defaults including constraints,
  -- Read by product: of one venue for its series, and of all venues for an outcome.
  primary key (sym, timeframe, time, venue)
) partition by range (time);
comment on table private.product_candles is 'Closed candles of products beside the ten, of two days and up to a day more, a partition a day; read and written by the server alone';
comment on column private.product_candles.venue is 'binance, coinbase ...: candles of two venues are never mixed in one series';
comment on column private.product_candles.sym is 'The product''s own code: LINKUSDT.P, LINKUSD';
comment on column private.product_candles.time is 'Opening second, Unix epoch, UTC';
comment on column private.product_candles.timeframe is 'Length of the candle: 1min, 5min or 15min; each is a separate series';
comment on column private.product_candles.open is 'In the quote currency, as high, low and close';
comment on column private.product_candles.volume is 'In the base asset or in contracts, as the venue counts; null where it tells none';
alter table private.product_candles enable row level security;
revoke all on private.product_candles from public, anon, authenticated, service_role;

-- A candle of a day that has no partition is not lost.
create table private.product_candles_rest partition of private.product_candles default;
comment on table private.product_candles_rest is 'Candles of days without a partition; empty as long as partitions are made ahead';
alter table private.product_candles_rest enable row level security;
revoke all on private.product_candles_rest from public, anon, authenticated, service_role;

create function private.make_product_candle_partitions(p_from_s bigint, p_to_s bigint) returns integer
  language plpgsql set search_path = '' set lock_timeout = '5s' as $$
declare
  day   bigint;
  leaf  text;
  made  integer := 0;
begin
  perform pg_advisory_xact_lock(7203116);
  select greatest(p_from_s / 86400 * 86400, max(e.ends_at)) into day
    from private.partition_ends('private.product_candles') e;
  while day <= p_to_s loop
    leaf := 'product_candles_d' || to_char(to_timestamp(day) at time zone 'UTC', 'YYYYMMDD');
    execute format('create table private.%I (like private.product_candles including all)', leaf);
    execute format('alter table private.%I enable row level security', leaf);
    execute format('revoke all on private.%I from public, anon, authenticated, service_role', leaf);
    execute format('with late as (delete from private.product_candles_rest where time >= %s and time < %s returning *)
      insert into private.%I select * from late', day, day + 86400, leaf);
    execute format('alter table private.product_candles attach partition private.%I for values from (%s) to (%s)',
      leaf, day, day + 86400);
    day := day + 86400;
    made := made + 1;
  end loop;
  return made;
end $$;
comment on function private.make_product_candle_partitions(bigint, bigint) is
  'Days from after the newest one that is there, at least from the first second given on, up to the last; whatever waited for one moves in';

create function private.drop_product_candle_partitions(p_before_s bigint) returns integer
  language plpgsql set search_path = '' set lock_timeout = '5s' as $$
declare
  leaf    regclass;
  dropped integer := 0;
begin
  perform pg_advisory_xact_lock(7203116);
  for leaf in select e.partition from private.partition_ends('private.product_candles') e where e.ends_at <= p_before_s loop
    execute format('drop table %s', leaf);
    dropped := dropped + 1;
  end loop;
  return dropped;
end $$;
comment on function private.drop_product_candle_partitions(bigint) is 'Those whose candles all open before that second';

revoke all on function private.make_product_candle_partitions(bigint, bigint), private.drop_product_candle_partitions(bigint)
  from public, anon, authenticated, service_role;

select private.make_product_candle_partitions(
  extract(epoch from private.clock_now())::bigint - 2 * 86400, extract(epoch from private.clock_now())::bigint + 2 * 86400);
