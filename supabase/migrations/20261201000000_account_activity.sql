-- The activity log of an account: 90 days of sign-ins, security changes, plan changes, predictions and exports. Rows are
-- stored only for what no other table records; the view adds predictions, API keys and the account's creation.

-- No foreign key: it would lock the user's row whenever a session ends, while an erasure locks the two the other way round.
create table public.account_events (
  id      bigint primary key generated always as identity,
  user_id uuid not null,
  at      timestamptz not null default private.clock_now(),
  kind    text not null check (kind in ('sign-in', 'security', 'plan', 'export')),
  action  text not null check (action ~ '^[a-z-]{3,40}$'),
  details jsonb not null default '{}' check (octet_length(details::text) <= 2000)
);
comment on table public.account_events is 'Activity of an account that no other table records; deleted after 90 days';
comment on column public.account_events.kind is 'The filter of the activity page that shows it';
comment on column public.account_events.details is 'user_agent and ip of a session; device, provider, plan or file. No secrets and no email addresses';
create index account_events_user_idx on public.account_events (user_id, at desc, id desc);
create index account_events_at_idx on public.account_events (at);
alter table public.account_events enable row level security;
revoke all on public.account_events from public, anon, authenticated;
grant select on public.account_events to authenticated;
grant all on public.account_events to service_role;
create policy "owners read their events" on public.account_events
  for select to authenticated using (user_id = (select auth.uid()));
create policy "the second factor comes first" on public.account_events
  as restrictive for all to authenticated
  using ((select private.has_shown_factors())) with check ((select private.has_shown_factors()));

-- Deleting a user deletes its sessions, factors and devices too, and none of that is activity.
create function private.note_event(p_user uuid, p_kind text, p_action text, p_details jsonb default '{}') returns void
  language sql volatile security definer set search_path = ''
as $$
  insert into public.account_events (user_id, kind, action, details)
  select u.id, p_kind, p_action, jsonb_strip_nulls(p_details) from auth.users u where u.id = p_user
$$;
comment on function private.note_event(uuid, text, text, jsonb) is 'Adds a line to the activity log of an existing account';
revoke all on function private.note_event(uuid, text, text, jsonb) from public, anon, authenticated, service_role;

create function private.forget_events() returns trigger
  language plpgsql security definer set search_path = ''
as $$
begin
  delete from public.account_events e where e.user_id = old.id;
  return null;
end;
$$;
create trigger forget_events after delete on auth.users
  for each row execute function private.forget_events();

-- A hosted project stores the address as inet, and text appends its mask.
create function private.session_details(p_user_agent text, p_ip text) returns jsonb
  language sql immutable set search_path = ''
as $$ select jsonb_build_object('user_agent', left(p_user_agent, 400), 'ip', split_part(p_ip, '/', 1)) $$;

create function private.note_session() returns trigger
  language plpgsql security definer set search_path = ''
as $$
begin
  if tg_op = 'INSERT' then
    perform private.note_event(new.user_id, 'sign-in', 'signed-in', private.session_details(new.user_agent, new.ip::text));
  -- A session that the sweep removes ended long ago, and nobody did anything.
  elsif old.updated_at > private.clock_now() - interval '80 days' and coalesce(old.not_after > private.clock_now(), true) then
    perform private.note_event(old.user_id, 'security', 'signed-out', private.session_details(old.user_agent, old.ip::text));
  end if;
  return null;
end;
$$;
create trigger note_session after insert or delete on auth.sessions
  for each row execute function private.note_session();

create function private.note_factor() returns trigger
  language plpgsql security definer set search_path = ''
as $$
begin
  if tg_op = 'DELETE' then
    perform private.note_event(old.user_id, 'security', 'factor-removed', jsonb_build_object('name', old.friendly_name));
  else
    perform private.note_event(new.user_id, 'security', 'factor-added', jsonb_build_object('name', new.friendly_name));
  end if;
  return null;
end;
$$;
create trigger note_factor_added after update of status on auth.mfa_factors
  for each row when (old.status = 'unverified' and new.status = 'verified') execute function private.note_factor();
create trigger note_factor_removed after delete on auth.mfa_factors
  for each row when (old.status = 'verified') execute function private.note_factor();

create function private.note_credentials() returns trigger
  language plpgsql security definer set search_path = ''
as $$
begin
  if new.encrypted_password is distinct from old.encrypted_password then
    perform private.note_event(new.id, 'security', 'password-changed');
  end if;
  if new.email is distinct from old.email then
    perform private.note_event(new.id, 'security', 'email-changed');
  end if;
  return null;
end;
$$;
create trigger note_credentials after update of encrypted_password, email on auth.users
  for each row execute function private.note_credentials();

-- The first method is the sign-up itself.
create function private.note_identity() returns trigger
  language plpgsql security definer set search_path = ''
as $$
begin
  if tg_op = 'DELETE' then
    perform private.note_event(old.user_id, 'security', 'method-removed', jsonb_build_object('provider', old.provider));
  elsif exists (select from auth.identities i where i.user_id = new.user_id and i.id <> new.id) then
    perform private.note_event(new.user_id, 'security', 'method-added', jsonb_build_object('provider', new.provider));
  end if;
  return null;
end;
$$;
create trigger note_identity after insert or delete on auth.identities
  for each row execute function private.note_identity();

create function private.note_device() returns trigger
  language plpgsql security definer set search_path = ''
as $$
begin
  if tg_op = 'INSERT' then
    perform private.note_event(new.user_id, 'security', 'notifications-on', jsonb_build_object('device', new.device));
  else
    perform private.note_event(old.user_id, 'security', 'notifications-off', jsonb_build_object('device', old.device));
  end if;
  return null;
end;
$$;
create trigger note_device after insert or delete on public.push_subscriptions
  for each row execute function private.note_device();

-- The notices know each change of a plan once, whether or not it was emailed.
create function private.plan_action(p_notice text) returns text
  language sql immutable set search_path = ''
as $$
  select case p_notice when 'first_seen' then 'plan-started' when 'subscription_ended' then 'plan-ended'
                       when 'receipt' then null else replace(p_notice, '_', '-') end
$$;
create function private.note_plan() returns trigger
  language plpgsql security definer set search_path = ''
as $$
begin
  perform private.note_event(new.user_id, 'plan', private.plan_action(new.kind), jsonb_build_object(
    'plan', (select p.plan from public.billing_prices p where p.price_id = new.price_id)));
  return null;
end;
$$;
create trigger note_plan after insert on private.billing_notices
  for each row when (new.kind <> 'receipt') execute function private.note_plan();

revoke all on function
  private.forget_events(), private.session_details(text, text), private.note_session(), private.note_factor(),
  private.note_credentials(), private.note_identity(), private.note_device(), private.plan_action(text), private.note_plan()
  from public, anon, authenticated, service_role;

-- Files that a browser writes itself. The same file within a minute is one export.
create function public.record_export(p_file text) returns void
  language plpgsql volatile security definer set search_path = ''
as $$
declare
  v_user uuid := auth.uid();
begin
  if v_user is null or not private.has_shown_factors() then
    raise exception 'Sign in to record an export.' using errcode = '42501';
  end if;
  if p_file is null or p_file not in ('predictions', 'activity') then
    raise exception 'An export is of predictions or activity.' using errcode = '22023';
  end if;
  if not exists (
    select from public.account_events e
     where e.user_id = v_user and e.action = 'downloaded' and e.details ->> 'file' = p_file
       and e.at > private.clock_now() - interval '1 minute'
  ) then
    perform private.note_event(v_user, 'export', 'downloaded', jsonb_build_object('file', p_file));
  end if;
end;
$$;
comment on function public.record_export(text) is 'Notes in the caller''s activity that a page saved a file: predictions or activity';
revoke all on function public.record_export(text) from public, anon, service_role;
grant execute on function public.record_export(text) to authenticated;

-- With the caller's rights: the policies of the tables decide which rows there are.
create view public.account_activity with (security_invoker = true) as
select a.user_id, a.id, a.at, a.kind, a.action, a.details
from (
  select e.user_id, 'event ' || e.id as id, e.at, e.kind, e.action, e.details from public.account_events e
  union all
  select p.user_id, 'prediction ' || p.id, p.created_at, 'prediction', 'predicted',
         jsonb_build_object('symbol', p.cryptocurrency, 'model', p.model)
    from public.user_predictions p
  union all
  select k.user_id, 'key ' || k.id, k.created_at, 'security', 'key-created', jsonb_build_object('name', k.name)
    from public.api_keys k
  union all
  select k.user_id, 'revoked ' || k.id, k.revoked_at, 'security', 'key-revoked', jsonb_build_object('name', k.name)
    from public.api_keys k where k.revoked_at is not null
  union all
  select u.user_id, 'account ' || u.id, u.created_at, 'sign-in', 'account-created', '{}'::jsonb from public.user_activity u
) a
where a.at > (select private.clock_now()) - interval '90 days';
comment on view public.account_activity is 'What happened in an account in the last 90 days; read with the caller''s own rights';
revoke all on public.account_activity from public, anon, authenticated;
grant select on public.account_activity to authenticated, service_role;

-- What the database knows already.
insert into public.account_events (user_id, at, kind, action, details)
select e.user_id, e.at, e.kind, e.action, jsonb_strip_nulls(e.details)
from (
  select s.user_id, s.created_at as at, 'sign-in' as kind, 'signed-in' as action,
         private.session_details(s.user_agent, s.ip::text) as details
    from auth.sessions s
  union all
  select n.user_id, n.created_at, 'plan', private.plan_action(n.kind), jsonb_build_object(
           'plan', (select p.plan from public.billing_prices p where p.price_id = n.price_id))
    from private.billing_notices n where n.kind <> 'receipt'
) e
where e.at > now() - interval '90 days'
order by e.at;
