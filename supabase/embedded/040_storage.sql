-- Stored files: buckets and the objects in them, column for column as on a hosted project. The bytes lie in the data
-- folder or an S3-compatible store under the row's version; policies on storage.objects decide who may do what.
create schema storage;
comment on schema storage is 'Stored files as on a hosted project. Written by the storage service under the caller''s role.';
grant usage on schema storage to anon, authenticated, service_role;

create table storage.buckets (
  id                 text primary key check (char_length(id) <= 100),
  name               text not null unique,
  owner              uuid,
  owner_id           text,
  public             boolean not null default false,
  avif_autodetection boolean default false,
  file_size_limit    bigint,
  allowed_mime_types text[],
  created_at         timestamptz default now(),
  updated_at         timestamptz default now()
);
comment on column storage.buckets.public is 'Anybody may read an object whose address he knows, past row-level security';
comment on column storage.buckets.file_size_limit is 'Bytes of an upload; null for the service''s own limit';
comment on column storage.buckets.allowed_mime_types is 'Types that an upload''s content may have; null for all that the service takes';

create table storage.objects (
  id               uuid primary key default gen_random_uuid(),
  bucket_id        text references storage.buckets,
  name             text,
  owner            uuid,
  owner_id         text,
  version          text,
  metadata         jsonb,
  user_metadata    jsonb,
  path_tokens      text[] generated always as (string_to_array(name, '/')) stored,
  created_at       timestamptz default now(),
  updated_at       timestamptz default now(),
  last_accessed_at timestamptz default now()
);
create unique index bucketid_objname on storage.objects (bucket_id, name);
create index idx_objects_bucket_id_name on storage.objects (bucket_id, name collate "C");
create unique index objects_version_idx on storage.objects (version);
create index objects_owner_id_idx on storage.objects (owner_id, bucket_id);
comment on column storage.objects.name is 'Path within the bucket: folders apart by slashes, the file''s name last';
comment on column storage.objects.owner_id is 'Who uploaded it: the object goes with this account. Decides nothing else';
comment on column storage.objects.version is 'Under which the bytes lie: fresh for every upload';
comment on column storage.objects.metadata is 'eTag, size (bytes), mimetype, cacheControl, lastModified as the service wrote them';
comment on column storage.objects.user_metadata is 'What the uploader added';

-- Without a search path of their own, which would keep them from being inlined: policies ask them for every row of a
-- bucket. Every name in their bodies is qualified instead.
create function storage.foldername(name text) returns text[]
  language sql immutable
  as $$ select (pg_catalog.string_to_array(name, '/'))[1 : pg_catalog.cardinality(pg_catalog.string_to_array(name, '/')) - 1] $$;
create function storage.filename(name text) returns text
  language sql immutable
  as $$ select (pg_catalog.string_to_array(name, '/'))[pg_catalog.cardinality(pg_catalog.string_to_array(name, '/'))] $$;
create function storage.extension(name text) returns text
  language sql immutable
  as $$ select pg_catalog.reverse(pg_catalog.split_part(pg_catalog.reverse(storage.filename(name)), '.', 1)) $$;
comment on function storage.foldername(text) is 'Folders of an object''s name, outermost first; empty without any';
comment on function storage.filename(text) is 'Last part of an object''s name';
comment on function storage.extension(text) is 'What follows the last dot of the file''s name';
grant execute on function storage.foldername(text), storage.filename(text), storage.extension(text)
  to anon, authenticated, service_role;

create function storage.update_updated_at_column() returns trigger
  language plpgsql set search_path = ''
as $$
begin
  new.updated_at := now();
  return new;
end;
$$;
create trigger update_objects_updated_at before update on storage.objects
  for each row execute function storage.update_updated_at_column();

-- A hosted project keeps the files of an account that is deleted; here nobody could ever remove them.
create function storage.remove_objects_of_account() returns trigger
  language plpgsql security definer set search_path = ''
as $$
begin
  delete from storage.objects where owner_id = old.id::text;
  return null;
end;
$$;
comment on function storage.remove_objects_of_account() is 'Files go with the account that uploaded them; the server''s sweep removes the bytes';
revoke execute on function storage.remove_objects_of_account() from public;
create trigger remove_stored_objects after delete on auth.users
  for each row execute function storage.remove_objects_of_account();

alter table storage.buckets enable row level security;
alter table storage.objects enable row level security;
grant select, insert, update, delete on storage.buckets, storage.objects to anon, authenticated;
grant all on storage.buckets, storage.objects to service_role;
