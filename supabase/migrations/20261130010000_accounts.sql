-- Accounts: profiles, second factors and their recovery codes, activity, pictures, and personal keys of the read API.

-- What a user shows and prefers. The role decides rights, so no user writes it.
create table public.profiles (
  id                  uuid primary key references auth.users on delete cascade,
  email               text check (char_length(email) <= 255),
  full_name           text check (char_length(full_name) <= 200),
  avatar_url          text check (char_length(avatar_url) <= 2000),
  role                text not null default 'user' check (role in ('admin', 'user')),
  phone               text check (char_length(phone) <= 50),
  bio                 text check (char_length(bio) <= 500),
  website             text check (char_length(website) <= 2000),
  location            text check (char_length(location) <= 200),
  timezone            text check (char_length(timezone) <= 100),
  two_factor_enabled  boolean not null default false,
  email_notifications boolean not null default true,
  push_notifications  boolean not null default false,
  marketing_emails    boolean not null default false,
  created_at          timestamptz not null default now(),
  updated_at          timestamptz not null default now()
);
comment on table public.profiles is 'One row an account, made with it';
comment on column public.profiles.email is 'The account''s address; follows it when it changes';
comment on column public.profiles.role is 'admin or user; written by the service only';
comment on column public.profiles.avatar_url is 'Address of an object in the bucket avatars; pages show no other';
comment on column public.profiles.timezone is 'IANA name, for example Europe/Berlin';
comment on column public.profiles.two_factor_enabled is
  'Whether the account has a verified second factor; set by the database, whatever the client sends';
comment on column public.profiles.updated_at is 'Set by the database at each change, whatever the client sends';
create index profiles_admins_idx on public.profiles (id) where role = 'admin';
-- The order of the admins' list, admins first.
create index profiles_admin_list_idx on public.profiles (role, created_at desc, id);

alter table public.profiles enable row level security;
revoke all on public.profiles from public, anon, authenticated;
grant all on public.profiles to service_role;
grant select on public.profiles to authenticated;
grant insert (id, email, full_name, avatar_url, phone, bio, website, location, timezone, two_factor_enabled,
              email_notifications, push_notifications, marketing_emails, created_at, updated_at)
  on public.profiles to authenticated;
grant update (full_name, avatar_url, phone, bio, website, location, timezone, two_factor_enabled,
              email_notifications, push_notifications, marketing_emails, updated_at)
  on public.profiles to authenticated;
create policy "owners read their profile" on public.profiles
  for select to authenticated using (id = (select auth.uid()));
create policy "owners create their profile under the address they signed in with" on public.profiles
  for insert to authenticated
  with check (
    id = (select auth.uid())
    and (email is null or lower(email) = lower((select auth.jwt()) ->> 'email'))
  );
create policy "owners change their profile" on public.profiles
  for update to authenticated using (id = (select auth.uid())) with check (id = (select auth.uid()));
create policy "the second factor comes first" on public.profiles
  as restrictive for all to authenticated
  using ((select private.has_shown_factors())) with check ((select private.has_shown_factors()));

create function private.stamp_profile() returns trigger
  language plpgsql set search_path = ''
as $$
begin
  new.created_at := case when tg_op = 'INSERT' then now() else old.created_at end;
  new.updated_at := now();
  return new;
end;
$$;
revoke all on function private.stamp_profile() from public, anon, authenticated;
create trigger stamp_profile before insert or update on public.profiles
  for each row execute function private.stamp_profile();

-- Creates the row, so that a client that never sends its own insert has a profile too. Names are cut, not refused: a long
-- name must not stop a sign-up. The metadata's picture is ignored, because anybody may write those.
create function private.create_profile() returns trigger
  language plpgsql security definer set search_path = ''
as $$
begin
  insert into public.profiles (id, email, full_name)
  values (
    new.id,
    new.email,
    left(coalesce(new.raw_user_meta_data ->> 'full_name', new.raw_user_meta_data ->> 'name'), 200)
  )
  on conflict (id) do nothing;
  return null;
end;
$$;
revoke all on function private.create_profile() from public, anon, authenticated;
create trigger create_profile after insert on auth.users
  for each row execute function private.create_profile();

create function private.follow_email() returns trigger
  language plpgsql security definer set search_path = ''
as $$
begin
  update public.profiles set email = new.email where id = new.id;
  return null;
end;
$$;
revoke all on function private.follow_email() from public, anon, authenticated;
create trigger follow_email after update of email on auth.users
  for each row when (new.email is distinct from old.email) execute function private.follow_email();

-- Records every change of the role, however it was made. The operator's command names itself in kat.done_by.
create function private.audit_role() returns trigger
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
revoke all on function private.audit_role() from public, anon, authenticated, service_role;
create trigger audit_role after update of role on public.profiles
  for each row when (new.role is distinct from old.role) execute function private.audit_role();

-- profiles.two_factor_enabled follows the account's verified factors, because pages show it as a fact.
create function private.has_verified_factor(p_user uuid) returns boolean
  language sql stable security definer set search_path = ''
as $$ select exists (select from auth.mfa_factors f where f.user_id = p_user and f.status = 'verified') $$;
comment on function private.has_verified_factor(uuid) is 'True once the account has proven a second factor that it still has';
revoke all on function private.has_verified_factor(uuid) from public, anon, authenticated;
grant execute on function private.has_verified_factor(uuid) to service_role;
-- A client that sends its whole profile back is not refused; what it says about its factors is replaced.
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

-- Recovery codes open an account whose authenticator is lost.
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
-- Unused codes are deleted with the last factor: they must not open a factor that is set up later.
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

create table public.user_activity (
  id            bigint primary key generated always as identity,
  user_id       uuid not null references auth.users on delete cascade,
  activity_type text not null check (activity_type in ('account_created')),
  activity_data jsonb not null default '{}' check (octet_length(activity_data::text) <= 4000),
  created_at    timestamptz not null default now()
);
comment on table public.user_activity is 'What an account did, each kind of activity once';
comment on column public.user_activity.activity_type is 'account_created';
comment on column public.user_activity.activity_data is 'For account_created: signup_method, provider, full_name';
create unique index user_activity_once_idx on public.user_activity (user_id, activity_type);
alter table public.user_activity enable row level security;
revoke all on public.user_activity from public, anon, authenticated;
grant all on public.user_activity to service_role;
grant select, insert (user_id, activity_type, activity_data) on public.user_activity to authenticated;
create policy "owners read their activity" on public.user_activity
  for select to authenticated using (user_id = (select auth.uid()));
create policy "owners add to their activity" on public.user_activity
  for insert to authenticated with check (user_id = (select auth.uid()));
create policy "the second factor comes first" on public.user_activity
  as restrictive for all to authenticated
  using ((select private.has_shown_factors())) with check ((select private.has_shown_factors()));

-- Pictures of sign-in providers. Browsers load no picture from another site: the server fetches a new account's picture once
-- and stores a copy among the avatars. Until then, or if that fails, a profile has none.
create table private.provider_pictures (
  user_id uuid primary key references auth.users on delete cascade,
  url     text not null check (char_length(url) <= 2000),
  tries   integer not null default 0,
  due_at  timestamptz not null default now()
);
comment on table private.provider_pictures is 'Pictures that wait to be fetched; a row goes when it is there, or given up';
comment on column private.provider_pictures.url is 'At the provider, in the provider''s own words; never what a user has written';
comment on column private.provider_pictures.due_at is 'Not before; whoever fetches it moves it on first, so that nobody else does';
create index provider_pictures_due_at_idx on private.provider_pictures (due_at);
alter table private.provider_pictures enable row level security;
revoke all on private.provider_pictures from public, anon, authenticated, service_role;

-- Personal keys of the read API. A key is shown once, to the user who created it; only its SHA-256 is stored, which no user
-- can read. The server alone creates, uses and revokes them.

create table public.api_keys (
  id           uuid primary key default gen_random_uuid(),
  user_id      uuid not null references auth.users on delete cascade,
  name         text not null check (char_length(name) between 1 and 60),
  prefix       text not null check (prefix ~ '^kat_[A-Za-z0-9]{6}$'),
  key_hash     bytea not null unique check (octet_length(key_hash) = 32),
  is_raised    boolean not null default false,
  created_at   timestamptz not null default private.clock_now(),
  last_used_at timestamptz,
  expires_at   timestamptz check (expires_at > created_at),
  revoked_at   timestamptz
);
comment on table public.api_keys is 'Keys with which a user''s programs read; they write nothing. Revoked ones stay for 90 days';
comment on column public.api_keys.prefix is 'How the key begins: to tell one''s keys apart';
comment on column public.api_keys.key_hash is 'SHA-256 of the whole key: it has 238 random bits and is never stored';
comment on column public.api_keys.is_raised is
  'Made in a session that had shown a second factor: without, the key opens nothing once the account has one';
comment on column public.api_keys.last_used_at is 'The hour of the last use';
comment on column public.api_keys.expires_at is 'Good before then; null: until it is revoked';
create index api_keys_user_id_idx on public.api_keys (user_id, created_at desc);
alter table public.api_keys enable row level security;
revoke all on public.api_keys from public, anon, authenticated;
-- All columns but the hash and how the key was created.
grant select (id, user_id, name, prefix, created_at, last_used_at, expires_at, revoked_at) on public.api_keys to authenticated;
grant all on public.api_keys to service_role;
create policy "owners read their keys" on public.api_keys
  for select to authenticated using (user_id = (select auth.uid()));
create policy "the second factor comes first" on public.api_keys
  as restrictive for all to authenticated
  using ((select private.has_shown_factors())) with check ((select private.has_shown_factors()));

-- Avatars: a public bucket of pictures. Anyone who knows a picture's address may see it; users write into the folder named
-- after their id and list no other. A hosted project runs this as it is: nothing here needs to own the schema storage.
insert into storage.buckets (id, name, public, file_size_limit, allowed_mime_types)
values (
  'avatars', 'avatars', true, 5242880,
  array['image/jpeg', 'image/png', 'image/webp', 'image/gif', 'image/avif']
)
on conflict (id) do update set
  public = excluded.public,
  file_size_limit = excluded.file_size_limit,
  allowed_mime_types = excluded.allowed_mime_types;
create policy "owners see their avatars" on storage.objects
  for select to authenticated
  using (bucket_id = 'avatars' and (storage.foldername(name))[1] = (select auth.uid())::text);
create policy "owners add avatars to their folder" on storage.objects
  for insert to authenticated
  with check (bucket_id = 'avatars' and (storage.foldername(name))[1] = (select auth.uid())::text);
create policy "owners replace their avatars" on storage.objects
  for update to authenticated
  using (bucket_id = 'avatars' and (storage.foldername(name))[1] = (select auth.uid())::text)
  with check (bucket_id = 'avatars' and (storage.foldername(name))[1] = (select auth.uid())::text);
create policy "owners remove their avatars" on storage.objects
  for delete to authenticated
  using (bucket_id = 'avatars' and (storage.foldername(name))[1] = (select auth.uid())::text);
create policy "the second factor comes first" on storage.objects
  as restrictive for all to authenticated
  using (bucket_id <> 'avatars' or (select private.has_shown_factors()))
  with check (bucket_id <> 'avatars' or (select private.has_shown_factors()));
