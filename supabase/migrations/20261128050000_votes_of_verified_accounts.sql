-- The crowd on the board is measured against the models, so it must not be made of accounts that cost nothing: a vote counts
-- there when its account had a proven address or an identity at a provider at the time of voting.
alter table private.votes add column is_verified boolean not null default false;
comment on column private.votes.is_verified is
  'Whether the account was verified when it voted; stays when the account is gone. The board counts these votes alone';

create function private.is_verified_account(p_user uuid) returns boolean
  language sql stable security definer set search_path = ''
as $$
  select exists (select from auth.users u where u.id = p_user and u.email_confirmed_at is not null)
      -- A wallet is as easily made as an address.
      or exists (select from auth.identities i
                  where i.user_id = p_user and i.provider not in ('email', 'phone', 'web3'))
$$;
comment on function private.is_verified_account(uuid) is 'A confirmed email address, or an identity at an OAuth or SSO provider';
revoke all on function private.is_verified_account(uuid) from public, anon, authenticated, service_role;

-- Votes without an account are the service's own: samples, and those of accounts that were erased.
update private.votes set is_verified = user_id is null or private.is_verified_account(user_id);
create index votes_verified_idx on private.votes (currency, created_at, direction) where is_verified;

create function private.stamp_vote() returns trigger
  language plpgsql security definer set search_path = ''
as $$
begin
  new.is_verified := new.user_id is null or private.is_verified_account(new.user_id);
  return new;
end;
$$;
revoke all on function private.stamp_vote() from public, anon, authenticated, service_role;
create trigger stamp_vote before insert on private.votes
  for each row execute function private.stamp_vote();
