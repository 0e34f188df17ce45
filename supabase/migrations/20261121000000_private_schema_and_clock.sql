-- The schema that the API does not expose, and the clock that every rule about time asks.
create schema if not exists private;
comment on schema private is 'What the API does not expose';
revoke all on schema private from public, anon, authenticated;
grant usage on schema private to service_role;

create function private.clock_now() returns timestamptz
  language sql stable set search_path = ''
as $$
  select pg_catalog.now() + pg_catalog.make_interval(
    secs => coalesce(nullif(pg_catalog.current_setting('kat.clock_offset_s', true), '')::double precision, 0)
  )
$$;
comment on function private.clock_now() is
  'The product''s time: the transaction''s start, moved by kat.clock_offset_s seconds, which only the test clock sets';
revoke all on function private.clock_now() from public, anon, authenticated;
grant execute on function private.clock_now() to service_role;
