-- Devices that take web push, and the notifications that wait to be sent to them. The server alone writes both.

create table public.push_subscriptions (
  id            uuid primary key default gen_random_uuid(),
  user_id       uuid not null references auth.users on delete cascade,
  endpoint      text not null check (char_length(endpoint) between 1 and 1000),
  endpoint_hash text not null unique check (endpoint_hash ~ '^[0-9a-f]{64}$'),
  p256dh        text not null check (p256dh ~ '^[A-Za-z0-9_-]{87}$'),
  auth          text not null check (auth ~ '^[A-Za-z0-9_-]{22}$'),
  device        text not null check (char_length(device) between 1 and 60),
  created_at    timestamptz not null default private.clock_now(),
  last_used_at  timestamptz
);
comment on table public.push_subscriptions is 'Browsers that their user has asked to show notifications; ten of a user''s at most';
comment on column public.push_subscriptions.endpoint is 'Address at the browser''s push service: whoever has it and our key reaches the device';
comment on column public.push_subscriptions.endpoint_hash is 'SHA-256 of the endpoint in hex: a browser finds its own row by it';
comment on column public.push_subscriptions.p256dh is 'The browser''s public key, base64url (RFC 8291)';
comment on column public.push_subscriptions.auth is 'Shared with the browser, base64url: 16 bytes (RFC 8291)';
comment on column public.push_subscriptions.device is 'In words: Firefox on Linux';
comment on column public.push_subscriptions.last_used_at is 'When its push service last took a notification';
create index push_subscriptions_user_idx on public.push_subscriptions (user_id, created_at);

alter table public.push_subscriptions enable row level security;
revoke all on public.push_subscriptions from public, anon, authenticated;
-- All but the address and the keys.
grant select (id, user_id, endpoint_hash, device, created_at, last_used_at) on public.push_subscriptions to authenticated;
grant all on public.push_subscriptions to service_role;
create policy "owners read their devices" on public.push_subscriptions
  for select to authenticated using (user_id = (select auth.uid()));
create policy "the second factor comes first" on public.push_subscriptions
  as restrictive for all to authenticated
  using ((select private.has_shown_factors())) with check ((select private.has_shown_factors()));

-- A row is written in the transaction that makes the notification necessary: one for each device, once.
create table private.outgoing_pushes (
  id              uuid primary key default gen_random_uuid(),
  subscription_id uuid not null references public.push_subscriptions on delete cascade,
  key             text not null check (char_length(key) between 1 and 120),
  title           text check (char_length(title) <= 100),
  text_body       text check (char_length(text_body) <= 400),
  path            text check (path ~ '^/([^/\\]|$)' and char_length(path) <= 200),
  state           text not null default 'waiting' check (state in ('waiting', 'sent', 'failed')),
  attempts        smallint not null default 0,
  next_try_at     timestamptz not null,
  expires_at      timestamptz not null,
  last_error      text check (char_length(last_error) <= 500),
  created_at      timestamptz not null,
  sent_at         timestamptz,
  check (state <> 'waiting' or (title is not null and text_body is not null and path is not null)),
  unique (subscription_id, key)
);
comment on table private.outgoing_pushes is 'The queue of notifications; read and written by the server alone. Goes with the device';
comment on column private.outgoing_pushes.key is 'What it is about: the same is told to one device once';
comment on column private.outgoing_pushes.text_body is 'As title and path: emptied once it was sent or given up';
comment on column private.outgoing_pushes.path is 'Of our own site: where a click leads';
comment on column private.outgoing_pushes.next_try_at is 'A waiting one is tried from this time on';
comment on column private.outgoing_pushes.expires_at is 'Worth nothing any more: neither we nor the push service deliver it later';
create index outgoing_pushes_waiting_idx on private.outgoing_pushes (next_try_at) where state = 'waiting';
create index outgoing_pushes_created_at_idx on private.outgoing_pushes (created_at);
alter table private.outgoing_pushes enable row level security;
revoke all on private.outgoing_pushes from public, anon, authenticated, service_role;
