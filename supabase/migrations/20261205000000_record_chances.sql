-- Chances in the public record: the chance that a clock window of 5 or 15 minutes closes above its open, as one more kind of text in
-- the same chain. `window_min` is the window's length; 0 is a forecast. docs/decisions/074-chances-in-the-record.md

alter table private.track_records
  add column window_min smallint not null default 0,
  drop constraint track_records_slot_s_check,
  drop constraint track_records_on_the_slot_check,
  -- A forecast is issued on its slot, a chance at the fixed minutes of its window: 1 and 3 of 5, and 3, 8 and 12 of 15.
  add constraint track_records_on_the_slot_check check (
    slot_s % 60 = 0 and case window_min
      when 0 then slot_s % case timeframe when '5min' then 900 when '15min' then 3600 else 300 end = 0
      when 5 then timeframe = '1min' and slot_s / 60 % 5 in (1, 3)
      when 15 then timeframe = '1min' and slot_s / 60 % 15 in (3, 8, 12)
      else false end);
comment on column private.track_records.window_min is
  'Minutes of the clock window whose chance this is: 5 or 15; 0 for a forecast';

-- The newest records of one kind, however many of others lie between.
drop index private.track_records_market_idx;
create index track_records_market_idx on private.track_records (market_kind, timeframe, window_min, seq);
drop index private.track_records_lessons_idx;
create index track_records_lessons_idx on private.track_records (market_kind, sym, model, model_version, seq)
  where role = 'serving' and window_min = 0;

do $$
declare
  leaf text;
begin
  for leaf in
    select c.relname from pg_catalog.pg_inherits i join pg_catalog.pg_class c on c.oid = i.inhrelid
     where i.inhparent = 'private.track_records'::regclass
  loop
    execute format(
      'alter table private.%I drop constraint %I, add constraint %I unique (market_kind, slot_s, sym, model, role, model_version, timeframe, window_min)',
      leaf, leaf || '_slot_key', leaf || '_slot_key');
  end loop;
end $$;

alter table private.track_misses
  add column window_min smallint not null default 0 check (window_min in (0, 5, 15)),
  drop constraint track_misses_slot_s_check,
  add constraint track_misses_slot_s_check check (slot_s % case window_min when 0 then 300 else 60 end = 0),
  drop constraint track_misses_pkey;
alter table private.track_misses add primary key (market_kind, slot_s, sym, model, role, timeframe, window_min);
comment on column private.track_misses.window_min is 'As in track_records';

-- Sums over six hours each of one symbol, model, window and minute within it.
create table private.track_chance_blocks (
  market_kind   text not null check (market_kind in ('live', 'replayed', 'simulated')),
  block_s       bigint not null check (block_s % 21600 = 0),
  sym           text not null,
  model         text not null,
  model_version text not null,
  role          text not null,
  window_min    smallint not null check (window_min in (5, 15)),
  elapsed_min   smallint not null check (elapsed_min >= 1 and elapsed_min < window_min),
  first_slot_s  bigint not null,
  last_slot_s   bigint not null,
  last_seq      bigint not null,
  issued        integer not null,
  waiting       integer not null,
  sums          jsonb not null,
  updated_at    timestamptz not null default now(),
  primary key (market_kind, block_s, sym, model, model_version, role, window_min, elapsed_min)
);
comment on table private.track_chance_blocks is
  'Sums of scored chances by slot in stretches of six hours; can be made again from the scores at any time';
comment on column private.track_chance_blocks.last_seq is 'Every chance up to the highest of these is in some block';
comment on column private.track_chance_blocks.waiting is 'Chances whose outcome is not known yet: such a block is made again when more is';
comment on column private.track_chance_blocks.sums is 'Whole numbers in the order of domain/record/chances/chance-sums.ts';
create index track_chance_blocks_seq_idx on private.track_chance_blocks (last_seq);
create index track_chance_blocks_waiting_idx on private.track_chance_blocks (market_kind, block_s) where waiting > 0;

create table private.track_chance_summaries (
  market_kind text not null check (market_kind in ('live', 'replayed', 'simulated')),
  period      text not null check (period in ('7d', '30d', '90d', '365d')),
  window_min  smallint not null check (window_min in (5, 15)),
  summary     jsonb not null,
  computed_at timestamptz not null default now(),
  primary key (market_kind, period, window_min)
);
comment on table private.track_chance_summaries is 'What the page shows of chances, made every few minutes';

do $$
declare
  name text;
begin
  foreach name in array array['track_chance_blocks', 'track_chance_summaries'] loop
    execute format('alter table private.%I enable row level security', name);
    execute format('revoke all on private.%I from public, anon, authenticated, service_role', name);
  end loop;
end $$;

-- As before, with the window.
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
  -- As text: what is no number there is no number here. A text of one minute names no timeframe, and a forecast's no window.
  if (body ->> 'v', body ->> 'seq', body ->> 'slot', body ->> 'tf', body ->> 'window', body ->> 'issued', body ->> 'sym', body ->> 'model',
      body ->> 'version', body ->> 'role', body ->> 'market')
     is distinct from (case when new.window_min <> 0 then '3' when new.timeframe = '1min' then '1' else '2' end, new.seq::text, new.slot_s::text,
      nullif(new.timeframe, '1min'), nullif(new.window_min, 0)::text, new.issued_ms::text, new.sym, new.model, new.model_version, new.role,
      new.market_kind) then
    raise exception 'A record and its text differ.' using errcode = '22023';
  end if;
  if new.seq >= 1000000 and exists (
       select from private.track_records r
        where r.seq < new.seq / 1000000 * 1000000 and r.market_kind = new.market_kind and r.slot_s = new.slot_s
          and r.sym = new.sym and r.model = new.model and r.role = new.role and r.model_version = new.model_version
          and r.timeframe = new.timeframe and r.window_min = new.window_min) then
    raise exception 'There is one forecast a slot.' using errcode = '23505';
  end if;
  return new;
end $$;

-- Epoch seconds of market time at which the last bar of a forecast, or a chance's window, has closed.
create function private.track_end_s(p_slot_s bigint, p_timeframe text, p_window_min smallint) returns bigint
  language sql immutable parallel safe set search_path = ''
  as $$
    select case when p_window_min = 0 then p_slot_s + 50 * private.bar_s(p_timeframe)
                else (p_slot_s / (60 * p_window_min) + 1) * 60 * p_window_min end
  $$;
comment on function private.track_end_s(bigint, text, smallint) is
  'When a record''s last bar, or a chance''s window, has closed: domain/record/ledger/reveal.ts';
revoke all on function private.track_end_s(bigint, text, smallint) from public, anon, authenticated, service_role;

create or replace function private.await_track_score() returns trigger
  language plpgsql as $$
begin
  insert into private.track_waiting (seq, sym, market_kind, issued_ms, next_try_s)
  values (new.seq, new.sym, new.market_kind, new.issued_ms, private.track_end_s(new.slot_s, new.timeframe, new.window_min));
  return null;
end $$;
comment on column private.track_waiting.next_try_s is
  'Epoch seconds of market time; at first when the last of its 50 bars, or its window, has closed';

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
        execute format('alter table private.%I add constraint %I unique (market_kind, slot_s, sym, model, role, model_version, timeframe, window_min)',
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

-- A caller of an earlier release names no window and means a forecast.
create or replace function private.track_head(p_keys jsonb)
  returns table (seq bigint, hash text, earliest_ms bigint, known jsonb)
  language plpgsql stable set search_path = '' as $$
#variable_conflict use_column
begin
  return query
    select coalesce(r.seq, 0), encode(r.hash, 'hex'), greatest(r.issued_ms, private.track_sealed_ms()),
           coalesce((select jsonb_agg(g.place)
                       from jsonb_to_recordset(p_keys) as g
                         (place int, market text, slot bigint, tf text, "window" int, sym text, model text, role text, version text)
                       join private.track_records k
                         on (k.market_kind, k.slot_s, k.sym, k.model, k.role, k.model_version, k.timeframe, k.window_min)
                          = (g.market, g.slot, g.sym, g.model, g.role, g.version, coalesce(g.tf, '1min'), coalesce(g."window", 0))), '[]')
      from (select) as always
      left join lateral (select t.seq, t.hash, t.issued_ms from private.track_records t order by t.seq desc limit 1) r on true;
end $$;
