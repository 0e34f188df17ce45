-- Recovery codes, and the second factor asked for by the rows themselves: a session of an account with a verified factor
-- reaches none of the owner's rows before it has shown one.

create table private.recovery_codes (
  user_id    uuid not null references auth.users on delete cascade,
  code_hash  text not null check (code_hash ~ '^[0-9a-f]{64}$'),
  created_at timestamptz not null,
  used_at    timestamptz,
  primary key (user_id, code_hash)
);
comment on table private.recovery_codes is
  'What opens an account whose authenticator is lost, once each; read and written by the server alone';
comment on column private.recovery_codes.code_hash is
  'SHA-256 of the user''s id and the code, hexadecimal: a code has 60 random bits and is never stored';
comment on column private.recovery_codes.used_at is 'When it took the factors away; kept until the next codes are made';
alter table private.recovery_codes enable row level security;
revoke all on private.recovery_codes from public, anon, authenticated, service_role;

-- Codes that were not used go with the last factor: one that is set up later must not be opened by them.
create function private.drop_recovery_codes() returns trigger
  language plpgsql security definer set search_path = ''
as $$
begin
  if not private.has_verified_factor(old.user_id) then
    delete from private.recovery_codes c where c.user_id = old.user_id and c.used_at is null;
  end if;
  return null;
end;
$$;
revoke all on function private.drop_recovery_codes() from public, anon, authenticated, service_role;
create trigger drop_recovery_codes after delete or update of status on auth.mfa_factors
  for each row execute function private.drop_recovery_codes();

-- All of a user's, for the download; the other indexes leave out what was released.
create index prediction_reservations_user_id_idx on private.prediction_reservations (user_id, created_at);

-- Definer: users have no right to the schema private, nor to read factors. It tells a caller about the caller alone. In
-- plpgsql, which keeps its plan from statement to statement: as a SQL function it took three times as long.
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

-- On every table with rows of a user's own, beside the policy that says whose they are; tests/database/schema.test.ts finds
-- one without. In a select of its own, so that it is asked once a statement and not for each row.
create policy "the second factor comes first" on public.profiles
  as restrictive for all to authenticated
  using ((select private.has_shown_factors())) with check ((select private.has_shown_factors()));
create policy "the second factor comes first" on public.user_activity
  as restrictive for all to authenticated
  using ((select private.has_shown_factors())) with check ((select private.has_shown_factors()));
create policy "the second factor comes first" on public.user_predictions
  as restrictive for all to authenticated
  using ((select private.has_shown_factors())) with check ((select private.has_shown_factors()));
create policy "the second factor comes first" on public.stripe_customers
  as restrictive for all to authenticated
  using ((select private.has_shown_factors())) with check ((select private.has_shown_factors()));
create policy "the second factor comes first" on public.stripe_subscriptions
  as restrictive for all to authenticated
  using ((select private.has_shown_factors())) with check ((select private.has_shown_factors()));
create policy "the second factor comes first" on public.payment_methods
  as restrictive for all to authenticated
  using ((select private.has_shown_factors())) with check ((select private.has_shown_factors()));
create policy "the second factor comes first" on storage.objects
  as restrictive for all to authenticated
  using (bucket_id <> 'avatars' or (select private.has_shown_factors()))
  with check (bucket_id <> 'avatars' or (select private.has_shown_factors()));
