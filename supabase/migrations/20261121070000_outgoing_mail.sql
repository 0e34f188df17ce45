-- Mail that waits to be sent. A row is written in the transaction that makes the mail necessary, so that none is lost
-- and none is sent for what was rolled back.
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
  sent_at     timestamptz
);
comment on table private.outgoing_mail is 'The mail queue; read and written by the server alone';
comment on column private.outgoing_mail.kind is 'confirmation, magic_link, recovery, email_change, reauthentication, invite, receipt ...';
comment on column private.outgoing_mail.text_body is 'Holds codes and links: emptied once the mail was sent or given up';
comment on column private.outgoing_mail.state is
  'suppressed: never sent. Written for unknown addresses, so that an answer takes as long as for a known one';
comment on column private.outgoing_mail.next_try_at is 'Waiting mails are tried from this time on';
create index outgoing_mail_waiting_idx on private.outgoing_mail (next_try_at) where state = 'waiting';
create index outgoing_mail_created_at_idx on private.outgoing_mail (created_at);
alter table private.outgoing_mail enable row level security;
revoke all on private.outgoing_mail from public, anon, authenticated, service_role;
