-- Mail to an address that its account no longer has must still be found when the account is erased or downloaded.
alter table private.outgoing_mail add column user_id uuid;
comment on column private.outgoing_mail.user_id is
  'Whose mail it is, null for nobody''s. Without a foreign key: the mail about an erasure outlives the account';
update private.outgoing_mail m set user_id = u.id
  from auth.users u where lower(u.email) = lower(m.to_address) and not u.is_sso_user;
create index outgoing_mail_user_id_idx on private.outgoing_mail (user_id) where user_id is not null;
