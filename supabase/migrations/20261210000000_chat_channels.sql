-- Telegram and Discord: the chats that users have linked, the codes that link them, and the queue of messages. The server
-- alone writes; owners read their chats. docs/decisions/080-chat-channels.md

create table public.chat_channels (
  id           uuid primary key default gen_random_uuid(),
  user_id      uuid not null references auth.users on delete cascade,
  service      text not null check (service in ('telegram', 'discord')),
  chat_id      text not null check (chat_id ~ '^-?[0-9]{1,20}$'),
  title        text not null check (char_length(title) between 1 and 80),
  kinds        text[] not null default array['band-broken', 'prediction-resolved', 'models-disagree', 'chance-reached']
               check (cardinality(kinds) between 1 and 4 and array_position(kinds, null) is null
                      and kinds <@ array['band-broken', 'prediction-resolved', 'models-disagree', 'chance-reached']),
  state        text not null default 'active' check (state in ('active', 'paused')),
  pause_reason text check (pause_reason in ('owner', 'blocked', 'not-found')),
  linked_at    timestamptz not null default private.clock_now(),
  last_sent_at timestamptz,
  unique (service, chat_id),
  check ((state = 'paused') = (pause_reason is not null))
);
comment on table public.chat_channels is 'Chats that receive a user''s alerts; five of a user''s at most, and a chat belongs to one user';
comment on column public.chat_channels.chat_id is 'The chat''s or channel''s id on its service; no role of the API reads it';
comment on column public.chat_channels.title is 'As its service names it: written by strangers';
comment on column public.chat_channels.kinds is 'The alerts that are sent there';
comment on column public.chat_channels.pause_reason is
  'owner: paused by the user. blocked: the bot was blocked or removed, or may not write. not-found: the chat was deleted';
create index chat_channels_user_idx on public.chat_channels (user_id, linked_at);
alter table public.chat_channels enable row level security;
revoke all on public.chat_channels from public, anon, authenticated;
grant select (id, user_id, service, title, kinds, state, pause_reason, linked_at, last_sent_at)
  on public.chat_channels to authenticated;
grant all on public.chat_channels to service_role;
create policy "owners read their chats" on public.chat_channels
  for select to authenticated using (user_id = (select auth.uid()));
create policy "the second factor comes first" on public.chat_channels
  as restrictive for all to authenticated
  using ((select private.has_shown_factors())) with check ((select private.has_shown_factors()));

create table private.chat_link_codes (
  user_id    uuid not null references auth.users on delete cascade,
  service    text not null check (service in ('telegram', 'discord')),
  code_hash  text not null unique check (code_hash ~ '^[0-9a-f]{64}$'),
  expires_at timestamptz not null,
  primary key (user_id, service)
);
comment on table private.chat_link_codes is 'Codes that link a chat: one of a user and service at a time, deleted when it is used';
comment on column private.chat_link_codes.code_hash is 'SHA-256 of service and code, in hex';
create index chat_link_codes_expiry_idx on private.chat_link_codes (expires_at);
alter table private.chat_link_codes enable row level security;
revoke all on private.chat_link_codes from public, anon, authenticated, service_role;

create table private.chat_cursors (
  bot         text primary key check (bot ~ '^telegram:[0-9]{1,20}$'),
  next_update bigint not null,
  moved_at    timestamptz not null
);
comment on table private.chat_cursors is 'The next update to read from a service; moved in the transaction of the update''s effect';
alter table private.chat_cursors enable row level security;
revoke all on private.chat_cursors from public, anon, authenticated, service_role;

create table private.chat_messages (
  id            uuid primary key default gen_random_uuid(),
  place         bigint generated always as identity,
  service       text not null check (service in ('telegram', 'discord')),
  chat_id       text not null check (chat_id ~ '^-?[0-9]{1,20}$'),
  channel_id    uuid references public.chat_channels on delete cascade,
  key           text not null check (char_length(key) between 1 and 160),
  text_body     text check (char_length(text_body) between 1 and 1000),
  prediction_id uuid,
  state         text not null default 'waiting' check (state in ('waiting', 'sent', 'failed')),
  attempts      integer not null default 0,
  next_try_at   timestamptz not null,
  expires_at    timestamptz not null,
  last_error    text check (char_length(last_error) <= 500),
  created_at    timestamptz not null,
  sent_at       timestamptz,
  check (state <> 'waiting' or text_body is not null),
  unique (channel_id, key)
);
comment on table private.chat_messages is 'The queue of messages to chats; read and written by the server alone';
comment on column private.chat_messages.place is 'A chat''s messages are sent in this order, one at a time';
comment on column private.chat_messages.channel_id is 'Null: a reply in a chat that is not linked';
comment on column private.chat_messages.key is 'What it is about: the same is sent to a chat once';
comment on column private.chat_messages.text_body is 'Emptied once it was sent or given up';
comment on column private.chat_messages.prediction_id is 'The prediction whose picture is attached; it may have been deleted since';
comment on column private.chat_messages.next_try_at is 'A waiting one is tried from this time on; while it is under way, when its lease ends';
comment on column private.chat_messages.expires_at is 'Worth nothing any more after this';
create index chat_messages_waiting_idx on private.chat_messages (service, chat_id, place) where state = 'waiting';
create index chat_messages_created_at_idx on private.chat_messages (created_at);
alter table private.chat_messages enable row level security;
revoke all on private.chat_messages from public, anon, authenticated, service_role;
