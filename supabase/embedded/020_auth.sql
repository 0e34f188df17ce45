-- Accounts: users, the identities they sign in with, sessions and refresh tokens. Nobody reads these through the API.
create table auth.users (
  id                 uuid primary key default gen_random_uuid(),
  aud                text not null default 'authenticated',
  role               text not null default 'authenticated',
  email              text check (char_length(email) <= 255),
  phone              text unique check (char_length(phone) <= 15),
  encrypted_password text,
  email_confirmed_at timestamptz,
  phone_confirmed_at timestamptz,
  confirmed_at       timestamptz generated always as (least(email_confirmed_at, phone_confirmed_at)) stored,
  last_sign_in_at    timestamptz,
  raw_app_meta_data  jsonb not null default '{}',
  raw_user_meta_data jsonb not null default '{}',
  is_anonymous       boolean not null default false,
  banned_until       timestamptz,
  created_at         timestamptz not null default now(),
  updated_at         timestamptz not null default now()
);
create unique index users_email_key on auth.users (lower(email));
comment on table auth.users is 'One row an account';
comment on column auth.users.encrypted_password is 'bcrypt hash, as on a hosted project; null for accounts without a password';
comment on column auth.users.raw_app_meta_data is 'Written by the service only: provider, providers';
comment on column auth.users.raw_user_meta_data is 'Written by the user: full_name, name, avatar_url. Decides nothing';

create table auth.identities (
  id              uuid primary key default gen_random_uuid(),
  provider_id     text not null,
  user_id         uuid not null references auth.users on delete cascade,
  identity_data   jsonb not null,
  provider        text not null,
  last_sign_in_at timestamptz,
  created_at      timestamptz not null default now(),
  updated_at      timestamptz not null default now(),
  email           text generated always as (lower(identity_data ->> 'email')) stored,
  unique (provider_id, provider)
);
create index identities_user_id_idx on auth.identities (user_id);
create index identities_email_idx on auth.identities (email);
comment on column auth.identities.provider_id is 'The account''s id at the provider; for email the user id itself';

create table auth.sessions (
  id           uuid primary key default gen_random_uuid(),
  user_id      uuid not null references auth.users on delete cascade,
  created_at   timestamptz not null default now(),
  updated_at   timestamptz not null default now(),
  refreshed_at timestamptz,
  not_after    timestamptz,
  user_agent   text check (char_length(user_agent) <= 1000),
  ip           text check (char_length(ip) <= 100),
  aal          text not null default 'aal1' check (aal in ('aal1', 'aal2', 'aal3'))
);
create index sessions_user_id_idx on auth.sessions (user_id, created_at);
comment on table auth.sessions is 'A row lives as long as its session: signing out deletes it';
comment on column auth.sessions.not_after is 'No refresh from this moment on; null for no limit';

create table auth.refresh_tokens (
  id          bigint primary key generated always as identity,
  token_hash  text not null unique,
  user_id     uuid not null references auth.users on delete cascade,
  session_id  uuid not null references auth.sessions on delete cascade,
  parent_hash text,
  revoked     boolean not null default false,
  used_at     timestamptz,
  created_at  timestamptz not null default now(),
  updated_at  timestamptz not null default now()
);
create index refresh_tokens_session_id_idx on auth.refresh_tokens (session_id, revoked);
create index refresh_tokens_user_id_idx on auth.refresh_tokens (user_id);
create index refresh_tokens_parent_hash_idx on auth.refresh_tokens (parent_hash);
comment on column auth.refresh_tokens.token_hash is 'SHA-256 of the token, hexadecimal: the token itself is never stored';
comment on column auth.refresh_tokens.parent_hash is 'Hash of the token this one was exchanged for; null for a session''s first';
comment on column auth.refresh_tokens.used_at is 'When it was exchanged; a second use within 10 s is the same client retrying';

alter table auth.users enable row level security;
alter table auth.identities enable row level security;
alter table auth.sessions enable row level security;
alter table auth.refresh_tokens enable row level security;
revoke all on all tables in schema auth from public, anon, authenticated, service_role;
