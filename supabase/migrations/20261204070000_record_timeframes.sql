-- The public record of candles of 5 and 15 minutes: the timeframe is one more field of a record, and of what is computed from
-- records. The texts of one minute stay as they are. docs/decisions/072-record-of-longer-candles.md

alter table private.track_records
  add column timeframe text not null default '1min' check (timeframe in ('1min', '5min', '15min')),
  drop constraint track_records_body_check,
  -- Moves in longer candles are greater, so that a number of them has a digit more.
  add constraint track_records_body_check
    check (octet_length(body) <= case timeframe when '1min' then 1024 else 1152 end),
  add constraint track_records_on_the_slot_check
    check (slot_s % case timeframe when '5min' then 900 when '15min' then 3600 else 300 end = 0);
comment on column private.track_records.timeframe is 'Length of a candle: 1min, 5min or 15min; what the text says, which names only the longer ones';

-- The newest records of a timeframe, however many of others lie between.
drop index private.track_records_market_idx;
create index track_records_market_idx on private.track_records (market_kind, timeframe, seq);

do $$
declare
  leaf text;
begin
  for leaf in
    select c.relname from pg_catalog.pg_inherits i join pg_catalog.pg_class c on c.oid = i.inhrelid
     where i.inhparent = 'private.track_records'::regclass
  loop
    execute format(
      'alter table private.%I drop constraint %I, add constraint %I unique (market_kind, slot_s, sym, model, role, model_version, timeframe)',
      leaf, leaf || '_slot_key', leaf || '_slot_key');
  end loop;
end $$;

alter table private.track_misses
  add column timeframe text not null default '1min' check (timeframe in ('1min', '5min', '15min')),
  drop constraint track_misses_pkey;
alter table private.track_misses add primary key (market_kind, slot_s, sym, model, role, timeframe);
comment on column private.track_misses.timeframe is 'Length of a candle, as in track_records';

alter table private.track_blocks
  add column timeframe text not null default '1min' check (timeframe in ('1min', '5min', '15min')),
  drop constraint track_blocks_pkey;
alter table private.track_blocks add primary key (market_kind, block_s, sym, model, model_version, role, timeframe);
comment on column private.track_blocks.timeframe is 'Length of a candle, as in track_records';

alter table private.track_summaries
  add column timeframe text not null default '1min' check (timeframe in ('1min', '5min', '15min')),
  drop constraint track_summaries_pkey;
alter table private.track_summaries add primary key (market_kind, period, timeframe);
comment on column private.track_summaries.timeframe is 'Length of a candle, as in track_records';

alter table private.band_corrections
  add column timeframe text not null default '1min' check (timeframe in ('1min', '5min', '15min')),
  drop constraint band_corrections_pkey;
alter table private.band_corrections add primary key (market_kind, model, sym, model_version, timeframe);
comment on column private.band_corrections.timeframe is 'Length of a candle, as in track_records';

-- As before, with the timeframe.
create or replace function private.check_next_record() returns trigger
  language plpgsql as $$
declare
  last record;
  body jsonb := new.body::jsonb;
begin
  -- One writer at a time: a second leader waits here, and then finds that it is late.
  perform pg_advisory_xact_lock(7203114);
  -- The record before, or the one that has this number already: two numbers, of one partition or two. The newest sealed hour or day
  -- as track_sealed_ms() says it; in this statement it costs a fifth.
  select r.seq, r.hash, greatest(r.issued_ms,
      (select (h.hour_s + 3600) * 1000 from private.track_hours h order by h.hour_s desc limit 1),
      (select extract(epoch from (d.day + 1)::timestamp)::bigint * 1000 from private.track_days d order by d.day desc limit 1)) as earliest_ms
    into last from private.track_records r where r.seq >= new.seq - 1 and r.seq <= new.seq order by r.seq desc limit 1;
  if new.seq <> coalesce(last.seq, 0) + 1 or new.seq = 1 and exists (select from private.track_records)
     or (body ->> 'prev') is distinct from coalesce(rtrim(translate(encode(last.hash, 'base64'), '+/', '-_'), '='), repeat('A', 43)) then
    raise exception 'A record must follow the last one.' using errcode = '40001';
  end if;
  if new.issued_ms < last.earliest_ms then
    raise exception 'A record is not older than the last one.' using errcode = '22023';
  end if;
  -- As text: what is no number there is no number here. A text of one minute names no timeframe.
  if (body ->> 'v', body ->> 'seq', body ->> 'slot', body ->> 'tf', body ->> 'issued', body ->> 'sym', body ->> 'model',
      body ->> 'version', body ->> 'role', body ->> 'market')
     is distinct from (case new.timeframe when '1min' then '1' else '2' end, new.seq::text, new.slot_s::text,
      nullif(new.timeframe, '1min'), new.issued_ms::text, new.sym, new.model, new.model_version, new.role, new.market_kind) then
    raise exception 'A record and its text differ.' using errcode = '22023';
  end if;
  if new.seq >= 1000000 and exists (
       select from private.track_records r
        where r.seq < new.seq / 1000000 * 1000000 and r.market_kind = new.market_kind and r.slot_s = new.slot_s
          and r.sym = new.sym and r.model = new.model and r.role = new.role and r.model_version = new.model_version
          and r.timeframe = new.timeframe) then
    raise exception 'There is one forecast a slot.' using errcode = '23505';
  end if;
  return new;
end $$;

create or replace function private.await_track_score() returns trigger
  language plpgsql as $$
begin
  -- 50 bars from the slot on.
  insert into private.track_waiting (seq, sym, market_kind, issued_ms, next_try_s)
  values (new.seq, new.sym, new.market_kind, new.issued_ms, new.slot_s + 50 * private.bar_s(new.timeframe));
  return null;
end $$;
comment on column private.track_waiting.next_try_s is
  'Epoch seconds of market time; at first when the last of its 50 bars has closed';

create or replace function private.make_track_partitions(p_upto bigint) returns integer
  language plpgsql set search_path = '' set lock_timeout = '5s' as $$
declare
  name text;
  leaf text;
  next bigint;
  ends bigint;
  made integer := 0;
begin
  -- The chain's own lock: a process that appends makes room under it.
  perform pg_advisory_xact_lock(7203114);
  foreach name in array array['track_records', 'track_scores'] loop
    loop
      select max(e.ends_at) into strict next from private.partition_ends(format('private.%I', name)::regclass) e;
      exit when next > p_upto;
      leaf := name || '_m' || next / 1000000;
      ends := (next / 1000000 + 1) * 1000000;
      execute format('create table private.%I (like private.%I including all)', leaf, name);
      execute format('comment on table private.%I is %L', leaf, format('Numbers %s to %s; see the whole', next, ends - 1));
      execute format('alter table private.%I enable row level security', leaf);
      execute format('revoke all on private.%I from public, anon, authenticated, service_role', leaf);
      if name = 'track_records' then
        execute format('alter table private.%I add constraint %I unique (market_kind, slot_s, sym, model, role, model_version, timeframe)',
          leaf, leaf || '_slot_key');
      end if;
      execute format('create trigger %I before truncate on private.%I for each statement execute function private.refuse_change()',
        leaf || '_is_kept', leaf);
      execute format('alter table private.%I attach partition private.%I for values from (%s) to (%s)', name, leaf, next, ends);
      made := made + 1;
    end loop;
  end loop;
  return made;
end $$;

-- A caller of an earlier release names no timeframe and means one minute.
create or replace function private.track_head(p_keys jsonb)
  returns table (seq bigint, hash text, earliest_ms bigint, known jsonb)
  language plpgsql stable set search_path = '' as $$
#variable_conflict use_column
begin
  return query
    select coalesce(r.seq, 0), encode(r.hash, 'hex'), greatest(r.issued_ms, private.track_sealed_ms()),
           coalesce((select jsonb_agg(g.place)
                       from jsonb_to_recordset(p_keys) as g
                         (place int, market text, slot bigint, tf text, sym text, model text, role text, version text)
                       join private.track_records k
                         on (k.market_kind, k.slot_s, k.sym, k.model, k.role, k.model_version, k.timeframe)
                          = (g.market, g.slot, g.sym, g.model, g.role, g.version, coalesce(g.tf, '1min'))), '[]')
      from (select) as always
      left join lateral (select t.seq, t.hash, t.issued_ms from private.track_records t order by t.seq desc limit 1) r on true;
end $$;
