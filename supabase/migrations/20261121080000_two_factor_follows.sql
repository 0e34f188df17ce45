-- profiles.two_factor_enabled follows the account's verified factors, whoever writes it: it is shown as a fact, so it is
-- one.
create function private.has_verified_factor(p_user uuid) returns boolean
  language sql stable security definer set search_path = ''
as $$ select exists (select from auth.mfa_factors f where f.user_id = p_user and f.status = 'verified') $$;
comment on function private.has_verified_factor(uuid) is 'True once the account has proven a second factor that it still has';
revoke all on function private.has_verified_factor(uuid) from public, anon, authenticated;
grant execute on function private.has_verified_factor(uuid) to service_role;

-- A client that sends its whole profile back is not refused; what it says of its factors is replaced.
create function private.stamp_two_factor() returns trigger
  language plpgsql security definer set search_path = ''
as $$
begin
  new.two_factor_enabled := private.has_verified_factor(new.id);
  return new;
end;
$$;
revoke all on function private.stamp_two_factor() from public, anon, authenticated;
create trigger stamp_two_factor before insert or update of two_factor_enabled on public.profiles
  for each row execute function private.stamp_two_factor();

create function private.follow_factors() returns trigger
  language plpgsql security definer set search_path = ''
as $$
declare
  v_user uuid := case when tg_op = 'DELETE' then old.user_id else new.user_id end;
begin
  update public.profiles p set two_factor_enabled = private.has_verified_factor(v_user)
  where p.id = v_user and p.two_factor_enabled is distinct from private.has_verified_factor(v_user);
  return null;
end;
$$;
revoke all on function private.follow_factors() from public, anon, authenticated;
create trigger follow_factors after insert or delete or update of status on auth.mfa_factors
  for each row execute function private.follow_factors();

comment on column public.profiles.two_factor_enabled is
  'Whether the account has a verified second factor; set by the database, whatever the client sends';
