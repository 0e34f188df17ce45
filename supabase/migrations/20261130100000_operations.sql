-- Operations: errors of the pages in groups, what admins did, jobs, and what server processes agree on.

-- Errors that pages report. Nobody but the service reads the rows.
create table public.error_logs (
  id            bigint primary key generated always as identity,
  error_message text not null check (char_length(error_message) <= 2000),
  error_stack   text check (char_length(error_stack) <= 20000),
  context       jsonb check (octet_length(context::text) <= 20000),
  user_id       uuid references auth.users on delete set null,
  "timestamp"   timestamptz not null default now(),
  received_at   timestamptz not null default now(),
  fingerprint   text not null check (char_length(fingerprint) = 32)
);
comment on table public.error_logs is 'Errors caught by pages, visitors'' too';
comment on column public.error_logs.error_message is 'At most 2000 characters, redacted by the server';
comment on column public.error_logs.error_stack is 'At most 4096 bytes, redacted by the server';
comment on column public.error_logs.context is
  'Page, component and whatever helps to find the error; at most 8192 bytes, redacted by the server';
comment on column public.error_logs.user_id is 'Who reported it, by the token; null for visitors';
comment on column public.error_logs."timestamp" is 'When it was reported, by the product''s clock';
comment on column public.error_logs.received_at is 'When it arrived, by ours';
comment on column public.error_logs.fingerprint is 'The group of the error, written by the database; see private.error_fingerprint';
-- Counting and searching a group reads the index of times alone; one group's reports come from the other.
create index error_logs_groups_idx on public.error_logs (received_at desc) include (fingerprint, user_id);
create index error_logs_fingerprint_idx on public.error_logs (fingerprint, received_at desc, id desc);
create index error_logs_user_id_idx on public.error_logs (user_id) where user_id is not null;
alter table public.error_logs enable row level security;
revoke all on public.error_logs from public, anon, authenticated;
grant all on public.error_logs to service_role;
grant insert (error_message, error_stack, context, user_id, "timestamp") on public.error_logs to anon, authenticated;
create policy "visitors report errors without a name" on public.error_logs
  for insert to anon with check (user_id is null);
create policy "users report errors as themselves or without a name" on public.error_logs
  for insert to authenticated with check (user_id is null or user_id = (select auth.uid()));

-- What tells one error from another: the message without what differs from one report to the next (numbers, ids,
-- addresses), and the first line of the stack without its build's name and place.
create function private.error_fingerprint(p_message text, p_stack text) returns text
  language sql immutable set search_path = ''
as $$
  select pg_catalog.md5(
    pg_catalog.btrim(pg_catalog.regexp_replace(pg_catalog.regexp_replace(pg_catalog.regexp_replace(pg_catalog.regexp_replace(
      pg_catalog.lower(pg_catalog.left(p_message, 500)),
      'https?://[^\s"'')>]+', '<address>', 'g'),
      '\y(0x)?(?=[a-f-]*[0-9])[0-9a-f]{4,}(-[0-9a-f]{4,}){0,4}\y', '<id>', 'g'),
      '[0-9]+([.,:][0-9]+)*', '<n>', 'g'),
      '\s+', ' ', 'g'))
    || E'\n' ||
    coalesce(pg_catalog.regexp_replace(pg_catalog.regexp_replace(pg_catalog.regexp_replace(
      (pg_catalog.regexp_match(pg_catalog.left(p_stack, 8000), '(?n)^\s*(at\s+.+|\S*@\S+)$'))[1],
      'https?://[^/\s]+', '', 'g'),
      '-[\w-]{8}(\.[cm]?js)', '\1', 'g'),
      '([:?][0-9]+)+\)?$', '')
    , ''))
$$;
comment on function private.error_fingerprint(text, text) is 'The group of an error: equal for reports of one fault, whoever reports it and from whichever build';
revoke all on function private.error_fingerprint(text, text) from public, anon, authenticated, service_role;

-- Definer: reporters have no right to the schema private. The server redacts and cuts reports before they arrive
-- (domain/errors/error-report.ts). Here that took 40 ms a row, and the embedded database does one thing at a time. The
-- database refuses reports that are too large by the lengths that values carry, without reading them.
create function private.stamp_error_log() returns trigger
  language plpgsql security definer set search_path = ''
as $$
begin
  if octet_length(new.error_message) > 4096 or octet_length(new.error_stack) > 4096
     or pg_column_size(new.context) > 8192 then
    raise exception 'an error report holds at most 4096 bytes a text and 8192 of context' using errcode = '23514';
  end if;
  new."timestamp" := private.clock_now();
  new.user_id := auth.uid();
  -- The first frame is near the beginning of a stack.
  new.fingerprint := private.error_fingerprint(new.error_message, left(new.error_stack, 2000));
  return new;
end;
$$;
revoke all on function private.stamp_error_log() from public, anon, authenticated;
create trigger stamp_error_log before insert on public.error_logs
  for each row execute function private.stamp_error_log();

-- Literal text for ilike: a search for 50% finds 50%.
create function private.like_literal(p_text text) returns text
  language sql immutable set search_path = ''
as $$ select pg_catalog.regexp_replace(p_text, '([\\%_])', '\\\1', 'g') $$;
comment on function private.like_literal(text) is 'With %, _ and \ escaped';
revoke all on function private.like_literal(text) from public, anon, authenticated, service_role;

-- Reads only the newest reports, so that a storm of errors cannot slow down the page that shows it.
create function public.admin_error_groups(p_search text default null, p_hours integer default 24)
  returns table (
    fingerprint text, message text, count bigint, users bigint, first_at timestamptz, last_at timestamptz,
    page text, component text, is_partial boolean)
  language plpgsql stable security definer set search_path = ''
as $$
#variable_conflict use_column
declare
  v_most constant integer := 10000;
  v_since timestamptz := now() - make_interval(hours => greatest(1, least(coalesce(p_hours, 24), 24 * 90)));
  v_search text := nullif(btrim(left(p_search, 200)), '');
  v_pattern text := '%' || private.like_literal(v_search) || '%';
begin
  perform private.require_admin();
  return query
    with recent as materialized (
      select l.fingerprint, l.user_id, l.received_at
        from public.error_logs l where v_search is null and l.received_at >= v_since
       order by l.received_at desc limit v_most),
    -- What is searched is read row by row: fewer of them.
    searched as materialized (
      select l.fingerprint, l.user_id, l.received_at, l.error_message, l.error_stack, l.context
        from public.error_logs l where v_search is not null and l.received_at >= v_since
       order by l.received_at desc limit v_most / 4),
    found as (
      select r.fingerprint, r.user_id, r.received_at from recent r
      union all
      select s.fingerprint, s.user_id, s.received_at from searched s
       where s.error_message ilike v_pattern or s.error_stack ilike v_pattern or s.context::text ilike v_pattern
          or s.fingerprint = v_search or s.user_id::text = lower(v_search)),
    grouped as (
      select f.fingerprint, count(*) as reports, count(distinct f.user_id) as users,
             min(f.received_at) as first_at, max(f.received_at) as last_at
        from found f group by f.fingerprint
       order by max(f.received_at) desc limit 100)
    select g.fingerprint, newest.error_message, g.reports, g.users, g.first_at, g.last_at,
           left(coalesce(newest.context ->> 'path', newest.context ->> 'page'), 300),
           left(coalesce(newest.context ->> 'component', newest.context ->> 'where', newest.context ->> 'query'), 300),
           (select count(*) from recent) = v_most or (select count(*) from searched) = v_most / 4
      from grouped g
      cross join lateral (
        select l.error_message, l.context from public.error_logs l
         where l.fingerprint = g.fingerprint order by l.received_at desc, l.id desc limit 1) newest
     order by g.last_at desc, g.fingerprint;
end;
$$;
comment on function public.admin_error_groups(text, integer) is
  'Errors of the last hours (90 days at most) in groups, the latest first: of the newest 10,000 reports, 2,500 when something is searched; is_partial where there were more. Limit: 1000 ms';
revoke all on function public.admin_error_groups(text, integer) from public, anon, authenticated, service_role;
grant execute on function public.admin_error_groups(text, integer) to authenticated;

create function public.admin_errors(p_fingerprint text)
  returns table (
    id bigint, received_at timestamptz, message text, stack text, page text, component text, context jsonb, user_id uuid)
  language plpgsql stable security definer set search_path = ''
as $$
#variable_conflict use_column
begin
  perform private.require_admin();
  return query
    select l.id, l.received_at, l.error_message, l.error_stack,
           left(coalesce(l.context ->> 'path', l.context ->> 'page'), 300),
           left(coalesce(l.context ->> 'component', l.context ->> 'where', l.context ->> 'query'), 300),
           l.context, l.user_id
      from public.error_logs l
     where l.fingerprint = p_fingerprint
     order by l.received_at desc, l.id desc limit 20;
end;
$$;
comment on function public.admin_errors(text) is 'The newest 20 reports of one group';
revoke all on function public.admin_errors(text) from public, anon, authenticated, service_role;
grant execute on function public.admin_errors(text) to authenticated;

create function public.admin_audit_log()
  returns table (id bigint, at timestamptz, actor_id uuid, actor_email text, action text, subject text, details jsonb)
  language plpgsql stable security definer set search_path = ''
as $$
#variable_conflict use_column
begin
  perform private.require_admin();
  return query
    select a.id, a.at, a.actor_id, u.email::text, a.action, a.subject, a.details
      from (select * from private.audit_log l order by l.at desc, l.id desc limit 100) a
      left join auth.users u on u.id = a.actor_id
     order by a.at desc, a.id desc;
end;
$$;
comment on function public.admin_audit_log() is 'The newest 100 things that admins did; no address where the operator or the product itself did them';
revoke all on function public.admin_audit_log() from public, anon, authenticated, service_role;
grant execute on function public.admin_audit_log() to authenticated;

-- Scheduled jobs, of which one server process runs each at a time.
create table private.jobs (
  name         text primary key check (name ~ '^[a-z0-9:-]{1,60}$'),
  holder       uuid,
  lease_ends_at timestamptz,
  next_due_at  timestamptz not null,
  last_ok_at   timestamptz,
  last_error   text check (char_length(last_error) <= 200),
  runs         bigint not null default 0 check (runs >= 0),
  failures     integer not null default 0 check (failures >= 0),
  ended_at     timestamptz,
  check ((holder is null) = (lease_ends_at is null))
);
comment on table private.jobs is 'Who runs which job, and when it is due again; read and written by the server alone';
comment on column private.jobs.holder is 'The run that has the job, null while nobody has';
comment on column private.jobs.lease_ends_at is 'From then on another process may take it: the holder was killed. By the database''s own clock';
comment on column private.jobs.next_due_at is 'By the database''s own clock, which all processes share';
comment on column private.jobs.last_error is 'Code or name of the last failure, never its text; null since a run went well';
comment on column private.jobs.runs is 'Runs that ended, well or not';
comment on column private.jobs.failures is 'Failures in a row';
-- A time in the future shows that the clock was set back, and that the job need not wait until it has caught up.
comment on column private.jobs.ended_at is 'End of the last run, well or not; by the database''s own clock. Null until one has ended';
alter table private.jobs enable row level security;
revoke all on private.jobs from public, anon, authenticated, service_role;

-- What several server processes must agree on: which one leads, how often a key did what is limited, and how many streams a
-- user has open. The last two are written at every call and may be lost in a crash, so they are unlogged.
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

-- Tries the places of a user's streams one after the other, in one call whose plan is cached: planning a statement for it
-- cost as much as running it.
create function private.take_stream_place(p_user uuid, p_holder uuid, p_places integer, p_lasts_s double precision)
  returns boolean language plpgsql volatile security definer set search_path = ''
as $$
begin
  for v_place in 1 .. p_places loop
    insert into private.open_streams as s (user_id, place, holder, ends_at)
    values (p_user, v_place, p_holder, now() + make_interval(secs => p_lasts_s))
    on conflict (user_id, place) do update set holder = excluded.holder, ends_at = excluded.ends_at
     where s.ends_at <= now();
    if found then
      return true;
    end if;
  end loop;
  return false;
end;
$$;
comment on function private.take_stream_place(uuid, uuid, integer, double precision) is
  'Takes the first place that is free or has run out; false when all are taken';
revoke all on function private.take_stream_place(uuid, uuid, integer, double precision)
  from public, anon, authenticated, service_role;
