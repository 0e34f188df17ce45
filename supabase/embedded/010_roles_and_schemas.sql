-- Roles and schemas that a hosted project brings along. Applied first, on the embedded backend alone.
-- Roles belong to the whole server, so another database may have made them already, even at this moment.
do $$
declare
  wanted record;
  -- From 16 on a membership alone does not let a login take the role.
  membership text := case when current_setting('server_version_num')::int >= 160000 then 'set' else 'member' end;
begin
  for wanted in
    select * from (values
      ('anon', 'nologin noinherit'),
      ('authenticated', 'nologin noinherit'),
      ('service_role', 'nologin noinherit bypassrls')
    ) as r (name, options)
  loop
    if not exists (select from pg_catalog.pg_roles where rolname = wanted.name) then
      begin
        execute format('create role %I %s', wanted.name, wanted.options);
      exception when duplicate_object or unique_violation then
        null; -- Made by another database's first start between the check and here: that is what was wanted.
      end;
    end if;
    -- A login that is no superuser may take a role only when it was granted.
    if not pg_catalog.pg_has_role(current_user, wanted.name, membership) then
      execute format('grant %I to %I', wanted.name, current_user);
    end if;
  end loop;
  if not (select rolbypassrls from pg_catalog.pg_roles where rolname = 'service_role') then
    raise exception 'The role service_role must have BYPASSRLS. Ask a superuser: alter role service_role bypassrls';
  end if;
end
$$;

create schema if not exists auth;
create schema if not exists private;
comment on schema auth is 'Accounts and sessions, column for column as on a hosted project. Written by the auth service alone.';
comment on schema private is 'What the API does not expose.';

revoke create on schema public from public;
grant usage on schema public to anon, authenticated, service_role;
grant usage on schema auth to anon, authenticated, service_role;
grant usage on schema private to service_role;

-- The service role may do everything in public. Everyone else gets what a migration grants by name.
alter default privileges in schema public grant all on tables to service_role;
alter default privileges in schema public grant all on sequences to service_role;
alter default privileges revoke execute on functions from public;
alter default privileges in schema public grant execute on functions to service_role;

-- Who asks: the verified token's claims, set for one transaction by the server.
create function auth.jwt() returns jsonb
  language sql stable set search_path = ''
  as $$ select nullif(pg_catalog.current_setting('request.jwt.claims', true), '')::jsonb $$;
create function auth.uid() returns uuid
  language sql stable set search_path = ''
  as $$ select (nullif(pg_catalog.current_setting('request.jwt.claims', true), '')::jsonb ->> 'sub')::uuid $$;
create function auth.role() returns text
  language sql stable set search_path = ''
  as $$ select nullif(pg_catalog.current_setting('request.jwt.claims', true), '')::jsonb ->> 'role' $$;
comment on function auth.jwt() is 'Claims of the caller''s access token; null without one';
comment on function auth.uid() is 'The signed-in caller''s user id; null for visitors and the service';
comment on function auth.role() is 'anon, authenticated or service_role';
grant execute on function auth.jwt(), auth.uid(), auth.role() to anon, authenticated, service_role;
