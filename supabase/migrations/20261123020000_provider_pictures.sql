-- Pictures of sign-in providers. Browsers load no picture from elsewhere: the server fetches a new account's picture once and
-- keeps a copy among the avatars. Until then, and where it cannot be had, a profile has none.
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

-- As before, without what the metadata say of a picture: anybody may write those.
create or replace function private.create_profile() returns trigger
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

-- No page asks for any of these.
update public.profiles set avatar_url = null
 where avatar_url is not null and avatar_url not like '%/storage/v1/object/public/avatars/%';
comment on column public.profiles.avatar_url is 'Address of an object in the bucket avatars; pages show no other';
