-- Loaded by the tests alone, never by a migration: pgTAP and the words that test files use.
create schema tap;
create extension pgtap with schema tap;
create schema tests;

create function tests.id_of(p_name text) returns uuid language sql immutable
  as $$ select md5('kat:' || p_name)::uuid $$;
comment on function tests.id_of(text) is 'The user id of a name: always the same one';

create function tests.email_of(p_name text) returns text language sql immutable
  as $$ select p_name || '@example.com' $$;

-- Call it as the owner. A trigger creates the profile.
create function tests.create_user(p_name text, p_role text default 'user') returns uuid language plpgsql
as $$
begin
  insert into auth.users (id, email, email_confirmed_at)
  values (tests.id_of(p_name), tests.email_of(p_name), now());
  update public.profiles set role = p_role where id = tests.id_of(p_name);
  return tests.id_of(p_name);
end;
$$;

-- A customer with one subscription, as the sync would have written it. Times in epoch seconds.
create function tests.give_subscription(
  p_name text,
  p_price_id text,
  p_status text default 'active',
  p_period_end bigint default extract(epoch from now())::bigint + 86400 * 20,
  p_cancel_at_period_end boolean default false
) returns text language plpgsql
as $$
begin
  insert into public.stripe_customers (user_id, customer_id) values (tests.id_of(p_name), 'cus_' || p_name)
  on conflict (user_id) do nothing;
  insert into public.stripe_subscriptions (
    subscription_id, customer_id, price_id, status, current_period_start, current_period_end, cancel_at_period_end, stripe_created
  ) values (
    'sub_' || p_name || '_' || md5(random()::text), 'cus_' || p_name, p_price_id, p_status, p_period_end - 86400 * 30,
    p_period_end, p_cancel_at_period_end, p_period_end - 86400 * 30
  );
  return 'cus_' || p_name;
end;
$$;

create function tests.sign_in_as(p_name text, p_aal text default 'aal1') returns void language plpgsql
as $$
begin
  perform set_config('request.jwt.claims', json_build_object(
    'sub', tests.id_of(p_name), 'role', 'authenticated', 'email', tests.email_of(p_name), 'aal', p_aal)::text, true);
  perform set_config('role', 'authenticated', true);
end;
$$;

create function tests.sign_out() returns void language plpgsql
as $$
begin
  perform set_config('request.jwt.claims', '{"role":"anon"}', true);
  perform set_config('role', 'anon', true);
end;
$$;

create function tests.become_service() returns void language plpgsql
as $$
begin
  perform set_config('request.jwt.claims', '{"role":"service_role"}', true);
  perform set_config('role', 'service_role', true);
end;
$$;

create function tests.become_owner() returns void language plpgsql
as $$
begin
  perform set_config('request.jwt.claims', '', true);
  perform set_config('role', 'none', true);
end;
$$;

create function tests.set_clock_offset(p_seconds double precision) returns void language plpgsql
as $$ begin perform set_config('kat.clock_offset_s', p_seconds::text, true); end; $$;

grant usage on schema tests, tap to anon, authenticated, service_role;
grant execute on all functions in schema tests, tap to anon, authenticated, service_role;
