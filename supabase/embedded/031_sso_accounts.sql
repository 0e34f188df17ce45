-- Accounts of organisations stand apart: one may hold an address that another account signs in with, as on a hosted
-- project. Whoever looks an account up by its address means the others.
drop index auth.users_email_key;
create unique index users_email_key on auth.users (lower(email)) where not is_sso_user;
create index users_sso_email_idx on auth.users (lower(email)) where is_sso_user;
alter table auth.flow_state add column session_not_after timestamptz;
comment on column auth.flow_state.session_not_after is 'When the organisation''s own session ends; null for no limit';
comment on column auth.users.is_sso_user is 'Signs in through its organisation alone, and is never found or joined by its address';
