-- What server processes beside each other must agree on: who leads, how often somebody tried, and how many streams a
-- user has open. The last two may be lost with a crash, and are written for every call: they leave no log.
create table private.leaders (
  name          text primary key check (name ~ '^[a-z0-9:-]{1,60}$'),
  holder        uuid not null,
  term          bigint not null check (term > 0),
  lease_ends_at timestamptz not null
);
comment on table private.leaders is 'Which server process reads an upstream for all; read and written by the server alone';
comment on column private.leaders.holder is 'One process, by a uuid that it makes at its start';
comment on column private.leaders.term is 'Rises whenever another process takes over: what an earlier leader still says is known by it';
comment on column private.leaders.lease_ends_at is 'From then on another process may lead. By the database''s own clock';
alter table private.leaders enable row level security;
revoke all on private.leaders from public, anon, authenticated, service_role;

create unlogged table private.rate_counts (
  limit_name text not null check (limit_name ~ '^[A-Za-z0-9:-]{1,60}$'),
  key        bytea not null check (octet_length(key) = 16),
  points     integer not null check (points >= 0),
  ends_at    timestamptz not null,
  primary key (limit_name, key)
);
comment on table private.rate_counts is 'How often a key did what is limited, over all server processes; read and written by the server alone';
comment on column private.rate_counts.key is 'Of an address or an account, hashed with a secret of the site: nobody is found by it';
comment on column private.rate_counts.ends_at is 'When the key starts afresh. By the database''s own clock';
create index rate_counts_ends_at on private.rate_counts (ends_at);
alter table private.rate_counts enable row level security;
revoke all on private.rate_counts from public, anon, authenticated, service_role;

create unlogged table private.open_streams (
  user_id uuid not null,
  place   smallint not null check (place > 0),
  holder  uuid not null,
  ends_at timestamptz not null,
  primary key (user_id, place)
);
comment on table private.open_streams is 'The places that a user''s forecast streams take, in whichever server process; read and written by the server alone';
comment on column private.open_streams.holder is 'One stream, by a uuid that its process makes';
comment on column private.open_streams.ends_at is 'The stream of a killed process frees its place then. By the database''s own clock';
alter table private.open_streams enable row level security;
revoke all on private.open_streams from public, anon, authenticated, service_role;
