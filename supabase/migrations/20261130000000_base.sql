-- What every later file relies on: the schema that the API does not expose, the clock behind every rule about time, and
-- the two gates of the policies, which are the second factor and the admin.
create schema if not exists private;
comment on schema private is 'What the API does not expose';
revoke all on schema private from public, anon, authenticated;
grant usage on schema private to service_role;

-- Rules that nearly every request runs are in PL/pgSQL: up to version 17, PostgreSQL plans a function of plain SQL again at
-- every call, while it keeps the plan of these for the session.
create function private.clock_now() returns timestamptz
  language plpgsql stable set search_path = ''
as $$
begin
  return pg_catalog.now() + pg_catalog.make_interval(
    secs => coalesce(nullif(pg_catalog.current_setting('kat.clock_offset_s', true), '')::double precision, 0)
  );
end;
$$;
comment on function private.clock_now() is
  'The product''s time: the transaction''s start, moved by kat.clock_offset_s seconds, which only the test clock sets';
revoke all on function private.clock_now() from public, anon, authenticated;
-- Policies call it with the reader's rights. Without a right to the schema, nobody can call it by name.
grant execute on function private.clock_now() to anon, authenticated, service_role;

-- Definer: users have no right to the schema private, nor to read factors. It tells a caller about the caller alone.
create function private.has_shown_factors() returns boolean
  language plpgsql stable security definer set search_path = ''
as $$
declare
  v_claims jsonb := nullif(pg_catalog.current_setting('request.jwt.claims', true), '')::jsonb;
begin
  return coalesce(v_claims ->> 'aal' = 'aal2', false) or not exists (
    select from auth.mfa_factors f where f.user_id = (v_claims ->> 'sub')::uuid and f.status = 'verified');
end;
$$;
comment on function private.has_shown_factors() is
  'False for a caller whose account has a verified second factor that this token was not raised by. For policies';
revoke all on function private.has_shown_factors() from public, anon, authenticated, service_role;
grant execute on function private.has_shown_factors() to authenticated;

create function private.is_admin(p_user uuid) returns boolean
  language plpgsql stable security definer set search_path = ''
as $$
begin
  return exists (select from public.profiles p where p.id = p_user and p.role = 'admin');
end;
$$;
comment on function private.is_admin(uuid) is 'False for an unknown user and for null';
revoke all on function private.is_admin(uuid) from public, anon, authenticated;
grant execute on function private.is_admin(uuid) to service_role;

-- An admin with a second factor must have shown it.
create function private.caller_is_admin() returns boolean
  language plpgsql stable security definer set search_path = ''
as $$
begin
  return private.is_admin((select auth.uid())) and private.has_shown_factors();
end;
$$;
comment on function private.caller_is_admin() is 'True for a signed-in admin who has shown every factor. For policies';
revoke all on function private.caller_is_admin() from public, anon, authenticated, service_role;
grant execute on function private.caller_is_admin() to authenticated;

-- Returns true or raises, so that a query can call it in its where clause: as `(select private.require_admin())` it runs
-- once, before any row is read.
create function private.require_admin() returns boolean
  language plpgsql stable security definer set search_path = ''
as $$
begin
  if not private.caller_is_admin() then
    raise exception 'Not authorized.' using errcode = '42501', hint = 'admins only';
  end if;
  return true;
end;
$$;
comment on function private.require_admin() is 'True for an admin; for anybody else error 42501';
revoke all on function private.require_admin() from public, anon, authenticated, service_role;
grant execute on function private.require_admin() to authenticated;

create table private.audit_log (
  id       bigint primary key generated always as identity,
  at       timestamptz not null default now(),
  actor_id uuid,
  action   text not null check (action ~ '^[a-z_]+\.[a-z_]+$' and char_length(action) <= 60),
  subject  text check (char_length(subject) <= 300),
  details  jsonb not null default '{}' check (octet_length(details::text) <= 4000)
);
comment on table private.audit_log is 'What admins did: one row a write, never changed. Written by the functions and triggers that do it';
comment on column private.audit_log.actor_id is
  'The admin; null for the operator''s own commands. Without a foreign key: what was done stays when the account goes';
comment on column private.audit_log.action is 'Subject and verb: changelog.insert, role.grant, billing.verify ...';
comment on column private.audit_log.subject is 'Id of the row that it was done to';
comment on column private.audit_log.details is 'Ids, figures and codes; no contents, no secrets';
create index audit_log_at_idx on private.audit_log (at desc);
create index audit_log_actor_id_idx on private.audit_log (actor_id, at) where actor_id is not null;
alter table private.audit_log enable row level security;
revoke all on private.audit_log from public, anon, authenticated, service_role;

create function private.write_audit(p_action text, p_subject text, p_details jsonb default '{}', p_actor uuid default auth.uid())
  returns void
  language sql security definer set search_path = ''
as $$
  insert into private.audit_log (actor_id, action, subject, details) values (p_actor, p_action, p_subject, p_details)
$$;
comment on function private.write_audit(text, text, jsonb, uuid) is 'Notes what an admin did; the actor is the caller unless another is named';
revoke all on function private.write_audit(text, text, jsonb, uuid) from public, anon, authenticated, service_role;
