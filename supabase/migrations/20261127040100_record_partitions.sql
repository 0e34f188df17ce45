-- The public record by a million of numbers: records and their scores, each partition with triggers of its own that let
-- nothing go. docs/decisions/044-partitions-and-retention.md
alter table private.track_waiting drop constraint track_waiting_seq_fkey;
alter table private.track_scores drop constraint track_scores_seq_fkey;

do $$
declare
  name text;
begin
  foreach name in array array['track_records', 'track_scores'] loop
    execute format('drop trigger %I_only_grows on private.%I', name, name);
    execute format('drop trigger %I_is_kept on private.%I', name, name);
    execute format('alter table private.%I rename to %I', name, name || '_m0');
    execute format('alter index private.%I rename to %I', name || '_pkey', name || '_m0_pkey');
  end loop;
end $$;
drop trigger track_records_follow on private.track_records_m0;
drop trigger track_records_wait on private.track_records_m0;
-- Each text holds its own number, so that no two have one hash.
alter table private.track_records_m0 drop constraint track_records_hash_key;
-- What begins alike is found by the constraint's own index.
drop index private.track_records_slot_idx;
do $$
declare
  slot_key text;
begin
  select k.conname into strict slot_key from pg_constraint k
   where k.conrelid = 'private.track_records_m0'::regclass and k.contype = 'u';
  execute format('alter table private.track_records_m0 rename constraint %I to track_records_m0_slot_key', slot_key);
end $$;
alter index private.track_records_market_idx rename to track_records_m0_market_idx;
alter index private.track_records_lessons_idx rename to track_records_m0_lessons_idx;

create table private.track_records (like private.track_records_m0 including defaults including constraints including comments)
  partition by range (seq);
comment on table private.track_records is
  'House forecasts, chained by hash, a partition for each million of numbers; rows are added and never changed';
alter table private.track_records add primary key (seq);
create index track_records_market_idx on private.track_records (market_kind, seq);
create index track_records_lessons_idx on private.track_records (market_kind, sym, model, model_version, seq)
  where role = 'serving';

create table private.track_scores (like private.track_scores_m0 including defaults including constraints including comments)
  partition by range (seq);
comment on table private.track_scores is
  'Outcome of each record, in partitions like theirs; score as domain/record/scoring/record-score.ts';
alter table private.track_scores add primary key (seq);

-- What is there becomes the first partition as it is, up to its last million: no row is copied.
do $$
declare
  name    text;
  ends_at bigint;
begin
  select (coalesce(max(seq), 0) / 1000000 + 1) * 1000000 into ends_at from private.track_records_m0;
  foreach name in array array['track_records', 'track_scores'] loop
    execute format('alter table private.%I attach partition private.%I for values from (minvalue) to (%s)',
      name, name || '_m0', ends_at);
    execute format('comment on table private.%I is %L', name || '_m0', 'The first numbers; see the whole');
    -- Of rows, in every partition, those to come too; of statements, here and in whatever makes a partition.
    execute format('create trigger %I_only_grows before update or delete on private.%I for each row execute function private.refuse_change()', name, name);
    execute format('create trigger %I_is_kept before truncate on private.%I for each statement execute function private.refuse_change()', name, name);
    execute format('create trigger %I_m0_is_kept before truncate on private.%I for each statement execute function private.refuse_change()', name, name || '_m0');
    execute format('alter table private.%I enable row level security', name);
    execute format('revoke all on private.%I from public, anon, authenticated, service_role', name);
  end loop;
end $$;
alter table private.track_scores add foreign key (seq) references private.track_records;
alter table private.track_waiting add foreign key (seq) references private.track_records;

-- As before, and one forecast a slot over all partitions: within one its own constraint sees to it.
create or replace function private.check_next_record() returns trigger
  language plpgsql as $$
declare
  last record;
  body jsonb := new.body::jsonb;
begin
  -- One writer at a time: a second leader waits here, and then finds that it is late.
  perform pg_advisory_xact_lock(7203114);
  -- The one before, or whoever has this number already: two numbers, of one partition or two. The newest sealed hour or day
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
  -- As text: what is no number there is no number here.
  if (body ->> 'v', body ->> 'seq', body ->> 'slot', body ->> 'issued', body ->> 'sym', body ->> 'model', body ->> 'version',
      body ->> 'role', body ->> 'market')
     is distinct from ('1', new.seq::text, new.slot_s::text, new.issued_ms::text, new.sym, new.model, new.model_version,
      new.role, new.market_kind) then
    raise exception 'A record and its text differ.' using errcode = '22023';
  end if;
  if new.seq >= 1000000 and exists (
       select from private.track_records r
        where r.seq < new.seq / 1000000 * 1000000 and r.market_kind = new.market_kind and r.slot_s = new.slot_s
          and r.sym = new.sym and r.model = new.model and r.role = new.role and r.model_version = new.model_version) then
    raise exception 'There is one forecast a slot.' using errcode = '23505';
  end if;
  return new;
end $$;
create trigger track_records_follow before insert on private.track_records
  for each row execute function private.check_next_record();
create trigger track_records_wait after insert on private.track_records
  for each row execute function private.await_track_score();

create function private.make_track_partitions(p_upto bigint) returns integer
  language plpgsql set search_path = '' set lock_timeout = '5s' as $$
declare
  name text;
  leaf text;
  next bigint;
  ends bigint;
  made integer := 0;
begin
  -- The chain's own lock: whoever appends makes room under it.
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
        execute format('alter table private.%I add constraint %I unique (market_kind, slot_s, sym, model, role, model_version)',
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
comment on function private.make_track_partitions(bigint) is 'So that records and scores up to that number have their place';
revoke all on function private.make_track_partitions(bigint) from public, anon, authenticated, service_role;
