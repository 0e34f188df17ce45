-- Weeks of market candles and days of other products' candles are made and dropped in one way: the functions of each table
-- name its span, its mark and its lock. docs/decisions/044-partitions-and-retention.md
create function private.make_time_partitions(
    p_table text, p_first_s bigint, p_to_s bigint, p_span_s bigint, p_mark text, p_lock integer) returns integer
  language plpgsql set search_path = '' set lock_timeout = '5s' as $$
declare
  start_s bigint;
  leaf    text;
  made    integer := 0;
begin
  perform pg_advisory_xact_lock(p_lock);
  select greatest(p_first_s, max(e.ends_at)) into start_s
    from private.partition_ends(format('private.%I', p_table)::regclass) e;
  while start_s <= p_to_s loop
    leaf := p_table || '_' || p_mark || to_char(to_timestamp(start_s) at time zone 'UTC', 'YYYYMMDD');
    execute format('create table private.%I (like private.%I including all)', leaf, p_table);
    execute format('alter table private.%I enable row level security', leaf);
    execute format('revoke all on private.%I from public, anon, authenticated, service_role', leaf);
    execute format('with late as (delete from private.%I where time >= %s and time < %s returning *)
      insert into private.%I select * from late', p_table || '_rest', start_s, start_s + p_span_s, leaf);
    execute format('alter table private.%I attach partition private.%I for values from (%s) to (%s)',
      p_table, leaf, start_s, start_s + p_span_s);
    start_s := start_s + p_span_s;
    made := made + 1;
  end loop;
  return made;
end $$;
comment on function private.make_time_partitions(text, bigint, bigint, bigint, text, integer) is
  'Spans from after the newest one that is there, at least from the first second given on, up to the last; whatever waited for one moves in';

create function private.drop_time_partitions(p_table text, p_before_s bigint, p_lock integer) returns integer
  language plpgsql set search_path = '' set lock_timeout = '5s' as $$
declare
  leaf    regclass;
  dropped integer := 0;
begin
  perform pg_advisory_xact_lock(p_lock);
  for leaf in select e.partition from private.partition_ends(format('private.%I', p_table)::regclass) e
               where e.ends_at <= p_before_s loop
    execute format('drop table %s', leaf);
    dropped := dropped + 1;
  end loop;
  return dropped;
end $$;
comment on function private.drop_time_partitions(text, bigint, integer) is 'Those whose candles all open before that second';

create or replace function private.make_candle_partitions(p_from_s bigint, p_to_s bigint) returns integer
  language sql set search_path = '' as $$
  select private.make_time_partitions('market_candles', private.monday_s(p_from_s), p_to_s, 604800, 'w', 7203115)
$$;

create or replace function private.drop_candle_partitions(p_before_s bigint) returns integer
  language sql set search_path = '' as $$
  select private.drop_time_partitions('market_candles', p_before_s, 7203115)
$$;

create or replace function private.make_product_candle_partitions(p_from_s bigint, p_to_s bigint) returns integer
  language sql set search_path = '' as $$
  select private.make_time_partitions('product_candles', p_from_s / 86400 * 86400, p_to_s, 86400, 'd', 7203116)
$$;

create or replace function private.drop_product_candle_partitions(p_before_s bigint) returns integer
  language sql set search_path = '' as $$
  select private.drop_time_partitions('product_candles', p_before_s, 7203116)
$$;

revoke all on function private.make_time_partitions(text, bigint, bigint, bigint, text, integer),
    private.drop_time_partitions(text, bigint, integer)
  from public, anon, authenticated, service_role;
