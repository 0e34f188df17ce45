-- Personal keys of the read API. A key itself is told once, to whoever made it; what is kept is its SHA-256, which no user
-- reads. The server alone makes, uses and revokes them.

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
-- All but the hash and how it was made.
grant select (id, user_id, name, prefix, created_at, last_used_at, expires_at, revoked_at) on public.api_keys to authenticated;
grant all on public.api_keys to service_role;
create policy "owners read their keys" on public.api_keys
  for select to authenticated using (user_id = (select auth.uid()));
create policy "the second factor comes first" on public.api_keys
  as restrictive for all to authenticated
  using ((select private.has_shown_factors())) with check ((select private.has_shown_factors()));
