-- Profiles: what a user shows and prefers. The role decides rights, so no user writes it.
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
comment on column public.profiles.timezone is 'IANA name, for example Europe/Berlin';
comment on column public.profiles.two_factor_enabled is 'What the settings page shows; the factors themselves decide';
comment on column public.profiles.updated_at is 'Set by the database at each change, whatever the client sends';
create index profiles_admins_idx on public.profiles (id) where role = 'admin';

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

-- Makes sure the row exists, so that a client that never sends its own insert has a profile too. Names are cut, not
-- refused: a long name must not stop a sign-up.
create function private.create_profile() returns trigger
  language plpgsql security definer set search_path = ''
as $$
begin
  insert into public.profiles (id, email, full_name, avatar_url)
  values (
    new.id,
    new.email,
    left(coalesce(new.raw_user_meta_data ->> 'full_name', new.raw_user_meta_data ->> 'name'), 200),
    left(new.raw_user_meta_data ->> 'avatar_url', 2000)
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

create function private.is_admin(p_user uuid) returns boolean
  language sql stable security definer set search_path = ''
as $$ select exists (select from public.profiles p where p.id = p_user and p.role = 'admin') $$;
comment on function private.is_admin(uuid) is 'False for an unknown user and for null';
revoke all on function private.is_admin(uuid) from public, anon, authenticated;
grant execute on function private.is_admin(uuid) to service_role;
