-- The public record of the house's forecasts: a chain of texts that nobody changes or takes away, the owner of the database
-- included. domain/record/ledger.ts says what is in a text. Everything here is private: it is read through the server.
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

-- Whole forecasts, found by the hash that their record names. Kept for 90 days.
create table private.track_documents (
  hash       bytea primary key check (hash = sha256(convert_to(body, 'UTF8'))),
  slot_s     bigint not null,
  body       text not null check (octet_length(body) <= 65536)
);
comment on table private.track_documents is 'Every quantile and candle of a house forecast; its record keeps the hash';
create index track_documents_slot_idx on private.track_documents (slot_s);

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
comment on table private.track_scores is 'Outcome of each record; score as domain/record/record-score.ts';

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
  key_id       text not null check (key_id ~ '^[0-9a-f]{16}$'),
  published_at timestamptz not null default now()
);
comment on table private.track_days is 'One signed statement a UTC day, naming the day before';

-- Public halves alone; the private ones are in a file beside the keys of sessions.
create table private.track_keys (
  key_id      text primary key check (key_id ~ '^[0-9a-f]{16}$'),
  public_key  bytea not null check (octet_length(public_key) = 32),
  created_at  timestamptz not null,
  -- Signed by the key before it; null for the first.
  announced_by text,
  announcement text,
  signature   bytea
);
comment on table private.track_keys is 'Ed25519 keys that have signed days, with how each was announced by the one before';

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

-- A record that is not the next one is refused, whoever brings it.
create function private.check_next_record() returns trigger
  language plpgsql as $$
declare
  last record;
  body json := new.body::json;
begin
  -- One writer at a time: a second leader waits here, and then finds that it is late.
  perform pg_advisory_xact_lock(7203114);
  select r.seq, r.hash, r.issued_ms into last from private.track_records r order by r.seq desc limit 1;
  if new.seq <> coalesce(last.seq, 0) + 1
     or (body ->> 'prev') <> coalesce(encode(last.hash, 'hex'), repeat('0', 64)) then
    raise exception 'A record must follow the last one.' using errcode = '40001';
  end if;
  if new.issued_ms < coalesce(last.issued_ms, new.issued_ms) then
    raise exception 'A record is not older than the last one.' using errcode = '22023';
  end if;
  if (body ->> 'seq')::bigint <> new.seq or (body ->> 'slot')::bigint <> new.slot_s or (body ->> 'sym') <> new.sym
     or (body ->> 'model') <> new.model or (body ->> 'version') <> new.model_version or (body ->> 'role') <> new.role
     or (body ->> 'market') <> new.market_kind or (body ->> 'issued')::bigint <> new.issued_ms then
    raise exception 'A record and its text differ.' using errcode = '22023';
  end if;
  return new;
end $$;
comment on function private.check_next_record() is 'Keeps the chain whole: place, hash before, time, and columns that say what the text says';
create trigger track_records_follow before insert on private.track_records
  for each row execute function private.check_next_record();

-- Sums by stretch of six hours: what the page's figures and their intervals are made of.
create table private.track_blocks (
  market_kind   text not null,
  block_s       bigint not null check (block_s % 21600 = 0),
  sym           text not null,
  model         text not null,
  model_version text not null,
  role          text not null,
  sums          jsonb not null,
  updated_at    timestamptz not null default now(),
  primary key (market_kind, block_s, sym, model, model_version, role)
);
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
