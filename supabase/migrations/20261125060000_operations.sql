-- Operations: errors of the pages in groups, what admins did, and how far a verification of all subscriptions has come.

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

alter table public.error_logs add column fingerprint text check (char_length(fingerprint) = 32);
comment on column public.error_logs.fingerprint is 'The group of the error, written by the database; see private.error_fingerprint';

create or replace function private.stamp_error_log() returns trigger
  language plpgsql security definer set search_path = ''
as $$
begin
  new."timestamp" := private.clock_now();
  new.user_id := auth.uid();
  new.error_message := private.redact(new.error_message, 2000);
  new.error_stack := private.redact(new.error_stack, 20000);
  if octet_length(new.context::text) <= 20000 then
    new.context := private.redact_json(new.context);
    if octet_length(new.context::text) > 20000 then
      new.context := '{"removed": "grew too long"}';
    end if;
  end if;
  new.fingerprint := private.error_fingerprint(new.error_message, new.error_stack);
  return new;
end;
$$;
update public.error_logs set fingerprint = private.error_fingerprint(error_message, error_stack);
alter table public.error_logs alter column fingerprint set not null;

-- Counting and searching a group reads the index of times alone; one group's reports come from the other.
create index error_logs_groups_idx on public.error_logs (received_at desc) include (fingerprint, user_id);
drop index public.error_logs_received_at_idx;
create index error_logs_fingerprint_idx on public.error_logs (fingerprint, received_at desc, id desc);

-- Literal text for ilike: a search for 50% finds 50%.
create function private.like_literal(p_text text) returns text
  language sql immutable set search_path = ''
as $$ select pg_catalog.regexp_replace(p_text, '([\\%_])', '\\\1', 'g') $$;
comment on function private.like_literal(text) is 'With %, _ and \ escaped';
revoke all on function private.like_literal(text) from public, anon, authenticated, service_role;

-- Of the newest reports alone, so that a storm of errors cannot make the page that shows it slow.
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

-- The operator's command says that it was the command.
create or replace function private.audit_role() returns trigger
  language plpgsql security definer set search_path = ''
as $$
begin
  perform private.write_audit(
    case when new.role = 'admin' then 'role.grant' else 'role.revoke' end, new.id::text,
    jsonb_strip_nulls(jsonb_build_object(
      'before', old.role, 'after', new.role, 'by', nullif(current_setting('kat.done_by', true), ''))));
  return null;
end;
$$;

-- A verification of all subscriptions that did not come to its end goes on with the customers whom it has not reached.
create table private.verified_customers (
  customer_id text primary key,
  verified_at timestamptz not null default now()
);
comment on table private.verified_customers is
  'Whom the verification under way has reached: empty again when all were. Read and written by the server alone';
comment on column private.verified_customers.customer_id is 'Without a foreign key: a customer may be replaced meanwhile';
alter table private.verified_customers enable row level security;
revoke all on private.verified_customers from public, anon, authenticated, service_role;

