-- Messages to users: email, alerts, and web push.

-- Email that waits to be sent. A row is written in the transaction that makes the email necessary, so that none is lost and
-- none is sent for what was rolled back.
create table private.outgoing_mail (
  id          uuid primary key default gen_random_uuid(),
  kind        text not null check (kind ~ '^[a-z_]{1,50}$'),
  to_address  text not null check (char_length(to_address) <= 320),
  subject     text not null check (char_length(subject) <= 500),
  text_body   text,
  html_body   text,
  state       text not null default 'waiting' check (state in ('waiting', 'sent', 'failed', 'suppressed')),
  attempts    smallint not null default 0,
  next_try_at timestamptz not null,
  last_error  text check (char_length(last_error) <= 500),
  created_at  timestamptz not null,
  sent_at     timestamptz,
  user_id     uuid
);
comment on table private.outgoing_mail is 'The mail queue; read and written by the server alone';
comment on column private.outgoing_mail.kind is 'confirmation, magic_link, recovery, email_change, reauthentication, invite, receipt ...';
comment on column private.outgoing_mail.text_body is 'Holds codes and links: emptied once the mail was sent or given up';
comment on column private.outgoing_mail.state is
  'suppressed: never sent. Written for unknown addresses, so that an answer takes as long as for a known one';
comment on column private.outgoing_mail.next_try_at is 'Waiting mails are tried from this time on';
comment on column private.outgoing_mail.user_id is
  'Whose mail it is, null for nobody''s. Without a foreign key: the mail about an erasure outlives the account';
create index outgoing_mail_waiting_idx on private.outgoing_mail (next_try_at) where state = 'waiting';
create index outgoing_mail_created_at_idx on private.outgoing_mail (created_at);
-- For the download and the erasure of an account, which include email to addresses that it no longer has.
create index outgoing_mail_to_address_idx on private.outgoing_mail (lower(to_address));
create index outgoing_mail_user_id_idx on private.outgoing_mail (user_id) where user_id is not null;
alter table private.outgoing_mail enable row level security;
revoke all on private.outgoing_mail from public, anon, authenticated, service_role;

-- Alerts that users have set, and those that were sent. Rules and alerts belong to their user; the server alone writes both.
create table public.alert_rules (
  id            uuid primary key default gen_random_uuid(),
  user_id       uuid not null references auth.users on delete cascade,
  kind          text not null check (kind in ('band-broken', 'prediction-resolved', 'models-disagree')),
  prediction_id uuid references public.user_predictions on delete cascade,
  sym           text check (sym ~ '^[A-Z0-9.!]{1,20}$'),
  by_mail       boolean not null,
  by_push       boolean not null,
  created_at    timestamptz not null default private.clock_now(),
  check ((kind = 'models-disagree') = (sym is not null)),
  check (kind <> 'models-disagree' or prediction_id is null)
);
comment on table public.alert_rules is 'What a user wants to be told; in the page always, by mail and push as chosen';
comment on column public.alert_rules.prediction_id is 'Null: every prediction of the user''s (models-disagree: none)';
comment on column public.alert_rules.sym is 'The product''s own code; of models-disagree alone';
create unique index alert_rules_once_idx on public.alert_rules
  (user_id, kind, coalesce(prediction_id::text, sym, ''));
create index alert_rules_prediction_idx on public.alert_rules (prediction_id) where prediction_id is not null;
-- Which symbols users wait for, and which users do.
create index alert_rules_sym_idx on public.alert_rules (sym, id) where sym is not null;
alter table public.alert_rules enable row level security;
revoke all on public.alert_rules from public, anon, authenticated;
grant select on public.alert_rules to authenticated;
grant all on public.alert_rules to service_role;
create policy "owners read their rules" on public.alert_rules
  for select to authenticated using (user_id = (select auth.uid()));
create policy "the second factor comes first" on public.alert_rules
  as restrictive for all to authenticated
  using ((select private.has_shown_factors())) with check ((select private.has_shown_factors()));

create table public.alerts (
  id            bigint generated always as identity primary key,
  user_id       uuid not null references auth.users on delete cascade,
  kind          text not null check (kind in ('band-broken', 'prediction-resolved', 'models-disagree')),
  -- What it is about: a prediction's id, or a symbol with the hour of its slot. Told once.
  subject       text not null check (char_length(subject) between 1 and 80),
  facts         jsonb not null check (jsonb_typeof(facts) = 'object' and octet_length(facts::text) <= 2000),
  made_at       timestamptz not null,
  read_at       timestamptz,
  mailed_at     timestamptz,
  unique (user_id, kind, subject)
);
comment on table public.alerts is 'What users were told; kept for 30 days';
comment on column public.alerts.facts is 'As domain/alerts/alert.ts';
comment on column public.alerts.mailed_at is 'When a mail about it was queued; null: told in the page, and on devices where asked';
create index alerts_user_idx on public.alerts (user_id, id desc);
create index alerts_made_idx on public.alerts (made_at);
alter table public.alerts enable row level security;
revoke all on public.alerts from public, anon, authenticated;
grant select on public.alerts to authenticated;
grant all on public.alerts to service_role;
create policy "owners read their alerts" on public.alerts
  for select to authenticated using (user_id = (select auth.uid()));
create policy "the second factor comes first" on public.alerts
  as restrictive for all to authenticated
  using ((select private.has_shown_factors())) with check ((select private.has_shown_factors()));

-- How far the outcomes have been checked: alerts for those that came while no server ran are sent afterwards.
create table private.alert_progress (
  is_only        boolean primary key default true check (is_only),
  resolved_until timestamptz not null
);
comment on table private.alert_progress is 'One row: up to when outcomes were looked at for alerts; product clock';
alter table private.alert_progress enable row level security;
revoke all on private.alert_progress from public, anon, authenticated, service_role;

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
-- All columns but the address and the keys.
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
