-- Chats whose service refuses message after message for a reason that we don't know: paused, so that the owner sees it.

alter table public.chat_channels
  add column refusals smallint not null default 0 check (refusals >= 0),
  drop constraint chat_channels_pause_reason_check,
  add constraint chat_channels_pause_reason_check
    check (pause_reason in ('owner', 'blocked', 'not-found', 'refused'));
comment on column public.chat_channels.refusals is
  'Messages in a row that the service refused for good, since the last one that arrived; no role of the API reads it';
comment on column public.chat_channels.pause_reason is
  'owner: paused by the user. blocked: the bot was blocked or removed, or may not write. not-found: the chat was deleted. refused: several messages in a row were refused';
