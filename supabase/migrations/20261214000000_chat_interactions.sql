-- Discord signs each call with its time: a call that someone repeats within five minutes has a valid signature. Each
-- command therefore has its effect once. docs/decisions/080-chat-channels.md
create table private.chat_interactions (
  id         text primary key check (id ~ '^[0-9]{1,20}$'),
  expires_at timestamptz not null
);
comment on table private.chat_interactions is 'Commands of Discord that had their effect, as long as their signature is valid; deleted by a later command';
comment on column private.chat_interactions.id is 'As Discord numbers its interactions';
create index chat_interactions_expiry_idx on private.chat_interactions (expires_at);
alter table private.chat_interactions enable row level security;
revoke all on private.chat_interactions from public, anon, authenticated, service_role;
