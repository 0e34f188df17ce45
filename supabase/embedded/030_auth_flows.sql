-- How people prove who they are beside a password: codes and links by mail, providers, wallets, second factors.
-- Nobody reads these through the API.
alter table auth.users
  add column invited_at           timestamptz,
  add column confirmation_sent_at timestamptz,
  add column recovery_sent_at     timestamptz,
  add column email_change         text check (char_length(email_change) <= 255),
  add column email_change_sent_at timestamptz,
  add column email_change_proofs  smallint not null default 0 check (email_change_proofs between 0 and 2),
  add column reauthentication_sent_at timestamptz,
  add column is_sso_user          boolean not null default false;
comment on column auth.users.email_change is 'The address that is to become the account''s once it is proven';
comment on column auth.users.email_change_proofs is 'How many of the two addresses have agreed to the change';

create table auth.one_time_tokens (
  id          uuid primary key default gen_random_uuid(),
  user_id     uuid not null references auth.users on delete cascade,
  purpose     text not null check (purpose in ('confirmation', 'magiclink', 'recovery', 'invite',
                                               'email_change_current', 'email_change_new', 'reauthentication')),
  email       text not null check (char_length(email) <= 255),
  code_hash   text not null,
  link_hash   text unique,
  wrong_tries smallint not null default 0,
  flow_id     uuid,
  created_at  timestamptz not null default now(),
  expires_at  timestamptz not null,
  unique (user_id, purpose)
);
create index one_time_tokens_email_idx on auth.one_time_tokens (lower(email), purpose);
create index one_time_tokens_expires_at_idx on auth.one_time_tokens (expires_at);
comment on table auth.one_time_tokens is 'One open code a purpose; a new one takes the old one''s place, use deletes it';
comment on column auth.one_time_tokens.code_hash is 'Keyed hash of address and six digits';
comment on column auth.one_time_tokens.link_hash is 'SHA-256 of the link''s token; null where a mail has only a code';
comment on column auth.one_time_tokens.wrong_tries is 'Wrong codes so far; too many end the code';

create table auth.flow_state (
  id                    uuid primary key default gen_random_uuid(),
  user_id               uuid references auth.users on delete cascade,
  state_hash            text unique,
  auth_code_hash        text unique,
  code_challenge        text check (char_length(code_challenge) <= 128),
  code_challenge_method text check (code_challenge_method in ('s256', 'plain')),
  kind                  text not null check (kind in ('email', 'oauth', 'saml')),
  provider              text not null check (char_length(provider) <= 200),
  authentication_method text not null check (char_length(authentication_method) <= 50),
  redirect_to           text not null check (char_length(redirect_to) <= 2000),
  provider_state        text check (char_length(provider_state) <= 20000),
  provider_tokens       text check (char_length(provider_tokens) <= 20000),
  linking_user_id       uuid references auth.users on delete cascade,
  created_at            timestamptz not null default now(),
  auth_code_issued_at   timestamptz,
  expires_at            timestamptz not null,
  check ((code_challenge is null) = (code_challenge_method is null))
);
create index flow_state_expires_at_idx on auth.flow_state (expires_at);
create index flow_state_user_id_idx on auth.flow_state (user_id);
create index flow_state_linking_user_id_idx on auth.flow_state (linking_user_id);
comment on table auth.flow_state is 'A sign-in that goes through another page or a mail, until it is exchanged for a session';
comment on column auth.flow_state.state_hash is 'SHA-256 of what travels to the provider and back';
comment on column auth.flow_state.auth_code_hash is 'SHA-256 of the code that the browser exchanges once, within five minutes';
comment on column auth.flow_state.provider_state is 'What the way back needs (verifier, nonce, request id), sealed';
comment on column auth.flow_state.provider_tokens is 'The provider''s own tokens for the session, sealed';
comment on column auth.flow_state.linking_user_id is 'Whose account gets the identity; null when somebody signs in';
alter table auth.one_time_tokens
  add constraint one_time_tokens_flow_id_fkey foreign key (flow_id) references auth.flow_state on delete cascade;
create index one_time_tokens_flow_id_idx on auth.one_time_tokens (flow_id);

create table auth.mfa_factors (
  id                 uuid primary key default gen_random_uuid(),
  user_id            uuid not null references auth.users on delete cascade,
  friendly_name      text check (char_length(friendly_name) <= 100),
  factor_type        text not null check (factor_type in ('totp')),
  status             text not null default 'unverified' check (status in ('unverified', 'verified')),
  secret             text not null,
  last_used_step     bigint,
  last_challenged_at timestamptz,
  created_at         timestamptz not null default now(),
  updated_at         timestamptz not null default now()
);
create index mfa_factors_user_id_idx on auth.mfa_factors (user_id, created_at);
create unique index mfa_factors_user_friendly_name_key on auth.mfa_factors (user_id, friendly_name)
  where friendly_name <> '';
comment on column auth.mfa_factors.secret is 'Sealed with the server''s key';
comment on column auth.mfa_factors.last_used_step is 'Time step of the last accepted code: none is accepted twice';

create table auth.mfa_challenges (
  id          uuid primary key default gen_random_uuid(),
  factor_id   uuid not null references auth.mfa_factors on delete cascade,
  ip_address  text check (char_length(ip_address) <= 100),
  created_at  timestamptz not null default now(),
  expires_at  timestamptz not null,
  verified_at timestamptz
);
create index mfa_challenges_factor_id_idx on auth.mfa_challenges (factor_id);

create table auth.mfa_amr_claims (
  id                    uuid primary key default gen_random_uuid(),
  session_id            uuid not null references auth.sessions on delete cascade,
  authentication_method text not null check (char_length(authentication_method) <= 50),
  provider              text check (char_length(provider) <= 200),
  created_at            timestamptz not null default now(),
  updated_at            timestamptz not null default now(),
  unique (session_id, authentication_method)
);
comment on table auth.mfa_amr_claims is 'How a session was proven, and when; travels in its tokens as amr';

alter table auth.sessions add column factor_id uuid references auth.mfa_factors on delete set null;
create index sessions_factor_id_idx on auth.sessions (factor_id);

create table auth.spent_proofs (
  proof_hash text primary key,
  kind       text not null check (kind in ('web3', 'saml', 'id_token')),
  expires_at timestamptz not null
);
create index spent_proofs_expires_at_idx on auth.spent_proofs (expires_at);
comment on table auth.spent_proofs is 'Signed statements that were accepted: none is accepted twice while it is valid';

alter table auth.one_time_tokens enable row level security;
alter table auth.flow_state enable row level security;
alter table auth.mfa_factors enable row level security;
alter table auth.mfa_challenges enable row level security;
alter table auth.mfa_amr_claims enable row level security;
alter table auth.spent_proofs enable row level security;
revoke all on all tables in schema auth from public, anon, authenticated, service_role;
