-- Accounts of organisations stand apart: one may hold an address that another account signs in with, as on a hosted
-- project. Whoever looks an account up by its address means the others.
drop index auth.users_email_key;
create unique index users_email_key on auth.users (lower(email)) where not is_sso_user;
create index users_sso_email_idx on auth.users (lower(email)) where is_sso_user;
comment on column auth.users.is_sso_user is 'Signs in through its organisation alone, and is never found or joined by its address';
