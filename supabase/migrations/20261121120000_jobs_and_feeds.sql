-- Scheduled jobs, of which one server process runs each at a time; what the reference feeds last said; and how often
-- each was asked this month.
create table private.jobs (
  name         text primary key check (name ~ '^[a-z0-9:-]{1,60}$'),
  holder       uuid,
  lease_ends_at timestamptz,
  next_due_at  timestamptz not null,
  last_ok_at   timestamptz,
  last_error   text check (char_length(last_error) <= 200),
  runs         bigint not null default 0 check (runs >= 0),
  failures     integer not null default 0 check (failures >= 0),
  check ((holder is null) = (lease_ends_at is null))
);
comment on table private.jobs is 'Who runs which job, and when it is due again; read and written by the server alone';
comment on column private.jobs.holder is 'The run that has the job, null while nobody has';
comment on column private.jobs.lease_ends_at is 'From then on another process may take it: the holder was killed. By the database''s own clock';
comment on column private.jobs.next_due_at is 'By the database''s own clock, which all processes share';
comment on column private.jobs.last_error is 'Code or name of the last failure, never its text; null since a run went well';
comment on column private.jobs.runs is 'Runs that ended, well or not';
comment on column private.jobs.failures is 'Failures in a row';
alter table private.jobs enable row level security;
revoke all on private.jobs from public, anon, authenticated, service_role;

create table private.feed_values (
  feed        text not null check (feed ~ '^[a-z-]{1,60}$'),
  market_kind text not null check (market_kind in ('live', 'simulated')),
  body        jsonb not null check (octet_length(body::text) <= 1048576),
  attribution text not null check (char_length(attribution) between 1 and 100),
  fetched_at  timestamptz not null,
  primary key (feed, market_kind)
);
comment on table private.feed_values is 'The last good answer of each reference feed; read and written by the server alone';
comment on column private.feed_values.body is 'In the shape our own address answers with';
comment on column private.feed_values.attribution is 'Whose figures these are, as the screen names it';
comment on column private.feed_values.fetched_at is 'When the source was asked';
alter table private.feed_values enable row level security;
revoke all on private.feed_values from public, anon, authenticated, service_role;

create table private.feed_calls (
  feed  text not null check (feed ~ '^[a-z-]{1,60}$'),
  month date not null check (extract(day from month) = 1),
  calls integer not null check (calls >= 0),
  primary key (feed, month)
);
comment on table private.feed_calls is 'Calls made of a source that allows so many a month; counted before each call, so that no restart forgets one';
comment on column private.feed_calls.month is 'Its first day, UTC';
alter table private.feed_calls enable row level security;
revoke all on private.feed_calls from public, anon, authenticated, service_role;
