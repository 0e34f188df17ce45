-- The public record of the house's forecasts: a chain of texts that nobody changes or deletes, the owner of the database
-- included. domain/record/ledger/ledger.ts describes the texts. Everything here is private: it is read through the server.
-- Records and scores have a partition per million of numbers, each with triggers of its own that let nothing go.
-- docs/decisions/044-partitions-and-retention.md
create table private.track_records (
  seq           bigint primary key check (seq >= 1),
  slot_s        bigint not null check (slot_s % 300 = 0),
  sym           text not null check (char_length(sym) <= 40),
  model         text not null check (model in ('bobcat', 'panther', 'lion')),
  model_version text not null check (char_length(model_version) <= 40),
  role          text not null check (role in ('serving', 'shadow')),
  market_kind   text not null check (market_kind in ('live', 'replayed', 'simulated')),
  issued_ms     bigint not null,
  body          text not null check (octet_length(body) <= 1024),
  hash          bytea not null check (hash = sha256(convert_to(body, 'UTF8')))
) partition by range (seq);
comment on table private.track_records is
  'House forecasts, chained by hash, a partition for each million of numbers; rows are added and never changed';
comment on column private.track_records.slot_s is 'Epoch seconds of market time; the columns before body repeat what it says';
comment on column private.track_records.issued_ms is 'Epoch milliseconds by our clock';
comment on column private.track_records.body is 'The exact text that is hashed';
create index track_records_market_idx on private.track_records (market_kind, seq);
-- Records of one model and symbol after a place in the chain.
create index track_records_lessons_idx on private.track_records (market_kind, sym, model, model_version, seq)
  where role = 'serving';

-- Outcome of each record, once.
create table private.track_scores (
  seq         bigint primary key references private.track_records,
  state       text not null check (state in ('known', 'void')),
  void_reason text check (void_reason in ('candles-missing', 'venue-changed', 'market-closed', 'candles-gone')),
  score       jsonb,
  scored_at   timestamptz not null default now(),
  check ((state = 'void') = (void_reason is not null)),
  check ((state = 'known') = (score is not null))
) partition by range (seq);
comment on table private.track_scores is
  'Outcome of each record, in partitions like theirs; score as domain/record/scoring/record-score.ts';

-- The first partitions; make_track_partitions continues after them.
create table private.track_records_m0
  (like private.track_records including defaults including constraints including comments);
alter table private.track_records_m0
  add primary key (seq),
  -- One forecast a slot, whoever issues it and however often; check_next_record compares over all partitions.
  add constraint track_records_m0_slot_key unique (market_kind, slot_s, sym, model, role, model_version);
create index track_records_m0_market_idx on private.track_records_m0 (market_kind, seq);
create index track_records_m0_lessons_idx on private.track_records_m0 (market_kind, sym, model, model_version, seq)
  where role = 'serving';
create table private.track_scores_m0
  (like private.track_scores including defaults including constraints including comments);
alter table private.track_scores_m0 add primary key (seq);
alter table private.track_records attach partition private.track_records_m0 for values from (minvalue) to (1000000);
alter table private.track_scores attach partition private.track_scores_m0 for values from (minvalue) to (1000000);
comment on table private.track_records_m0 is 'The first numbers; see the whole';
comment on table private.track_scores_m0 is 'The first numbers; see the whole';

-- Whole forecasts, found by the hash that their record names. Kept for 90 days.
create table private.track_documents (
  hash       bytea primary key check (hash = sha256(convert_to(body, 'UTF8'))),
  slot_s     bigint not null,
  body       text not null check (octet_length(body) <= 65536),
  stored_at  timestamptz not null default now()
);
comment on table private.track_documents is 'Every quantile and candle of a house forecast; its record keeps the hash';
create index track_documents_stored_idx on private.track_documents (stored_at);

-- Public halves alone; the private ones are in a file beside the keys of sessions.
create table private.track_keys (
  key_id       text primary key check (key_id = left(encode(sha256(public_key), 'hex'), 16)),
  public_key   bytea not null check (octet_length(public_key) = 32),
  created_at   timestamptz not null,
  announced_by text unique references private.track_keys,
  announcement text check (octet_length(announcement) <= 1024),
  signature    bytea check (octet_length(signature) = 64),
  check ((announced_by is null) = (announcement is null)),
  check (announcement is not null or signature is null)
);
comment on table private.track_keys is 'Ed25519 keys that sign days; each but the first names the one before, which has signed that unless it was lost';
-- One key is the first, and each has one successor.
create unique index track_keys_first_idx on private.track_keys ((announced_by is null)) where announced_by is null;

-- Hourly roots and signed days.
create table private.track_hours (
  hour_s    bigint primary key check (hour_s % 3600 = 0),
  first_seq bigint not null,
  count     integer not null check (count >= 1),
  root      bytea not null check (octet_length(root) = 32),
  sealed_at timestamptz not null default now()
);
comment on table private.track_hours is 'Merkle root over the records issued within an hour, by issued_ms';
create table private.track_days (
  day          date primary key,
  statement    text not null check (octet_length(statement) <= 16384),
  signature    bytea not null check (octet_length(signature) = 64),
  key_id       text not null references private.track_keys,
  published_at timestamptz not null default now()
);
comment on table private.track_days is 'One signed statement a UTC day, naming the day before';

-- Forecasts that the record should have and lacks, with the reason as the server saw it. A gap without a row here means that
-- no server ran: it follows from the trading hours alone (domain/record/ledger/house-slots.ts).
create table private.track_misses (
  market_kind text not null check (market_kind in ('live', 'replayed', 'simulated')),
  slot_s      bigint not null check (slot_s % 300 = 0),
  sym         text not null check (char_length(sym) <= 40),
  model       text not null check (model in ('bobcat', 'panther', 'lion')),
  role        text not null check (role in ('serving', 'shadow')),
  reason      text not null check (char_length(reason) <= 40),
  noted_at    timestamptz not null default now(),
  primary key (market_kind, slot_s, sym, model, role)
);
comment on table private.track_misses is 'House forecasts that were due and are not in the record; rows are added and never changed';
comment on column private.track_misses.slot_s is 'Epoch seconds of market time';
comment on column private.track_misses.reason is 'As in server/record/house/house-slot.ts';

-- Records without a score, and when each is checked next: a short list beside a table that only grows.
create table private.track_waiting (
  seq         bigint primary key references private.track_records,
  sym         text not null,
  market_kind text not null,
  issued_ms   bigint not null,
  next_try_s  bigint not null
);
comment on table private.track_waiting is 'Records without a score; one leaves in the statement that writes its score';
comment on column private.track_waiting.next_try_s is 'Epoch seconds of market time; at first when the last of its 50 minutes has closed';
comment on column private.track_waiting.issued_ms is 'Epoch milliseconds by our clock: how long it has waited, whatever the market''s clock did';
create index track_waiting_due_idx on private.track_waiting (sym, market_kind, next_try_s);
create index track_waiting_issued_idx on private.track_waiting (issued_ms);

-- Sums over six hours each, from which the page computes its figures and their intervals.
create table private.track_blocks (
  market_kind   text not null,
  block_s       bigint not null check (block_s % 21600 = 0),
  sym           text not null,
  model         text not null,
  model_version text not null,
  role          text not null,
  first_slot_s  bigint not null,
  last_slot_s   bigint not null,
  first_ms      bigint not null,
  last_ms       bigint not null,
  last_seq      bigint not null,
  issued        integer not null,
  waiting       integer not null,
  sums          jsonb not null,
  extremes      jsonb not null,
  updated_at    timestamptz not null default now(),
  primary key (market_kind, block_s, sym, model, model_version, role)
);
create index track_blocks_seq_idx on private.track_blocks (last_seq);
create index track_blocks_waiting_idx on private.track_blocks (market_kind, block_s) where waiting > 0;
comment on column private.track_blocks.last_seq is 'Every record up to the highest of these is in some block';
comment on column private.track_blocks.waiting is 'Records whose outcome is not known yet: such a block is made again when more is';
comment on column private.track_blocks.sums is 'Whole numbers in the order of domain/record/figures/block-sums.ts';
comment on column private.track_blocks.extremes is 'Records whose drawn path was best and worst at bar 50: [seq, loss in millionths of ln]';
comment on table private.track_blocks is 'Sums of scores by slot in stretches of six hours; can be made again from the scores at any time';

create table private.track_summaries (
  market_kind text not null,
  period      text not null check (period in ('7d', '30d', '90d', '365d')),
  summary     jsonb not null,
  computed_at timestamptz not null default now(),
  primary key (market_kind, period)
);
comment on table private.track_summaries is 'What the page shows, made every few minutes';

-- What the bands have learnt, by version of the model: a version that serves for the first time begins at 1, one that serves
-- again continues where it was. domain/record/bands/adaptive-bands.ts
create table private.band_corrections (
  market_kind   text not null,
  model         text not null,
  sym           text not null,
  last_seq      bigint not null,
  updated_at    timestamptz not null default now(),
  model_version text not null check (char_length(model_version) <= 40),
  state         jsonb not null,
  primary key (market_kind, model, sym, model_version)
);
comment on table private.band_corrections is 'Factors on the widths of bands, and up to which record they have learnt';
comment on column private.band_corrections.state is 'BandState of domain/record/bands/adaptive-bands.ts';
comment on column private.band_corrections.last_seq is 'As in state; written only by whoever has read the one before';

create function private.refuse_change() returns trigger
  language plpgsql as $$
begin
  raise exception 'The track record is never changed.' using errcode = '42501';
end $$;
comment on function private.refuse_change() is 'For tables that only grow';

do $$
declare
  name text;
begin
  foreach name in array array['track_records', 'track_records_m0', 'track_scores', 'track_scores_m0', 'track_documents',
      'track_keys', 'track_hours', 'track_days', 'track_misses', 'track_waiting', 'track_blocks', 'track_summaries',
      'band_corrections'] loop
    execute format('alter table private.%I enable row level security', name);
    execute format('revoke all on private.%I from public, anon, authenticated, service_role', name);
  end loop;
  -- The row triggers hold in every partition, later ones included. A truncation is refused by each table's own trigger, which
  -- make_track_partitions adds too.
  foreach name in array array['track_records', 'track_scores', 'track_hours', 'track_days', 'track_keys', 'track_misses'] loop
    execute format('create trigger %I_only_grows before update or delete on private.%I for each row execute function private.refuse_change()', name, name);
    execute format('create trigger %I_is_kept before truncate on private.%I for each statement execute function private.refuse_change()', name, name);
  end loop;
  foreach name in array array['track_records', 'track_scores'] loop
    execute format('create trigger %I_m0_is_kept before truncate on private.%I for each statement execute function private.refuse_change()', name, name || '_m0');
  end loop;
end $$;

-- Epoch milliseconds: anything issued before then belongs to an hour or a day whose root is known.
create function private.track_sealed_ms() returns bigint
  language sql stable as $$
  select greatest(
    (select (h.hour_s + 3600) * 1000 from private.track_hours h order by h.hour_s desc limit 1),
    (select extract(epoch from (d.day + 1)::timestamp)::bigint * 1000 from private.track_days d order by d.day desc limit 1))
$$;
comment on function private.track_sealed_ms() is 'End of the newest sealed hour or day; null before the first';

-- Refuses a record that is not the next one, and a second forecast of one slot over all partitions.
create function private.check_next_record() returns trigger
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
comment on function private.check_next_record() is 'Keeps the chain whole: place, hash before, time, and columns that say what the text says';
create trigger track_records_follow before insert on private.track_records
  for each row execute function private.check_next_record();

create function private.await_track_score() returns trigger
  language plpgsql as $$
begin
  -- 50 minutes from the slot on.
  insert into private.track_waiting (seq, sym, market_kind, issued_ms, next_try_s)
  values (new.seq, new.sym, new.market_kind, new.issued_ms, new.slot_s + 3000);
  return null;
end $$;
comment on function private.await_track_score() is 'A record waits for its score from the moment it is written';
revoke all on function private.await_track_score() from public, anon, authenticated, service_role;
create trigger track_records_wait after insert on private.track_records
  for each row execute function private.await_track_score();

-- Hours and days follow each other too, and hold what they say.
create function private.check_next_hour() returns trigger
  language plpgsql as $$
declare
  last record;
  found record;
begin
  perform pg_advisory_xact_lock(7203114);
  select h.hour_s, h.first_seq + h.count as next_seq into last from private.track_hours h order by h.hour_s desc limit 1;
  if new.hour_s <= last.hour_s or new.first_seq <> coalesce(last.next_seq, 1) then
    raise exception 'An hour must follow the last one.' using errcode = '40001';
  end if;
  select count(*) as count, min(r.issued_ms) as first_ms, max(r.issued_ms) as last_ms into found
    from private.track_records r where r.seq >= new.first_seq and r.seq < new.first_seq + new.count;
  if found.count <> new.count or found.first_ms < new.hour_s * 1000 or found.last_ms >= (new.hour_s + 3600) * 1000 then
    raise exception 'An hour holds the records that were issued in it.' using errcode = '22023';
  end if;
  return new;
end $$;
comment on function private.check_next_hour() is 'Hours are sealed in order, without a record between them';
create trigger track_hours_follow before insert on private.track_hours
  for each row execute function private.check_next_hour();

create function private.check_next_day() returns trigger
  language plpgsql as $$
declare
  last record;
  statement jsonb := new.statement::jsonb;
begin
  perform pg_advisory_xact_lock(7203114);
  select d.day, d.statement into last from private.track_days d order by d.day desc limit 1;
  if new.day <= last.day
     or (statement ->> 'previous') is distinct from
        coalesce(encode(sha256(convert_to(last.statement, 'UTF8')), 'hex'), repeat('0', 64)) then
    raise exception 'A day must follow the last one.' using errcode = '40001';
  end if;
  if (statement ->> 'day', statement ->> 'key') is distinct from (new.day::text, new.key_id) then
    raise exception 'A day and its statement differ.' using errcode = '22023';
  end if;
  return new;
end $$;
comment on function private.check_next_day() is 'Days are signed in order, each naming the one before';
create trigger track_days_follow before insert on private.track_days
  for each row execute function private.check_next_day();

do $$
declare
  name text;
begin
  -- Triggers run them; nobody calls them.
  foreach name in array array['refuse_change()', 'check_next_record()', 'check_next_hour()', 'check_next_day()', 'track_sealed_ms()'] loop
    execute format('revoke all on function private.%s from public, anon, authenticated', name);
  end loop;
end $$;

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

-- Called for each slot. In PL/pgSQL, whose plan is cached, the number of partitions does not change its cost.
create function private.track_head(p_keys jsonb)
  returns table (seq bigint, hash text, earliest_ms bigint, known jsonb)
  language plpgsql stable set search_path = '' as $$
#variable_conflict use_column
begin
  return query
    select coalesce(r.seq, 0), encode(r.hash, 'hex'), greatest(r.issued_ms, private.track_sealed_ms()),
           coalesce((select jsonb_agg(g.place)
                       from jsonb_to_recordset(p_keys) as g
                         (place int, market text, slot bigint, sym text, model text, role text, version text)
                       join private.track_records k
                         on (k.market_kind, k.slot_s, k.sym, k.model, k.role, k.model_version)
                          = (g.market, g.slot, g.sym, g.model, g.role, g.version)), '[]')
      from (select) as always
      left join lateral (select t.seq, t.hash, t.issued_ms from private.track_records t order by t.seq desc limit 1) r on true;
end $$;
comment on function private.track_head(jsonb) is
  'The newest record, epoch milliseconds before which nothing is issued any more, and which of the given forecasts are there, by their place';
revoke all on function private.track_head(jsonb) from public, anon, authenticated, service_role;
