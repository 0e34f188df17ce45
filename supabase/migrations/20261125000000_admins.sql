-- Admins: who may act as one now, and what they did. Everything that admins alone may do or read asks here.

-- In plpgsql, which keeps its plan: policies ask once a statement. An admin with a second factor must have shown it.
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

-- Returns true or raises, so that a query may ask it in its where clause: as `(select private.require_admin())` it runs once,
-- before any row is read.
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

-- Whoever becomes an admin, or is one no more, however it was done.
create function private.audit_role() returns trigger
  language plpgsql security definer set search_path = ''
as $$
begin
  perform private.write_audit(
    case when new.role = 'admin' then 'role.grant' else 'role.revoke' end, new.id::text,
    jsonb_build_object('before', old.role, 'after', new.role));
  return null;
end;
$$;
revoke all on function private.audit_role() from public, anon, authenticated, service_role;
create trigger audit_role after update of role on public.profiles
  for each row when (new.role is distinct from old.role) execute function private.audit_role();
