-- The public record of the house's forecasts: a chain of texts that nobody changes or takes away, the owner of the database
-- included. domain/record/ledger/ledger.ts says what is in a text. Everything here is private: it is read through the server.
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
  hash          bytea not null unique check (hash = sha256(convert_to(body, 'UTF8'))),
  -- One forecast a slot, whoever issues it and however often.
  unique (market_kind, slot_s, sym, model, role, model_version)
);
comment on table private.track_records is 'House forecasts, chained by hash; rows are added and never changed';
comment on column private.track_records.slot_s is 'Epoch seconds of market time; the columns before body repeat what it says';
comment on column private.track_records.issued_ms is 'Epoch milliseconds by our clock';
comment on column private.track_records.body is 'The exact text that is hashed';
create index track_records_slot_idx on private.track_records (market_kind, slot_s);
create index track_records_market_idx on private.track_records (market_kind, seq);

-- Whole forecasts, found by the hash that their record names. Kept for 90 days.
create table private.track_documents (
  hash       bytea primary key check (hash = sha256(convert_to(body, 'UTF8'))),
  slot_s     bigint not null,
  body       text not null check (octet_length(body) <= 65536),
  stored_at  timestamptz not null default now()
);
comment on table private.track_documents is 'Every quantile and candle of a house forecast; its record keeps the hash';
create index track_documents_stored_idx on private.track_documents (stored_at);

-- What came of each record, once.
create table private.track_scores (
  seq         bigint primary key references private.track_records,
  state       text not null check (state in ('known', 'void')),
  void_reason text check (void_reason in ('candles-missing', 'venue-changed', 'market-closed', 'candles-gone')),
  score       jsonb,
  scored_at   timestamptz not null default now(),
  check ((state = 'void') = (void_reason is not null)),
  check ((state = 'known') = (score is not null))
);
comment on table private.track_scores is 'Outcome of each record; score as domain/record/scoring/record-score.ts';

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
  foreach name in array array['track_records', 'track_scores', 'track_hours', 'track_days', 'track_keys'] loop
    execute format('create trigger %I_only_grows before update or delete on private.%I for each row execute function private.refuse_change()', name, name);
    execute format('create trigger %I_is_kept before truncate on private.%I for each statement execute function private.refuse_change()', name, name);
  end loop;
  foreach name in array array['track_records', 'track_documents', 'track_scores', 'track_hours', 'track_days', 'track_keys'] loop
    execute format('alter table private.%I enable row level security', name);
    execute format('revoke all on private.%I from public, anon, authenticated, service_role', name);
  end loop;
end $$;

-- Epoch milliseconds: what is issued before then stands in an hour or a day whose root is known.
create function private.track_sealed_ms() returns bigint
  language sql stable as $$
  select greatest(
    (select (h.hour_s + 3600) * 1000 from private.track_hours h order by h.hour_s desc limit 1),
    (select extract(epoch from (d.day + 1)::timestamp)::bigint * 1000 from private.track_days d order by d.day desc limit 1))
$$;
comment on function private.track_sealed_ms() is 'End of the newest sealed hour or day; null before the first';

-- A record that is not the next one is refused, whoever brings it.
create function private.check_next_record() returns trigger
  language plpgsql as $$
declare
  last record;
  body jsonb := new.body::jsonb;
begin
  -- One writer at a time: a second leader waits here, and then finds that it is late.
  perform pg_advisory_xact_lock(7203114);
  -- The newest sealed hour or day as track_sealed_ms() says it; in this statement it costs a fifth.
  select r.seq, r.hash, greatest(r.issued_ms,
      (select (h.hour_s + 3600) * 1000 from private.track_hours h order by h.hour_s desc limit 1),
      (select extract(epoch from (d.day + 1)::timestamp)::bigint * 1000 from private.track_days d order by d.day desc limit 1)) as earliest_ms
    into last from private.track_records r order by r.seq desc limit 1;
  if new.seq <> coalesce(last.seq, 0) + 1
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
  return new;
end $$;
comment on function private.check_next_record() is 'Keeps the chain whole: place, hash before, time, and columns that say what the text says';
create trigger track_records_follow before insert on private.track_records
  for each row execute function private.check_next_record();

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

-- Sums by stretch of six hours: what the page's figures and their intervals are made of.
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

create table private.band_corrections (
  market_kind text not null,
  model       text not null,
  sym         text not null,
  factors     jsonb not null,
  last_seq    bigint not null,
  updated_at  timestamptz not null default now(),
  primary key (market_kind, model, sym)
);
comment on table private.band_corrections is 'Factors on the widths of bands by scored bar, and up to which record they have learnt';

do $$
declare
  name text;
begin
  foreach name in array array['track_blocks', 'track_summaries', 'band_corrections'] loop
    execute format('alter table private.%I enable row level security', name);
    execute format('revoke all on private.%I from public, anon, authenticated, service_role', name);
  end loop;
end $$;
